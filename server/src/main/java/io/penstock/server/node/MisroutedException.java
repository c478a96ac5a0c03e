package io.penstock.server.node;

/**
 * A key of a check belongs to other shards than those that are decided on here, by the policies in
 * force here; nothing was decided.
 */
public final class MisroutedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  MisroutedException() {
    super("shard: another's (expected: one that is decided on here)");
  }
}
