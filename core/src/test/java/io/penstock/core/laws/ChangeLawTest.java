package io.penstock.core.laws;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.Step;
import io.penstock.core.oracle.Oracle;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/** What was used stays used, in units, whatever a limit is changed to. */
class ChangeLawTest {
  /** Tuesday, 10 March 2026, 12:30 UTC: in the middle of every window used here. */
  private static final long NOON = 1_773_145_800_000_000_000L;

  private static final int CHANGES = 1_000;
  private static final long HOUR = 3_600_000_000_000L;

  @Provide
  Arbitrary<String> algorithms() {
    return Arbitraries.of(Algorithm.all().stream().map(Algorithm::name).toList());
  }

  @Provide
  Arbitrary<String> buckets() {
    return Arbitraries.of("gcra", "token-bucket", "leaky-bucket", "leaky-queue");
  }

  @Example
  void change_tenPerDayWithEightUsed_leavesFourOfTwelvePerDay() {
    for (String name : Algorithm.all().stream().map(Algorithm::name).toList()) {
      assertThat(leftAfterChange(name, "10", "day", "12", "day"))
          .as(name)
          .isEqualTo(name.equals("leaky-queue") ? 5 : 4);
    }
  }

  @Example
  void change_tenPerDayWithEightUsed_leavesTwoOfTenPerHour() {
    for (String name : Algorithm.all().stream().map(Algorithm::name).toList()) {
      assertThat(leftAfterChange(name, "10", "day", "10", "hour"))
          .as(name)
          .isEqualTo(name.equals("leaky-queue") ? 3 : 2);
    }
  }

