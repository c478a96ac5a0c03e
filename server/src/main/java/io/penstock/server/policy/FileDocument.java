package io.penstock.server.policy;

/** A document of a policy file. Immutable. */
public record FileDocument(Kind kind, String name, PolicyDocument document) {}
