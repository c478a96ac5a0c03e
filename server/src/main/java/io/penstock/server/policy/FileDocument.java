package io.penstock.server.policy;

/** A document of a policy file. Immutable. */
record FileDocument(Kind kind, String name, PolicyDocument document) {}
