package io.penstock.server.fields;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Limit;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Durability;
import io.penstock.server.node.Meter;
import io.penstock.server.node.Part;
import io.penstock.server.node.Why;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateLimitFieldsTest {
  private static final long SECOND = 1_000_000_000;

  private static Meter meter(String limit) {
    return new Meter(Limit.parse(limit), /* denied= */ false, 7, 0, 2 * SECOND, 2 * SECOND);
  }

  private static Answer answer(@Nullable String scope, Meter... meters) {
    boolean allowed = Arrays.stream(meters).noneMatch(Meter::denied);
    Why why = allowed ? Why.OK : Why.LIMITED;
    Part part = new Part(allowed, scope, 1, why, meters.length - 1, List.of(meters), Part.AS_METER);
    return new Answer(allowed, 0, List.of(part), 0, Durability.FAST, "n1", /* duplicate= */ false);
  }

  @ParameterizedTest
  @CsvSource({
    "100/s burst 200, q=100;w=1",
    "10000/day, q=10000;w=86400",
    "5/250ms, q=20;w=1",
    "3/1500ms, q=4;w=2",
    "1/1001ms, q=1;w=2",
    "7/3s, q=7;w=3",
    "9/month, q=9;w=2592000",
    "9/month Europe/Paris, q=9;w=2592000",
    "50 concurrent lease 30s, q=50",
    "1000000000000000/year, q=999999999999999;w=31536000"
  })
  void policy_period_isToldInWholeSeconds(String limit, String parameters) {
    assertThat(RateLimitFields.policy(answer("api/user", meter(limit))))
        .isEqualTo("\"api/user\";" + parameters);
  }

  @Test
  void policy_severalLimits_haveNamesOfTheirOwn() {
    Answer answer = answer("a/b", meter("1/s"), meter("9/30s"), meter("2 concurrent lease 30s"));
    assertThat(RateLimitFields.policy(answer))
        .isEqualTo("\"a/b#s\";q=1;w=1, \"a/b#30s\";q=9;w=30, \"a/b#concurrent-30s\";q=2");
    assertThat(RateLimitFields.state(answer))
        .isEqualTo("\"a/b#s\";r=7;t=2, \"a/b#30s\";r=7;t=2, \"a/b#concurrent-30s\";r=7;t=2");
  }

  @Test
  void policy_anyTextInTheScope_isAValidString() {
    assertThat(RateLimitFields.policy(answer("a/b=\"\\,;\u0000é😀\r\n", meter("1/s"))))
        .isEqualTo("\"a/b=\\\"\\\\,;%00%C3%A9%F0%9F%98%80%0D%0A\";q=1;w=1");
    assertThat(RateLimitFields.policy(answer(null, meter("1/s")))).startsWith("\"request\";");
  }

  @Test
  void state_deniedLimit_tellsItsWaitAndIsNamed() {
    Meter denied = new Meter(Limit.parse("5/min"), true, 0, SECOND + 1, 60 * SECOND, SECOND + 1);
    Answer answer = answer("a/b", meter("1/s"), denied);
    assertThat(RateLimitFields.state(answer)).isEqualTo("\"a/b#s\";r=7;t=2, \"a/b#min\";r=0;t=2");
    assertThat(RateLimitFields.violated(answer)).containsExactly("a/b#min");
    assertThat(RateLimitFields.retryAfterSeconds(answer)).isEqualTo(2);
    assertThat(RateLimitFields.resetSeconds(answer)).isEqualTo(60);
  }

  @ParameterizedTest
  @CsvSource({"1,1", "999999999,1", "1000000000,1", "1000000001,2", "0,1"})
  void retryAfter_anyWait_isRoundedUpAndNeverZero(long nanos, long seconds) {
    Meter denied = new Meter(Limit.parse("5/min"), true, 0, nanos, nanos, nanos);
    assertThat(RateLimitFields.retryAfterSeconds(answer("a/b", denied))).isEqualTo(seconds);
  }

  @Test
  void retryAfter_noWaitingHelps_isADay() {
    Meter never = new Meter(Limit.parse("5/min"), true, 5, Long.MAX_VALUE, 0, 0);
    assertThat(RateLimitFields.retryAfterSeconds(answer("a/b", never))).isEqualTo(86_400);
    assertThat(RateLimitFields.state(answer("a/b", never))).isEqualTo("\"a/b\";r=5;t=0");
  }

  /** As in the Redis protocol: three thirds of a second, each rounded up, are a second. */
  @Test
  void reset_intervalRoundedUp_addsNoSecond() {
    Meter used = new Meter(Limit.parse("3/s"), /* denied= */ false, 0, 0, SECOND + 2, 1);
    assertThat(RateLimitFields.resetSeconds(answer("a/b", used))).isEqualTo(1);
    Meter window = new Meter(Limit.parse("3/s"), /* denied= */ false, 0, 0, SECOND + 2000, 1);
    assertThat(RateLimitFields.resetSeconds(answer("a/b", window))).isEqualTo(2);
  }

  @Test
  void fields_nothingCounted_areNotDue() {
    assertThat(RateLimitFields.areDue(answer("a/b"))).isFalse();
    assertThat(RateLimitFields.areDue(answer("a/b", meter("1/s")))).isTrue();
  }
}
