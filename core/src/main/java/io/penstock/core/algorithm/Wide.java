package io.penstock.core.algorithm;

/**
 * Products that need 128 bits on the way to a 64-bit answer.
 *
 * <p>Every function is exact or saturates at {@link #MAX}: nothing here wraps around.
 */
public final class Wide {
  /** The largest answer; 73 years in nanoseconds. No debt and no capacity is ever longer. */
  public static final long MAX = 1L << 61;

  private Wide() {}

  /**
   * {@code floor((a * b + c) / d)} for non-negative arguments with d >= 1; at most {@link #MAX}.
   */
  public static long mulAddDiv(long a, long b, long c, long d) {
    long high = Math.multiplyHigh(a, b);
    long low = a * b;
    if (high == 0 && low >= 0 && low <= Long.MAX_VALUE - c) {
      return Math.min((low + c) / d, MAX);
    }
    long sum = low + c;
    if (Long.compareUnsigned(sum, low) < 0) {
      high++;
    }
    return Long.compareUnsigned(high, d) >= 0 ? MAX : clamp(divide(high, sum, d));
  }

  /** {@code ceil(a * b / d)} for non-negative arguments with d >= 1; at most {@link #MAX}. */
  public static long mulDivCeil(long a, long b, long d) {
    return mulAddDiv(a, b, d - 1, d);
  }

  /** {@code a + b} for non-negative arguments, at most {@link Long#MAX_VALUE}. */
  public static long add(long a, long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  private static long clamp(long unsigned) {
    return unsigned < 0 ? MAX : Math.min(unsigned, MAX);
  }

  /** Schoolbook division of (high, low) by d, bit by bit; high < d, so the quotient fits. */
  private static long divide(long high, long low, long d) {
    long rest = high;
    long quotient = 0;
    for (int bit = 63; bit >= 0; bit--) {
      rest = (rest << 1) | ((low >>> bit) & 1);
      quotient <<= 1;
      if (Long.compareUnsigned(rest, d) >= 0) {
        rest -= d;
        quotient |= 1;
      }
    }
    return quotient;
  }
}
