package io.penstock.server.node;

import java.util.List;

/**
 * The answer to a check, as every protocol tells it. Immutable.
 *
 * @param allowed whether the caller may go on
 * @param deciding index of the part whose numbers are those of the whole
 * @param parts one per descriptor, in order
 * @param waitNanos how long the caller must wait before it runs ({@code leaky-queue}), else 0
 * @param durability what this answer has on disk
 * @param decidedBy which node decided; in a cluster, also for which shard and in which epoch
 * @param duplicate whether it repeats the first answer to the same request id
 */
public record Answer(
    boolean allowed,
    int deciding,
    List<Part> parts,
    long waitNanos,
    Durability durability,
    String decidedBy,
    boolean duplicate) {

  /**
   * The answers to the parts of one check as one: what one of them denies, all deny.
   *
   * @param answers to each part
   * @param parts of each descriptor, in the order of the check
   * @param from which of the answers each of them is of
   */
  public static Answer joined(List<Answer> answers, List<Part> parts, List<Integer> from) {
    boolean allowed = answers.stream().allMatch(Answer::allowed);
    int deciding = Decider.deciding(parts);
    long wait = allowed ? answers.stream().mapToLong(Answer::waitNanos).max().orElse(0) : 0;
    Durability durability = Durability.NONE;
    boolean duplicate = false;
    boolean fresh = false;
    for (Answer answer : answers) {
      durability = Durability.ofBoth(durability, answer.durability);
      duplicate |= answer.duplicate;
      fresh |= !answer.duplicate && answer.parts.stream().anyMatch(part -> part.deciding() >= 0);
    }
    String decidedBy = answers.get(from.get(deciding)).decidedBy;
    return new Answer(allowed, deciding, parts, wait, durability, decidedBy, duplicate && !fresh);
  }

  /** This answer where the disk failed before what it took was durable (R10). */
  Answer unkept() {
    return new Answer(allowed, deciding, parts, waitNanos, Durability.MEMORY, decidedBy, duplicate);
  }

  /** The same, with parts some of which are denied for that. */
  Answer unkept(List<Part> parts) {
    boolean all = allowed && parts.stream().allMatch(Part::allowed);
    int decides = all ? deciding : Decider.deciding(parts);
    long wait = all ? waitNanos : 0;
    return new Answer(all, decides, parts, wait, Durability.MEMORY, decidedBy, duplicate);
  }

  Answer decidedBy(String who) {
    return new Answer(allowed, deciding, parts, waitNanos, durability, who, duplicate);
  }

  /** The part that decides. */
  public Part part() {
    return parts.get(deciding);
  }

  public Why why() {
    return part().why();
  }

  /** What is left; 0 if nothing is counted: ask {@link #why} then. */
  public long remaining() {
    Meter meter = part().meter();
    return meter == null ? 0 : meter.remaining();
  }

  /** What fits at once; 0 if nothing is counted. */
  public long limit() {
    Meter meter = part().meter();
    return meter == null ? 0 : meter.limit().capacity();
  }

  /** 0 if allowed, {@link Long#MAX_VALUE} for never. */
  public long retryAfterNanos() {
    return allowed ? 0 : part().retryAfterNanos();
  }

  public long resetAfterNanos() {
    Meter meter = part().meter();
    return meter == null ? 0 : meter.resetAfterNanos();
  }
}
