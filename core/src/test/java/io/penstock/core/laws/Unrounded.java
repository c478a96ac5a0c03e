package io.penstock.core.laws;

import io.penstock.core.Limit;
import java.math.BigInteger;

/** The used units of a bucket as a fraction that is never rounded. Not thread-safe. */
final class Unrounded {
  private Limit limit;
  private long at;
  private BigInteger over;
  private BigInteger under = BigInteger.ONE;

  Unrounded(Limit limit, long at, long used) {
    this.limit = limit;
    this.at = at;
    this.over = BigInteger.valueOf(used);
  }

  void change(Limit to, long now) {
    BigInteger unit = BigInteger.valueOf(limit.unitNumerator());
    BigInteger gone =
        BigInteger.valueOf(now - at).multiply(BigInteger.valueOf(limit.unitDenominator()));
    over = over.multiply(unit).subtract(gone.multiply(under)).max(BigInteger.ZERO);
    under = under.multiply(unit);
    BigInteger common = over.gcd(under);
    over = over.divide(common);
    under = under.divide(common);
    limit = to;
    at = now;
  }

  /** How long these units take to come back, rounded up. */
  long debtNanos() {
    BigInteger[] nanos =
        over.multiply(BigInteger.valueOf(limit.unitNumerator()))
            .divideAndRemainder(under.multiply(BigInteger.valueOf(limit.unitDenominator())));
    return nanos[0].longValueExact() + nanos[1].signum();
  }
}
