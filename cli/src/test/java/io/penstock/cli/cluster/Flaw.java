package io.penstock.cli.cluster;

import java.nio.file.Path;

/** A rule that a build does not follow, in one line of its own code: to see that it is noticed. */
enum Flaw {
  /** R2: a strict answer leaves without asking whether its owner still owns. */
  NO_FENCING(
      "shard/src/main/java/io/penstock/shard/ReplicatedLog.java",
      "if (!over && generation <= durableTo) {",
      "if (!over) {"),
  /** R14: an answer leaves at once however long ago a quorum has accepted anything. */
  ENDLESS_WINDOW(
      "shard/src/main/java/io/penstock/shard/ReplicatedLog.java",
      "FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(60);",
      "FRESH_NANOS = Long.MAX_VALUE / 2;"),
  /** R21: what is taken back comes back whole, also what has drained meanwhile. */
  FULL_REFUND(
      "core/src/main/java/io/penstock/core/algorithm/Gcra.java",
      "long elapsed = ticket == 0 ? 0 : Math.max(0, nowNanos - ticket);",
      "long elapsed = 0;"),
  /** R15: a new owner goes on by its own wall clock. */
  WALL_CLOCK(
      "cluster/src/main/java/io/penstock/cluster/ShardGroup.java",
      "if (isStepped) {",
      "if (true) {");

  private final Path source;
  private final String right;
  private final String wrong;

  Flaw(String source, String right, String wrong) {
    this.source = Path.of(source);
    this.right = right;
    this.wrong = wrong;
  }

  /** The file that it is in, from the root of the sources. */
  Path source() {
    return source;
  }

  /** The same file with the flaw. */
  String in(String text) {
    int at = text.indexOf(right);
    if (at < 0 || at != text.lastIndexOf(right)) {
      throw new IllegalStateException(source + ": \"" + right + "\" (expected: there once)");
    }
    return text.replace(right, wrong);
  }
}
