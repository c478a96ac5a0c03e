package io.penstock.server.security;

import org.jspecify.annotations.Nullable;

/** Something that knows callers by what they show. Implementations are thread-safe. */
interface Credentials {
  /** The caller who shows this key or token; null if it is nobody's, or no longer. */
  @Nullable Caller find(String secret);

  /** Whether what is shown may end by itself, without a change of the file. */
  boolean expire();
}
