package io.penstock.server.policy;

import java.util.List;

/**
 * What a write has led to. Immutable.
 *
 * @param version the version the document has now
 * @param warnings what the writer should know
 */
public record Written(long version, List<String> warnings) {}
