package io.penstock.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Policies that admit nothing. */
class BlockedTest {
  private static final String BLOCKED = "{\"blocked\":true}";

  private final Bench bench = new Bench();

  @Test
  void check_blockedPolicy_isDeniedForever() {
    bench.policy("api/ip", "{\"limits\":[\"10/day\"]}").policy("api/ip=6.6.6.6", BLOCKED);
    Answer denied = bench.check(1, "ip", "6.6.6.6");
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.why()).isEqualTo(Why.BLOCKED);
    assertThat(denied.limit()).isZero();
    assertThat(denied.remaining()).isZero();
    assertThat(denied.retryAfterNanos()).isEqualTo(Long.MAX_VALUE);
    assertThat(denied.part().policy()).isEqualTo("api/ip=6.6.6.6");
    assertThat(bench.check(1, "ip", "7.7.7.7").allowed()).isTrue();
    bench.policy("api/ip=6.6.6.6", null);
    assertThat(bench.check(1, "ip", "6.6.6.6").allowed()).isTrue();
  }

  @Test
  void check_besideABlockedDescriptor_takesNothing() {
    bench.policy("api/user", "{\"limits\":[\"10/day\"]}").policy("api/ip", BLOCKED);
    List<Descriptor> both = List.of(Descriptor.of("user", "42"), Descriptor.of("ip", "6.6.6.6"));
    Answer denied = bench.check(CheckRequest.of("api", both, 1));
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.parts()).extracting(Part::allowed).containsExactly(true, false);
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(10);
  }

  @Test
  void check_lookingShadowOrDisabled_isAllowed() {
    bench.policy("api/ip", BLOCKED);
    Answer look = bench.check(0, "ip", "1");
    assertThat(look.allowed()).isTrue();
    assertThat(look.why()).isEqualTo(Why.BLOCKED);
    bench.policy("api/ip", "{\"blocked\":true,\"shadow\":true}");
    assertThat(bench.check(1, "ip", "1").allowed()).isTrue();
    assertThat(bench.check(1, "ip", "1").why()).isEqualTo(Why.SHADOW);
    bench.policy("api/ip", "{\"blocked\":true,\"enabled\":false}");
    assertThat(bench.check(1, "ip", "1").why()).isEqualTo(Why.DISABLED);
  }

  @Test
  void check_limitOfARequestOrAnOverride_goesBeforeABlockedPolicy() {
    bench.policy("api/ip", BLOCKED);
    Descriptor key = Descriptor.of("ip", "1");
    Asked given = new Asked(key, /* cost= */ 1, Limit.parse("5/s"));
    CheckRequest request = new CheckRequest("api", List.of(given), null, /* mayRefund= */ false);
    assertThat(bench.check(request).remaining()).isEqualTo(4);
    long until = 1 + bench.clock.nanos() / 1_000_000;
    Bench.<Durability>now(
        done -> bench.node.override("api", List.of(key), List.of(Limit.parse("3/s")), until, done));
    assertThat(bench.check(1, "ip", "1").remaining()).isEqualTo(2);
  }
}
