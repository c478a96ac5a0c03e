package io.penstock.server.policy;

/** Who has put a document, and so may change it. */
enum Source {
  API,
  FILE
}