  /** A queue lets one run at once, so of eight seven wait. */
  private static long leftAfterChange(
      String algorithm, String count, String period, String newCount, String newPeriod) {
    String form = algorithm.equals("concurrency") ? "%s concurrent lease %s" : "%s/%s";
    PureKey key =
        new PureKey(Algorithm.named(algorithm), Limit.parse(form.formatted(count, period)));
    assertThat(key.take(NOON, 8).allowed()).isTrue();
    key.change(NOON, key.algorithm(), Limit.parse(form.formatted(newCount, newPeriod)));
    return key.ask(NOON, 0).remaining();
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void change_ofAlgorithm_givesNoFreshBurst(
      @ForAll("algorithms") String from, @ForAll("algorithms") String to) {
    PureKey key = new PureKey(Algorithm.named(from), tenPer("day", from));
    assertThat(key.take(NOON, 8).allowed()).isTrue();
    key.change(NOON, Algorithm.named(to), tenPer("hour", to));
    long room = to.equals("leaky-queue") ? 3 : 2;
    assertThat(key.ask(NOON, 0).remaining()).isEqualTo(room);
  }

  private static Limit tenPer(String period, String algorithm) {
    return Limit.parse((algorithm.equals("concurrency") ? "10 concurrent lease " : "10/") + period);
  }

  @Property(tries = 200, shrinking = ShrinkingMode.OFF)
  void change_aThousandTimesInARow_costsNothing(
      @ForAll("algorithms") String algorithm, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    PureKey key = new PureKey(Algorithm.named(algorithm), thousandPerHour(algorithm, 0));
    key.take(NOON, 1 + random.nextInt(900));
    long now = NOON + random.nextLong(HOUR / 4);
    long before = key.ask(now, 0).remaining();
    for (int i = 0; i < CHANGES; i++) {
      key.change(now, key.algorithm(), thousandPerHour(algorithm, random.nextInt(100)));
    }
    key.change(now, key.algorithm(), thousandPerHour(algorithm, 0));
    assertThat(key.ask(now, 0).remaining()).isEqualTo(before);
  }

  private static Limit thousandPerHour(String algorithm, int more) {
    boolean held = algorithm.equals("concurrency");
    return Limit.parse((1_000 + more) + (held ? " concurrent lease hour" : "/hour"));
  }

  /** Each change may round a debt up by one step of time, at most a nanosecond. */
  @Property(tries = 200, shrinking = ShrinkingMode.OFF)
  void change_aThousandTimesWhileTimePasses_costsAtMostANanosecondEach(
      @ForAll("buckets") String algorithm, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Limit slow = Limit.parse("1000003/hour");
    Limit fast = Limit.parse("1000033/hour");
    PureKey key = new PureKey(Algorithm.named(algorithm), slow);
    Unrounded exact = new Unrounded(slow, NOON, 900_000);
    key.take(NOON, 900_000);
    long now = NOON;
    for (int i = 0; i < CHANGES; i++) {
      now += random.nextLong(HOUR / CHANGES / 2);
      Limit next = i % 2 == 0 ? fast : slow;
      key.change(now, key.algorithm(), next);
      exact.change(next, now);
    }
    long debt = key.ask(now, 0).resetAfterNanos();
    assertThat(debt).isBetween(exact.debtNanos(), exact.debtNanos() + CHANGES + 1);
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void change_loweredAndRaisedAgain_forgetsNothing(
      @ForAll("algorithms") String algorithm, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Algorithm rate = Algorithm.named(algorithm);
    Limit limit = thousandPerHour(algorithm, 0);
    PureKey key = new PureKey(rate, limit);
    key.take(NOON, 1 + random.nextInt(1_000));
    long now = NOON + random.nextLong(HOUR / 4);
    Step before = key.ask(now, 0);
    long left = before.remaining();
    long lower = 1L + random.nextInt(999);
    boolean held = algorithm.equals("concurrency");
    key.change(now, rate, Limit.parse(lower + (held ? " concurrent lease hour" : "/hour")));
    assertThat(key.ask(now, 0).remaining()).isLessThanOrEqualTo(lower);
    key.change(now, rate, limit);
    assertThat(key.ask(now, 0).remaining()).isEqualTo(left);
  }

  /** A million units at 1/day are 2,738 years: more than there are nanoseconds to count. */
  @Property(shrinking = ShrinkingMode.OFF)
  void change_loweredToCenturiesAndRaisedAgain_forgetsNothing(
      @ForAll("algorithms") String algorithm, @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Algorithm rate = Algorithm.named(algorithm);
    String form = algorithm.equals("concurrency") ? "%d concurrent lease %s" : "%d/%s";
    Limit limit = Limit.parse(form.formatted(1_000_000, random.nextBoolean() ? "day" : "s"));
    PureKey key = new PureKey(rate, limit);
    for (int i = 0; i < 10; i++) {
      key.take(NOON, 1 + random.nextInt(200_000));
    }
    long left = key.ask(NOON, 0).remaining();
    for (int i = 0; i <= random.nextInt(3); i++) {
      String period = random.nextBoolean() ? "day" : "year";
      key.change(NOON, rate, Limit.parse(form.formatted(1 + random.nextInt(20), period)));
      assertThat(key.take(NOON, 1).allowed()).isFalse();
    }
    key.change(NOON, rate, limit);
    assertThat(key.ask(NOON, 0).remaining()).isEqualTo(left);
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void giveBack_unitsOfFractionsOfANanosecond_isExactToANanosecondAndNeverMore(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Limit limit = Limit.parse("700000001/s burst 1000000");
    PureKey key = new PureKey(Algorithm.GCRA, limit);
    Oracle oracle = Oracle.of("gcra", limit);
    long now = NOON;
    for (int i = 0; i < 50; i++) {
      long cost = 1L + random.nextInt(50);
      long ticket = key.take(now, cost).ticket();
      oracle.take(now, cost);
      now += random.nextInt(40);
      key.giveBack(now, cost, ticket);
      oracle.cancel(now, cost, ticket);
      long exact = oracle.take(now, 0).resetAfterNanos();
      assertThat(key.ask(now, 0).resetAfterNanos()).isBetween(exact, exact + 1 + i);
    }
  }
}
