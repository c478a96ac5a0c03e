package io.penstock.core.state;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The rules that states may carry, by number. Thread-safe.
 *
 * <p>Numbers come round. One is given again when its rule is over and a whole circle of {@link
 * States#sweep} has rewritten every state of it since, in each table that has states (R12).
 */
public final class Rules {
  /** How many numbers there are: the twelve bits of a slot, without 0 and the two below. */
  static final int NUMBERS = 4093;

  /** The number of all rules that come with requests. */
  static final int GIVEN = NUMBERS + 1;

  /** The number of no rule: slots that were given up carry it. */
  static final int NOBODY = NUMBERS + 2;

  /** How many rules may be shared; the other numbers are for rules that follow each other. */
  static final int SHARED_MAX = NUMBERS / 2;

  /** How many rules may be those of single policies, in a book of very many. */
  static final int OWN_MAX = NUMBERS - SHARED_MAX;

  /** How many rules back a store of states may still name one. */
  private static final int REMEMBERED = 65_536;

  private final AtomicReferenceArray<@Nullable Rule> byNumber =
      new AtomicReferenceArray<>(NOBODY + 1);
  private final @Nullable Map<Long, Rule> bySerial;
  private final Map<Content, Rule> shared = new HashMap<>();
  private final Rule[] given = {
    given(Algorithm.GCRA), given(Algorithm.FIXED_WINDOW), given(Algorithm.SLIDING_WINDOW_LOG)
  };
  private final long[] neededAt = new long[NOBODY + 1];
  private final Set<Circle> circles = new HashSet<>();
  private long added;
  private long oldestSerial;
  private int newest;
  private int circlesDone;

  /** The circles of the sweep of one table, told by numbers that grow. */
  static final class Circle {
    private int current;
    private int done;
  }

  private record Content(Limit limit, Algorithm algorithm) {}

  public Rules() {
    this(new ConcurrentHashMap<>());
  }

  private Rules(@Nullable Map<Long, Rule> bySerial) {
    this.bySerial = bySerial;
  }

  /** Rules that nobody asks for by serial number: their states are neither stored nor listed. */
  public static Rules unlisted() {
    return new Rules(/* bySerial= */ null);
  }

  static int number(long serial) {
    return serial < 0 ? GIVEN : 1 + (int) (serial % NUMBERS);
  }

  /** What states under rules that came with requests are listed by: one for each kind of slot. */
  private static Rule given(Algorithm algorithm) {
    return given(Limit.parse("1/s"), algorithm);
  }

  /** A rule that comes with a request, or one for which no number is left. */
  public static Rule given(Limit limit, Algorithm algorithm) {
    long serial = -1L - Slots.kind(algorithm, limit);
    return new Rule(serial, limit, algorithm, /* slot= */ 0, Rule.SHARED);
  }

  /** Under what states of requests' own rules are listed and put back, by kind of slot. */
  Rule givenOf(int kind) {
    return given[kind];
  }

  /**
   * The rule that all policies with this limit share. If too many are shared already, one that goes
   * without a number: its states are read as they stand.
   */
  public synchronized Rule shared(Limit limit, Algorithm algorithm) {
    Content content = new Content(limit, algorithm);
    Rule rule = shared.get(content);
    if (rule == null) {
      rule = shared.size() < SHARED_MAX ? next(limit, algorithm, /* slot= */ 0, Rule.SHARED) : null;
      if (rule == null) {
        return given(limit, algorithm);
      }
      shared.put(content, rule);
    }
    return rule;
  }

  /** How many rules are shared. */
  public synchronized int sharedCount() {
    return shared.size();
  }

  /** Says that no policy has this limit any more, and which rule its states go on under, if any. */
  public synchronized void unshare(Rule rule, @Nullable Rule successor, long nowNanos) {
    if (shared.remove(new Content(rule.limit(), rule.algorithm()), rule)) {
      rule.endsAt(nowNanos, successor);
    }
  }

  /** A new rule in force from an instant on. */
  public synchronized Rule add(Limit limit, Algorithm algorithm, int slot, long sinceNanos) {
    Rule rule = next(limit, algorithm, slot, sinceNanos);
    if (rule == null) {
      throw new IllegalStateException("more than " + NUMBERS + " limits in force at once");
    }
    return rule;
  }

  /**
   * A new rule for one key alone, which leaves the one that others share for it, and comes back.
   */
  public synchronized Rule addForOneKey(
      Limit limit, Algorithm algorithm, int slot, long sinceNanos) {
    return add(limit, algorithm, slot, sinceNanos).ofOneKey();
  }

  /**
   * A new rule for the keys of one of very many policies. If too many have one, that which all
   * share who have this limit: keys come under it when they are next touched, and not before.
   */
  public synchronized Rule follow(Limit limit, Algorithm algorithm, long sinceNanos) {
    Rule rule = ownCount() < OWN_MAX ? next(limit, algorithm, /* slot= */ 0, sinceNanos) : null;
    return rule == null ? shared(limit, algorithm) : rule;
  }

  /** Whether so few rules of their own are in use that many more policies can change. */
  public synchronized boolean hasRoom() {
    return ownCount() < OWN_MAX / 2;
  }

  /** How many numbers are those of rules that are not shared, or were and are not free yet. */
  private int ownCount() {
    int count = 0;
    for (int number = 1; number <= NUMBERS; number++) {
      count += isFree(number) ? 0 : 1;
    }
    return count - shared.size();
  }

  private @Nullable Rule next(Limit limit, Algorithm algorithm, int slot, long sinceNanos) {
    for (int tries = 0; !isFree(number(added)); tries++) {
      if (tries == NUMBERS) {
        return null;
      }
      added++;
    }
    Rule rule = new Rule(added++, limit, algorithm, slot, sinceNanos);
    Rule before = byNumber.getAndSet(rule.number(), rule);
    if (bySerial != null) {
      bySerial.put(rule.serial(), rule);
      forgetSerials(bySerial, rule.serial() - REMEMBERED, before);
    }
    return rule;
  }

  /*
   * Numbers that were passed over are serials that nobody got, so all up to the oldest one are gone
   * through. A rule that has its number yet is kept, however old: there may be states of it.
   */
  private void forgetSerials(Map<Long, Rule> known, long until, @Nullable Rule numberless) {
    for (; oldestSerial <= until; oldestSerial++) {
      Rule rule = known.get(oldestSerial);
      if (rule != null && get(rule.number()) != rule) {
        forget(known, rule);
      }
    }
    if (numberless != null && numberless.serial() < oldestSerial) {
      forget(known, numberless);
    }
  }

  private static void forget(Map<Long, Rule> known, Rule rule) {
    known.remove(rule.serial());
    rule.forget();
  }

  /**
   * The rule with that serial number, or null if it was too long ago, or if these are {@link
   * #unlisted}.
   */
  public @Nullable Rule bySerial(long serial) {
    if (serial < 0) {
      return given[(int) (-1 - serial)];
    }
    return bySerial == null ? null : bySerial.get(serial);
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

  /** A table may have states of any rule from now on. */
  synchronized Circle join() {
    Circle circle = new Circle();
    circles.add(circle);
    count();
    return circle;
  }

  /** A table has no more states that anybody decides on. */
  synchronized void leave(Circle circle) {
    circles.remove(circle);
    count();
  }

  /** Says that the circle has rewritten every state of the rules that were over when it began. */
  synchronized void endCircle(Circle circle) {
    circle.done = circle.current;
    count();
  }

  private void count() {
    circlesDone = newest;
    for (Circle each : circles) {
      circlesDone = Math.min(circlesDone, each.done);
    }
  }

  /**
   * Says that a circle of the sweep begins. Every stripe gets a new version before the circle ends,
   * so whoever has not seen a rule retire has noted a version that will not do for writing when its
   * number is given again.
   */
  synchronized void beginCircle(Circle circle, long nowNanos) {
    retire(nowNanos);
    circle.current = newest;
  }

  private void retire(long nowNanos) {
    newest++;
    for (int number = 1; number <= NUMBERS; number++) {
      Rule rule = byNumber.get(number);
      if (rule != null && rule.isOver(nowNanos)) {
        rule.retire(newest);
      }
    }
  }

  /** Says that no table has states, so that the numbers of rules that are over are free. */
  public synchronized void sweptWithoutStates(long nowNanos) {
    retire(nowNanos);
    count();
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
