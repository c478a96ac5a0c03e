package io.penstock.server.node;

import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import io.penstock.core.state.Rule;
import io.penstock.shard.Notes;
import java.util.List;
import java.util.function.ToLongBiFunction;

/**
 * How something is asked for that is kept as one note, so that it can be given back: more than fits
 * one is refused before anything is taken. Immutable.
 *
 * @param leaseNanos how long concurrent slots are held; 0 for as long as their limit says
 * @param isNamed whether the note must tell its keys; else whoever gives it back does
 */
record Taking(long leaseNanos, boolean isNamed) implements Decider.Asking {
  /*
   * A part of a check is taken back by naming its keys. So values of any length can be checked, as
   * those of Envoy are, which lets pass what is refused.
   */
  static final Taking OF_PARTS = new Taking(/* leaseNanos= */ 0, /* isNamed= */ false);

  private static final Descriptor UNNAMED = Descriptor.of("unnamed", "");
  private static final int BYTES_MAX = Notes.NOTE_BYTES_MAX - Stake.HEAD_BYTES_MAX;

  /** What is held and settled by its id alone. */
  static Taking named(long leaseNanos) {
    return new Taking(leaseNanos, /* isNamed= */ true);
  }

  @Override
  public void ask(Subject subject) {
    for (int i = 0; i < subject.size(); i++) {
      Reservations.lease(subject.turn(i), leaseNanos);
    }
  }

  @Override
  public void admit(List<Subject> subjects) {
    int bytes = Holding.bytes(subjects.get(0).domain());
    for (Subject subject : subjects) {
      bytes += subject.isCounted() ? bytes(subject) : 0;
    }
    if (bytes > BYTES_MAX) {
      throw new IllegalArgumentException(
          "descriptors: "
              + bytes
              + " bytes with their limits (expected: at most "
              + BYTES_MAX
              + ", to be given back)");
    }
  }

  private int bytes(Subject subject) {
    int bytes = Holding.bytes(isNamed ? subject.asked().descriptor() : UNNAMED);
    Limit given = subject.asked().given();
    Grant grant = subject.grant();
    if (given != null) {
      return bytes + bytes(GivenRules.of(given));
    }
    for (int i = 0; grant != null && i < grant.size(); i++) {
      bytes += bytes(grant.rule(i));
    }
    return bytes;
  }

  private static int bytes(Rule rule) {
    return Holding.bytes(rule.limit(), rule.algorithm());
  }

  /** What a part has taken as it fits a note: without the names of its keys if need be. */
  static Holding fitting(Holding taken) {
    return taken.bytes() <= BYTES_MAX ? taken : taken.named(key -> key.named(UNNAMED));
  }

  /**
   * A key of that with its name again, which is one of some.
   *
   * @param counted tells the hash of a domain and a descriptor
   */
  static Holding.Key named(
      Holding.Key key, CheckRequest names, ToLongBiFunction<String, Descriptor> counted) {
    if (!key.descriptor().equals(UNNAMED)) {
      return key;
    }
    for (Asked asked : names.asked()) {
      if (counted.applyAsLong(names.domain(), asked.descriptor()) == key.hash()) {
        return key.named(asked.descriptor());
      }
    }
    return key;
  }
}
