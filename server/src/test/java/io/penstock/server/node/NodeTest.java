package io.penstock.server.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a check is answered, whatever protocol it comes by. */
class NodeTest {
  private static final String TEN_A_DAY = "{\"limits\":[\"10/day\"]}";

  private final Bench bench = new Bench();

  private static CheckRequest request(@Nullable String id, long cost, Descriptor... keys) {
    List<Asked> asked = List.of(keys).stream().map(key -> new Asked(key, cost, null)).toList();
    return new CheckRequest("api", asked, id, /* mayRefund= */ false);
  }

  @Test
  void check_noPolicy_isAllowedAndSaysSo() {
    Answer answer = bench.check(1, "user", "42");
    assertThat(answer.allowed()).isTrue();
    assertThat(answer.why()).isEqualTo(Why.NO_POLICY);
    assertThat(answer.part().policy()).isNull();
  }

  @Test
  void check_untilUsedUp_tellsWhatIsLeftAndWhenThereIsMore() {
    bench.policy("api/user", TEN_A_DAY);
    Answer taken = bench.check(8, "user", "42");
    assertThat(taken.remaining()).isEqualTo(2);
    assertThat(requireNonNull(taken.part().meter()).moreAfterNanos())
        .as("one comes back, and eight take eight times as long")
        .isEqualTo(taken.resetAfterNanos() / 8);
    Answer denied = bench.check(3, "user", "42");
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.why()).isEqualTo(Why.LIMITED);
    assertThat(denied.remaining()).isEqualTo(2);
    assertThat(denied.retryAfterNanos()).isEqualTo(Duration.ofHours(24).toNanos() / 10);
    assertThat(bench.check(2, "user", "42").remaining()).isZero();
    assertThat(bench.check(11, "user", "42").why()).isEqualTo(Why.NEVER);
    assertThat(bench.check(1, "user", "43").remaining()).as("another key").isEqualTo(9);
  }

  @Test
  void check_severalDescriptors_allOrNothing() {
    bench.policy("api/user", TEN_A_DAY).policy("api/org", "{\"limits\":[\"5/day\"]}");
    Descriptor user = Descriptor.of("user", "42");
    Descriptor org = Descriptor.of("org", "7");
    assertThat(bench.check(request(null, 5, user, org)).remaining()).isZero();
    Answer denied = bench.check(request(null, 1, user, org));
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.part().policy()).isEqualTo("api/org");
    assertThat(denied.parts().get(0).allowed()).isTrue();
    assertThat(bench.check(0, "user", "42").remaining()).as("untouched").isEqualTo(5);
  }

  @Test
  void check_sameDescriptorTwice_isCountedTwice() {
    bench.policy("api/user", TEN_A_DAY);
    Descriptor user = Descriptor.of("user", "42");
    assertThat(bench.check(request(null, 6, user, user)).allowed()).isFalse();
    assertThat(bench.check(request(null, 5, user, user)).remaining()).isZero();
  }

  @Test
  void shadow_usedUp_allowsAndSaysSoUntilItIsSwitchedOff() {
    bench.policy("api/user", "{\"limits\":[\"10/day\"],\"shadow\":true}");
    assertThat(bench.check(10, "user", "42").why()).isEqualTo(Why.OK);
    Answer answer = bench.check(1, "user", "42");
    assertThat(answer.allowed()).isTrue();
    assertThat(answer.why()).isEqualTo(Why.SHADOW);
    assertThat(answer.remaining()).isZero();
    bench.policy("api/user", TEN_A_DAY);
    assertThat(bench.check(1, "user", "42").allowed()).isFalse();
  }

  @Test
  void check_disabledOrUnlimited_countsNothing() {
    bench.policy("api/user", "{\"limits\":[\"1/day\"],\"enabled\":false}");
    bench.policy("api/org", "{\"unlimited\":true}");
    for (int i = 0; i < 3; i++) {
      assertThat(bench.check(1, "user", "42").why()).isEqualTo(Why.DISABLED);
      assertThat(bench.check(1, "org", "42").why()).isEqualTo(Why.UNLIMITED);
    }
  }

  /** The shard of this test has no folder, as if its disk were away (R10). */
  @Test
  void r10_diskIsAway_strictFailsClosedAndTheOthersDecideInMemory() {
    bench.policy("api/user", TEN_A_DAY);
    bench.policy("api/org", "{\"limits\":[\"10/day\"],\"consistency\":\"strict\"}");
    assertThat(bench.check(1, "user", "42").durability()).isEqualTo(Durability.MEMORY);
    Answer both =
        bench.check(request(null, 1, Descriptor.of("user", "42"), Descriptor.of("org", "7")));
    assertThat(both.allowed()).isFalse();
    assertThat(both.why()).isEqualTo(Why.FAIL_CLOSED);
    assertThat(both.parts().get(0).why()).isEqualTo(Why.OK);
    assertThat(bench.check(0, "user", "42").remaining()).as("untouched").isEqualTo(9);
    bench.policy(
        "api/org", "{\"limits\":[\"10/day\"],\"consistency\":\"strict\",\"failMode\":\"open\"}");
    Answer open = bench.check(1, "org", "7");
    assertThat(open.remaining()).isEqualTo(9);
    assertThat(open.durability()).isEqualTo(Durability.MEMORY);
  }

  @Test
  void check_sameRequestId_getsTheFirstAnswerAndConsumesNothing() {
    bench.policy("api/user", TEN_A_DAY);
    Descriptor user = Descriptor.of("user", "42");
    Answer first = bench.check(request("a", 6, user));
    Answer again = bench.check(request("a", 6, user));
    assertThat(again.duplicate()).isTrue();
    assertThat(again.remaining()).isEqualTo(first.remaining()).isEqualTo(4);
    assertThat(bench.check(request("b", 6, user)).allowed()).isFalse();
    bench.clock.advance(Duration.ofDays(1));
    assertThat(bench.check(request("b", 6, user)).duplicate()).as("a denial is not kept").isFalse();
    assertThat(bench.check(request("a", 6, Descriptor.of("user", "43"))).duplicate()).isFalse();
  }

  @Test
  void check_refund_needsAPolicyThatAllowsIt() {
    bench.policy("api/user", TEN_A_DAY);
    Descriptor user = Descriptor.of("user", "42");
    bench.check(request(null, 6, user));
    assertThatThrownBy(() -> bench.check(request(null, -5, user)))
        .isInstanceOf(RefundRefusedException.class);
    bench.policy("api/user", "{\"limits\":[\"10/day\"],\"refunds\":true}");
    assertThat(bench.check(request(null, -5, user)).remaining()).isEqualTo(9);
    assertThat(bench.check(request(null, Long.MIN_VALUE, user)).remaining()).isEqualTo(10);
  }

  @Test
  void reserve_committedOrCancelled_settlesTheDifferenceOnce() {
    bench.policy("api/user", TEN_A_DAY);
    CheckRequest six = request(null, 6, Descriptor.of("user", "42"));
    Held held = Bench.now(done -> bench.node.reserve(six, 60_000, done));
    String id = requireNonNull(held.id());
    assertThat(this.<Settled>call(done -> bench.node.commit(id, 2, done))).isEqualTo(Settled.DONE);
    assertThat(this.<Settled>call(done -> bench.node.commit(id, 2, done))).isEqualTo(Settled.DONE);
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(8);
    Held other = Bench.now(done -> bench.node.reserve(six, 60_000, done));
    String otherId = requireNonNull(other.id());
    this.<Settled>call(done -> bench.node.cancel(otherId, done));
    this.<Settled>call(done -> bench.node.cancel(otherId, done));
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(8);
    Held late = Bench.now(done -> bench.node.reserve(six, 1_000, done));
    bench.clock.advance(Duration.ofSeconds(1));
    assertThat(this.<Settled>call(done -> bench.node.cancel(requireNonNull(late.id()), done)))
        .isEqualTo(Settled.OVER);
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(2);
    assertThat(this.<Settled>call(done -> bench.node.cancel("nonsense", done)))
        .isEqualTo(Settled.UNKNOWN);
  }

  @Test
  void reserve_sameRequestId_holdsOnce() {
    bench.policy("api/user", TEN_A_DAY);
    CheckRequest six = request("a", 6, Descriptor.of("user", "42"));
    Held first = Bench.now(done -> bench.node.reserve(six, 60_000, done));
    Held again = Bench.now(done -> bench.node.reserve(six, 60_000, done));
    assertThat(again.id()).isNotNull().isEqualTo(first.id());
    assertThat(again.answer().duplicate()).isTrue();
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(4);
    assertThat(bench.check(request("a", 1, Descriptor.of("user", "42"))).duplicate())
        .as("a check is another request")
        .isFalse();
  }

  @Test
  void acquire_noLeaseGiven_lastsAsLongAsTheLimitSays() {
    bench.policy(
        "api/job", "{\"limits\":[\"1 concurrent lease 5s\"],\"algorithm\":\"concurrency\"}");
    CheckRequest one = request(null, 1, Descriptor.of("job", "x"));
    Held held = Bench.now(done -> bench.node.acquire(one, Node.LEASE_OF_POLICY, done));
    bench.clock.advance(Duration.ofSeconds(4));
    String id = requireNonNull(held.id());
    assertThat(this.<Settled>call(done -> bench.node.renew(id, done))).isEqualTo(Settled.DONE);
    bench.clock.advance(Duration.ofSeconds(4));
    assertThat(bench.check(0, "job", "x").remaining()).isZero();
    bench.clock.advance(Duration.ofSeconds(1));
    assertThat(bench.check(0, "job", "x").remaining()).isEqualTo(1);
  }

  private <T> T call(java.util.function.Consumer<Asker<T>> call) {
    return Bench.now(call);
  }

  @Test
  void acquire_concurrent_isFreedByReleaseOrByTheEndOfItsLease() {
    bench.policy(
        "api/job", "{\"limits\":[\"2 concurrent lease 30s\"],\"algorithm\":\"concurrency\"}");
    CheckRequest one = request(null, 1, Descriptor.of("job", "x"));
    Held first = Bench.now(done -> bench.node.acquire(one, 500, done));
    Held second = Bench.now(done -> bench.node.acquire(one, 60_000, done));
    assertThat(Bench.<Held>now(done -> bench.node.acquire(one, 500, done)).id()).isNull();
    bench.clock.advance(Duration.ofMillis(400));
    String id = requireNonNull(first.id());
    assertThat(this.<Settled>call(done -> bench.node.renew(id, done))).isEqualTo(Settled.DONE);
    bench.clock.advance(Duration.ofMillis(400));
    assertThat(bench.check(0, "job", "x").remaining()).as("renewed").isZero();
    bench.clock.advance(Duration.ofMillis(100));
    assertThat(bench.check(0, "job", "x").remaining()).as("ended").isEqualTo(1);
    this.<Settled>call(done -> bench.node.release(requireNonNull(second.id()), done));
    assertThat(bench.check(0, "job", "x").remaining()).isEqualTo(2);
    assertThat(this.<Settled>call(done -> bench.node.renew(id, done))).isEqualTo(Settled.OVER);
  }

  @Test
  void block_untilAnInstant_deniesAndIsOverThen() {
    bench.policy("api/user", TEN_A_DAY);
    List<Descriptor> keys = List.of(Descriptor.of("user", "42"));
    long until = bench.clock.nanos() / 1_000_000 + 5_000;
    this.<Durability>call(done -> bench.node.block("api", keys, until, done));
    Answer answer = bench.check(1, "user", "42");
    assertThat(answer.allowed()).isFalse();
    assertThat(answer.why()).isEqualTo(Why.BLOCKED);
    assertThat(answer.retryAfterNanos()).isBetween(4_999_000_000L, 5_001_000_000L);
    Answer look = bench.check(0, "user", "42");
    assertThat(look.allowed()).as("looking is never denied").isTrue();
    assertThat(look.why()).isEqualTo(Why.BLOCKED);
    this.<Durability>call(
        done -> bench.node.block("api", List.of(Descriptor.of("no", "policy")), until, done));
    assertThat(bench.check(1, "no", "policy").retryAfterNanos()).isGreaterThan(4_000_000_000L);
    bench.clock.advance(Duration.ofSeconds(6));
    assertThat(bench.check(1, "user", "42").remaining()).isEqualTo(9);
  }

  @Test
  void override_untilAnInstant_continuesBothWays() {
    bench.policy("api/user", TEN_A_DAY);
    List<Descriptor> keys = List.of(Descriptor.of("user", "42"));
    bench.check(8, "user", "42");
    long until = bench.clock.nanos() / 1_000_000 + 5_000;
    this.<Durability>call(
        done -> bench.node.override("api", keys, List.of(Limit.parse("100/day")), until, done));
    assertThat(bench.check(1, "user", "42").remaining()).isEqualTo(91);
    bench.clock.advance(Duration.ofSeconds(6));
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(1);
  }

  @Test
  void reset_key_isFull() {
    bench.policy("api/user", TEN_A_DAY);
    CheckRequest six = request(null, 6, Descriptor.of("user", "42"));
    Held held = Bench.now(done -> bench.node.reserve(six, 60_000, done));
    List<Descriptor> keys = List.of(Descriptor.of("user", "42"));
    this.<Durability>call(done -> bench.node.reset("api", keys, done));
    assertThat(bench.check(5, "user", "42").remaining()).isEqualTo(5);
    this.<Settled>call(done -> bench.node.cancel(requireNonNull(held.id()), done));
    assertThat(bench.check(0, "user", "42").remaining())
        .as("what was reserved before is gone already")
        .isEqualTo(5);
  }

  private Throttled throttle(long hash, Limit limit, long cost) {
    return requireNonNull(
        bench.node.throttle(
            hash,
            limit,
            cost,
            bench.node.nanos(),
            () -> {
              throw new AssertionError("alone, every answer comes at once");
            }));
  }

  @Test
  void throttle_limitOfTheRequest_countsByKey() {
    byte[] key = "user:42".getBytes(UTF_8);
    long hash = bench.node.hash(key, 0, key.length);
    Limit limit = Limit.parse("30/min burst 16");
    Throttled first = throttle(hash, limit, 16);
    assertThat(first.allowed()).isTrue();
    assertThat(first.remaining()).isZero();
    assertThat(throttle(hash, limit, 1).retryAfterNanos()).isEqualTo(2_000_000_000L);
    assertThat(this.<Boolean>call(done -> bench.node.forget(hash, done))).isTrue();
    assertThat(this.<Boolean>call(done -> bench.node.forget(hash, done))).isFalse();
    assertThat(throttle(hash, limit, 1).remaining()).isEqualTo(15);
  }

  @Test
  void check_limitOfTheRequest_takesThePlaceOfThePolicy() {
    bench.policy("api/user", TEN_A_DAY);
    Asked asked = new Asked(Descriptor.of("user", "42"), 2, Limit.parse("3/hour"));
    CheckRequest request = new CheckRequest("api", List.of(asked), null, false);
    assertThat(bench.check(request).remaining()).isEqualTo(1);
    assertThat(bench.check(request).allowed()).isFalse();
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(10);
  }
}
