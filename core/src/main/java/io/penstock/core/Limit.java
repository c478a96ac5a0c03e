package io.penstock.core;

import io.penstock.core.algorithm.Wide;
import java.math.BigInteger;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One rate, {@code 100/s burst 200}, {@code 10000/day Europe/Paris}, or one bound on what is held
 * at the same time, {@code 50 concurrent lease 30s}. Immutable.
 *
 * <p>This class alone knows the text form: {@link #parse} reads it and {@link #toString} gives it
 * back letter for letter. Equality ignores how the numbers were written: {@code 007/1s} equals
 * {@code 7/s}, but {@code 60s} is another period than {@code min}.
 */
public final class Limit {
  /** A unit of a period. A month has 30 days and a year 365, except as a calendar window. */
  public enum Unit {
    MS(1_000_000L),
    S(1_000_000_000L),
    MIN(60 * S.nanos),
    HOUR(60 * MIN.nanos),
    DAY(24 * HOUR.nanos),
    WEEK(7 * DAY.nanos),
    MONTH(30 * DAY.nanos),
    YEAR(365 * DAY.nanos);

    final long nanos;

    Unit(long nanos) {
      this.nanos = nanos;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The fastest that a limit can be: one in a nanosecond. */
  public static final long PER_SECOND_MAX = 1_000_000_000;

  /** How much slower than asked a rate may be, as a divisor, so that its interval is whole. */
  private static final long RATE_ERROR_DIVISOR = 1_000_000;

  private final long count;
  private final long amount;
  private final Unit unit;
  private final long burst;
  private final long capacity;
  private final @Nullable ZoneId zone;
  private final boolean concurrent;
  private final String text;
  private final int hash;

  private final long unitNumerator;
  private final long unitDenominator;
  private final long capacityNanos;
  private final Windows windows;

  Limit(LimitText parts) {
    this.count = Checks.atLeast("count", parts.count, 1);
    this.unit = parts.unit;
    this.amount = parts.amount;
    this.burst = parts.burst == LimitText.NONE ? LimitText.NONE : atLeastOne(parts.burst);
    this.capacity = burst == LimitText.NONE ? count : burst;
    this.zone = parts.zone;
    this.concurrent = parts.concurrent;
    if (amount < 1 || amount > Wide.MAX / unit.nanos) {
      String most = "1" + unit + ".." + Wide.MAX / unit.nanos + unit;
      throw Checks.bad(concurrent ? "lease" : "period", amount + unit.toString(), most);
    }
    this.text = parts.print();
    this.hash = Objects.hash(count, amount, unit, burst, concurrent, zone);
    if (count > periodNanos()) {
      throw Checks.bad("count", count, "<= " + periodNanos() + " for a period of " + period());
    }
    long interval = ceilDiv(periodNanos(), count);
    boolean whole = interval * count - periodNanos() <= periodNanos() / RATE_ERROR_DIVISOR;
    long common = BigInteger.valueOf(periodNanos()).gcd(BigInteger.valueOf(count)).longValue();
    this.unitNumerator = whole ? interval : periodNanos() / common;
    this.unitDenominator = whole ? 1 : count / common;
    this.capacityNanos = Wide.mulDivCeil(capacity(), unitNumerator, unitDenominator);
    if (capacityNanos >= Wide.MAX) {
      long most = Wide.mulAddDiv(Wide.MAX - 1, unitDenominator, 0, unitNumerator);
      throw Checks.bad("burst", capacity(), "<= " + most + " for " + count + "/" + period());
    }
    this.windows = Windows.of(this);
  }

  /**
   * Reads {@code COUNT/PERIOD[ burst N][ ZONE]} or {@code COUNT concurrent lease PERIOD}, with one
   * space where the form has one and no other.
   */
  public static Limit parse(String text) {
    return new Limit(LimitText.parse(Checks.given("text", text, "a limit, as 100/s")));
  }

  /** A rate of {@code count} per {@code period}, which must be whole milliseconds. */
  public static Limit of(long count, Duration period) {
    return new Limit(LimitText.rate(count, Checks.given("period", period, "a duration")));
  }

  /**
   * At most {@code count} held at the same time; each is freed after {@code lease} at the latest.
   */
  public static Limit concurrent(long count, Duration lease) {
    return new Limit(LimitText.concurrent(count, Checks.given("lease", lease, "a duration")));
  }

  /** This limit with room for {@code burst} at once. */
  public Limit withBurst(long burst) {
    return new Limit(LimitText.of(this).burst(atLeastOne(burst)));
  }

  public long count() {
    return count;
  }

  /** The length of the period, or of a lease; a month counts as 30 days and a year as 365. */
  public long periodNanos() {
    return amount * unit.nanos;
  }

  /** The period as written in a limit: {@code s}, {@code 15min}, {@code month}. */
  public String period() {
    return amount == 1 ? unit.toString() : amount + unit.toString();
  }

  /**
   * What fits at once: the burst if one was given, else the count. A queue lets so many wait beside
   * the one that runs: {@code 10/s burst 10} lets 11 in at once.
   */
  public long capacity() {
    return capacity;
  }

  public boolean hasBurst() {
    return burst != LimitText.NONE;
  }

  public boolean isConcurrent() {
    return concurrent;
  }

  /** The zone of a calendar window, or null. */
  public @Nullable ZoneId zone() {
    return zone;
  }

  /** One unit takes {@code unitNumerator() / unitDenominator()} nanoseconds to come back. */
  public long unitNumerator() {
    return unitNumerator;
  }

  /** 1 when a whole number of nanoseconds is at most a millionth slower than the rate asked for. */
  public long unitDenominator() {
    return unitDenominator;
  }

  /** How long the whole capacity takes to come back, rounded up. */
  public long capacityNanos() {
    return capacityNanos;
  }

  /** The start of the aligned window that holds {@code nowNanos}. */
  public long windowStart(long nowNanos) {
    return windows.start(nowNanos);
  }

  /** The end of the aligned window that holds {@code nowNanos}; the first instant of the next. */
  public long windowEnd(long nowNanos) {
    return windows.end(nowNanos);
  }

  /** The end of the window after the one that holds {@code nowNanos}. */
  public long nextWindowEnd(long nowNanos) {
    return windows.nextEnd(nowNanos);
  }

  /** Whether this window, and the one after it, are the same for another limit. */
  public boolean hasSameWindows(Limit other, long nowNanos) {
    Checks.given("other", other, "a limit");
    return windowStart(nowNanos) == other.windowStart(nowNanos)
        && windowEnd(nowNanos) == other.windowEnd(nowNanos)
        && nextWindowEnd(nowNanos) == other.nextWindowEnd(nowNanos);
  }

  long amount() {
    return amount;
  }

  Unit unit() {
    return unit;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Limit that
        && count == that.count
        && amount == that.amount
        && unit == that.unit
        && burst == that.burst
        && concurrent == that.concurrent
        && Objects.equals(zone, that.zone);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return text;
  }

  private static long atLeastOne(long burst) {
    return Checks.atLeast("burst", burst, 1);
  }

  private static long ceilDiv(long a, long b) {
    return -Math.floorDiv(-a, b);
  }
}
