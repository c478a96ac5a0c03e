package io.penstock.server.http;

import io.penstock.server.Bounds;
import org.jspecify.annotations.Nullable;

/** Which shard is to be owned by whom. Immutable. */
record Move(int shard, String node) {
  private static final String SHARD = "shard";
  private static final String NODE = "node";

  static Move read(byte[] body, Bounds bounds) {
    try (JsonInput in = JsonInput.of(body)) {
      in.beginObject();
      Long shard = null;
      String node = null;
      for (String name = in.nextField(); name != null; name = in.nextField()) {
        if (name.equals(SHARD) && shard == null) {
          shard = in.integer();
        } else if (name.equals(NODE) && node == null) {
          node = in.text(1, bounds.keyLength());
        } else {
          throw in.refusal("unknown field, or given twice", "only shard, node, once each");
        }
      }
      in.end();
      if (node == null) {
        throw in.missing(NODE, "the name of a node");
      }
      return new Move(number(in, shard), node);
    }
  }

  private static int number(JsonInput in, @Nullable Long shard) {
    if (shard == null) {
      throw in.missing(SHARD, "the number of a shard");
    }
    return (int) Math.max(-1, Math.min(shard, Integer.MAX_VALUE));
  }
}
