package io.penstock.server.ops;

import org.jspecify.annotations.Nullable;

/**
 * What a request says about the trace that it belongs to: its header fields. Asked only while the
 * request begins, and only if there are traces.
 */
@FunctionalInterface
public interface Origin {
  /** That of a protocol without header fields. */
  Origin NONE = name -> null;

  /** The value of a field, by its name in small letters; null if there is none. */
  @Nullable String field(String name);
}
