package io.penstock.server.resp;

import io.penstock.core.Limit;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The limits that came with commands lately, since making one costs more than deciding by it.
 * Confined to one event loop. Holds a fixed number: one that is met again replaces what was in its
 * place.
 */
final class Limits {
  private static final int PLACES_LOG = 8;

  /** The longest period that a limit can have: 73 years. */
  private static final long PERIOD_SECONDS_MAX = 2_305_843_009L;

  private record Known(long burst, long count, long period, Limit limit) {}

  private final @Nullable Known[] places = new @Nullable Known[1 << PLACES_LOG];

  /** The limit of {@code count} per period, with room for {@code maxBurst} besides the one. */
  Limit of(long maxBurst, long count, long periodSeconds) {
    long mixed = ((31 * maxBurst + count) * 31 + periodSeconds) * 0x9E3779B97F4A7C15L;
    int place = (int) (mixed >>> (Long.SIZE - PLACES_LOG));
    Known known = places[place];
    if (known != null
        && known.burst == maxBurst
        && known.count == count
        && known.period == periodSeconds) {
      return known.limit;
    }
    Limit limit = make(maxBurst, count, periodSeconds);
    places[place] = new Known(maxBurst, count, periodSeconds, limit);
    return limit;
  }

  private static Limit make(long maxBurst, long count, long periodSeconds) {
    if (maxBurst < 0 || maxBurst == Long.MAX_VALUE) {
      throw RefusedException.value("max_burst", Long.toString(maxBurst), ">= 0, below 2^63 - 1");
    }
    if (count < 1) {
      throw RefusedException.value("count", Long.toString(count), ">= 1");
    }
    if (periodSeconds < 1 || periodSeconds > PERIOD_SECONDS_MAX) {
      String expected = "1.." + PERIOD_SECONDS_MAX;
      throw RefusedException.value("period", Long.toString(periodSeconds), expected);
    }
    try {
      return Limit.of(count, Duration.ofSeconds(periodSeconds)).withBurst(maxBurst + 1);
    } catch (IllegalArgumentException e) {
      throw new RefusedException("ERR " + e.getMessage());
    }
  }
}
