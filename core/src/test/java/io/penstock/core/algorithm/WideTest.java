package io.penstock.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class WideTest {
  private static final BigInteger MAX = BigInteger.valueOf(Wide.MAX);

  @Provide
  Arbitrary<Long> any() {
    return Arbitraries.oneOf(
        Arbitraries.longs().greaterOrEqual(0),
        Arbitraries.longs().between(0, 1_000_000_000),
        Arbitraries.longs().between(Wide.MAX - 10, Wide.MAX + 10),
        Arbitraries.longs().between(Long.MAX_VALUE - 10, Long.MAX_VALUE),
        Arbitraries.integers().between(0, 62).map(bits -> 1L << bits));
  }

  @Provide
  Arbitrary<Long> positive() {
    return any().filter(value -> value > 0);
  }

  @Property(tries = 20_000)
  void mulAddDiv_anyNumbers_isTheFloorOrSaturates(
      @ForAll("any") long a,
      @ForAll("any") long b,
      @ForAll("any") long c,
      @ForAll("positive") long d) {
    BigInteger exact = big(a).multiply(big(b)).add(big(c)).divide(big(d)).min(MAX);
    assertThat(Wide.mulAddDiv(a, b, c, d)).isEqualTo(exact.longValueExact());
  }

  @Property(tries = 20_000)
  void mulDivCeil_anyNumbers_isTheCeilingOrSaturates(
      @ForAll("any") long a, @ForAll("any") long b, @ForAll("positive") long d) {
    BigInteger[] parts = big(a).multiply(big(b)).divideAndRemainder(big(d));
    BigInteger exact = parts[0].add(BigInteger.valueOf(parts[1].signum())).min(MAX);
    assertThat(Wide.mulDivCeil(a, b, d)).isEqualTo(exact.longValueExact());
  }

  @Property
  void add_anyNumbers_isTheSumOrSaturates(@ForAll("any") long a, @ForAll("any") long b) {
    BigInteger exact = big(a).add(big(b)).min(BigInteger.valueOf(Long.MAX_VALUE));
    assertThat(Wide.add(a, b)).isEqualTo(exact.longValueExact());
  }

  private static BigInteger big(long value) {
    return BigInteger.valueOf(value);
  }
}
