package io.penstock.core.state;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The rules that states may carry, by number. Thread-safe.
 *
 * <p>Numbers come round. One is given again when its rule is over and a whole circle of {@link
 * States#sweep} has rewritten every state of it since (R12).
 */
public final class Rules {
  /** How many numbers there are: the twelve bits of a slot, without 0. */
  static final int NUMBERS = 4094;

  /** The number of no rule: slots that were given up carry it. */
  static final int NOBODY = NUMBERS + 1;

  /** How many rules back a store of states may still name one. */
  private static final int REMEMBERED = 65_536;

  private final AtomicReferenceArray<@Nullable Rule> byNumber =
      new AtomicReferenceArray<>(NOBODY + 1);
  private final Map<Long, Rule> bySerial = new ConcurrentHashMap<>();
  private final long[] neededAt = new long[NOBODY + 1];
  private long added;
  private int circle;
  private int circlesDone;

  static int number(long serial) {
    return 1 + (int) (serial % NUMBERS);
  }

  /** A new rule in force from an instant on. */
  public synchronized Rule add(Limit limit, Algorithm algorithm, int slot, long sinceNanos) {
    for (int tries = 0; !isFree(number(added)); tries++) {
      if (tries == NUMBERS) {
        throw new IllegalStateException("more than " + NUMBERS + " limits in force at once");
      }
      added++;
    }
    Rule rule = new Rule(added++, limit, algorithm, slot, sinceNanos);
    byNumber.set(rule.number(), rule);
    bySerial.put(rule.serial(), rule);
    bySerial.remove(rule.serial() - REMEMBERED);
    return rule;
  }

  /** The rule with that serial number, or null if it was too long ago. */
  @Nullable Rule bySerial(long serial) {
    return bySerial.get(serial);
  }

  /** Says that a state could not be rewritten, so that its number must not be given again. */
  synchronized void stillNeeds(int number) {
    neededAt[number] = added;
  }

  /* Every sweep says it again; said less than a round of numbers ago, it still holds. */
  private boolean isNeeded(int number) {
    return neededAt[number] > 0 && added - neededAt[number] < NUMBERS;
  }

  private boolean isFree(int number) {
    Rule rule = byNumber.get(number);
    return rule == null || (rule.isSwept(circlesDone) && !isNeeded(number));
  }

  /** Says that the circle has rewritten every state of the rules that were over when it began. */
  synchronized void endCircle() {
    circlesDone = circle;
  }

  /**
   * Says that a circle of the sweep begins. Every stripe gets a new version before the circle ends,
   * so whoever has not seen a rule retire has noted a version that will not do for writing when its
   * number is given again.
   */
  synchronized void beginCircle(long nowNanos) {
    circle++;
    for (int number = 1; number <= NUMBERS; number++) {
      Rule rule = byNumber.get(number);
      if (rule != null && rule.isOver(nowNanos)) {
        rule.retire(circle);
      }
    }
  }

  /** How many rules there have been. */
  synchronized long added() {
    return added;
  }

  /** The rule with that number, or null if there is none. */
  @Nullable Rule get(int number) {
    return byNumber.get(number);
  }
}
