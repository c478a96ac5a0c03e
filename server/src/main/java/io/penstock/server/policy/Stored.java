package io.penstock.server.policy;

/**
 * A document as it is in force. Immutable.
 *
 * @param name the scope of a policy, the name of a tier
 * @param version grows with every change, a delete included
 * @param document the JSON as it was put
 */
public record Stored(Kind kind, String name, long version, String document) {}
