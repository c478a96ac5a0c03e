package io.penstock.core.oracle;

import java.math.BigInteger;

/** A fraction of any size. Immutable. */
public record Ratio(BigInteger over, BigInteger under) implements Comparable<Ratio> {
  public static final Ratio ZERO = of(0);

  public static Ratio of(long whole) {
    return new Ratio(BigInteger.valueOf(whole), BigInteger.ONE);
  }

  public static Ratio of(long over, long under) {
    return new Ratio(BigInteger.valueOf(over), BigInteger.valueOf(under));
  }

  Ratio plus(Ratio other) {
    if (under.equals(other.under)) {
      return new Ratio(over.add(other.over), under);
    }
    return new Ratio(
        over.multiply(other.under).add(other.over.multiply(under)), under.multiply(other.under));
  }

  Ratio minus(Ratio other) {
    return plus(new Ratio(other.over.negate(), other.under));
  }

  Ratio times(Ratio other) {
    return new Ratio(over.multiply(other.over), under.multiply(other.under));
  }

  Ratio dividedBy(Ratio other) {
    return new Ratio(over.multiply(other.under), under.multiply(other.over));
  }

  Ratio reduced() {
    BigInteger common = over.gcd(under);
    return new Ratio(over.divide(common), under.divide(common));
  }

  Ratio max(Ratio other) {
    return compareTo(other) >= 0 ? this : other;
  }

  Ratio min(Ratio other) {
    return compareTo(other) <= 0 ? this : other;
  }

  /** The next multiple of {@code 1 / parts}, or this if it is one. */
  Ratio roundedUp(long parts) {
    return new Ratio(times(of(parts)).ceilExactly(), BigInteger.valueOf(parts));
  }

  long floor() {
    BigInteger[] parts = over.divideAndRemainder(under);
    return parts[1].signum() < 0
        ? parts[0].subtract(BigInteger.ONE).longValueExact()
        : parts[0].longValueExact();
  }

  public long ceil() {
    return ceilExactly().longValueExact();
  }

  private BigInteger ceilExactly() {
    BigInteger[] parts = over.divideAndRemainder(under);
    return parts[1].signum() > 0 ? parts[0].add(BigInteger.ONE) : parts[0];
  }

  @Override
  public int compareTo(Ratio other) {
    return under.equals(other.under)
        ? over.compareTo(other.over)
        : over.multiply(other.under).compareTo(other.over.multiply(under));
  }
}
