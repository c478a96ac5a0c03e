package io.penstock.server.policy;

/**
 * Who has put a document, and so may change it. Stored by ordinal: the order is part of the format.
 */
enum Source {
  API,
  FILE
}
