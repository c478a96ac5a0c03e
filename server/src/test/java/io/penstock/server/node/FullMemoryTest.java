package io.penstock.server.node;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What is told where there is no memory for one more counter: by the fail mode, and nothing else.
 */
class FullMemoryTest {
  private static final int KEYS_MAX = 1_000_000;

  private final Bench bench = Bench.small();

  /** Uses up the memory, for a minute. */
  private void fill() {
    bench.policy("api/other", "{\"limits\":[\"1/min\"]}");
    for (int i = 0; i < KEYS_MAX; i++) {
      if (bench.check(1, "other", "" + i).why() == Why.FAIL_OPEN) {
        return;
      }
    }
    throw new AssertionError("memory: not full (expected: after " + KEYS_MAX + " keys)");
  }

  /** Some key for which there is no room: some have a stripe with a free slot still. */
  private String fullKey(String key) {
    for (int i = 0; i < KEYS_MAX; i++) {
      Why why = bench.check(1, key, "" + i).why();
      if (why == Why.FAIL_OPEN || why == Why.FAIL_CLOSED) {
        return "" + i;
      }
    }
    throw new AssertionError("memory: not full for " + key);
  }

  @Test
  void check_failsClosed_tellsNoNumbersAndWhenToTryAgain() {
    bench.policy("api/user", "{\"limits\":[\"10/day\"],\"failMode\":\"closed\"}");
    fill();
    Answer answer = bench.check(1, "user", fullKey("user"));
    assertThat(answer.allowed()).isFalse();
    assertThat(answer.why()).isEqualTo(Why.FAIL_CLOSED);
    assertThat(answer.part().meters()).isEmpty();
    assertThat(answer.part().retryAfterNanos()).isEqualTo(Duration.ofSeconds(1).toNanos());
  }

  @Test
  void check_inShadow_isNeverDenied() {
    bench.policy("api/user", "{\"limits\":[\"10/day\"],\"failMode\":\"closed\",\"shadow\":true}");
    fill();
    assertThat(bench.check(1, "user", fullKey("user")).allowed()).isTrue();
  }

  @Test
  void reserve_passedWithoutBeingCounted_givesNothingBack() {
    bench.policy("api/user", "{\"limits\":[\"10/day\"]}");
    fill();
    String user = fullKey("user");
    String id = bench.reserve(6, "user", user);
    bench.clock.advance(Duration.ofMinutes(2));
    assertThat(bench.check(10, "user", user).why()).isEqualTo(Why.OK);
    bench.cancel(id);
    assertThat(bench.check(0, "user", user).remaining()).isZero();
  }

  @Test
  void check_passedWithoutBeingCounted_isNotRememberedByItsId() {
    bench.policy("api/user", "{\"limits\":[\"10/day\"]}");
    fill();
    CheckRequest request = request("id", fullKey("user"));
    assertThat(bench.check(request).why()).isEqualTo(Why.FAIL_OPEN);
    assertThat(bench.check(request).duplicate()).isFalse();
  }

  /** Whoever reads only the answer of the whole must see it, and so must metrics. */
  @Test
  void check_passedWithoutBeingCountedAfterOneThatNeedNotBe_saysSo() {
    bench.policy("api/user", "{\"limits\":[\"10/day\"]}");
    bench.policy("api/vip", "{\"unlimited\":true}");
    fill();
    Descriptor full = Descriptor.of("user", fullKey("user"));
    for (String other : List.of("nobody", "vip")) {
      List<Descriptor> both = List.of(Descriptor.of(other, "x"), full);
      Answer answer = bench.check(CheckRequest.of("api", both, 1));
      assertThat(answer.why()).as(other).isEqualTo(Why.FAIL_OPEN);
      assertThat(answer.part().policy()).as(other).isEqualTo("api/user");
    }
  }

  @Test
  void throttle_noRoom_isDeniedAndNothingIsSaidToBeLeft() {
    fill();
    Limit limit = Limit.parse("30/min burst 16");
    Throttled answer = throttle(0, limit);
    for (int i = 1; i < KEYS_MAX && answer.allowed(); i++) {
      answer = throttle(i, limit);
    }
    assertThat(answer.allowed()).isFalse();
    assertThat(answer.limit()).isEqualTo(16);
    assertThat(answer.remaining()).isZero();
    assertThat(answer.retryAfterNanos()).isEqualTo(Duration.ofSeconds(1).toNanos());
  }

  private Throttled throttle(int number, Limit limit) {
    byte[] key = ("key" + number).getBytes(US_ASCII);
    long hash = bench.node.hash(key, 0, key.length);
    Throttled answer =
        bench.node.throttle(
            hash,
            limit,
            /* cost= */ 1,
            bench.node.nanos(),
            () -> {
              throw new AssertionError("an answer that comes later");
            });
    return requireNonNull(answer);
  }

  private static CheckRequest request(String id, String user) {
    return new CheckRequest(
        "api",
        List.of(new Asked(Descriptor.of("user", user), 1, null)),
        id,
        /* mayRefund= */ false);
  }
}
