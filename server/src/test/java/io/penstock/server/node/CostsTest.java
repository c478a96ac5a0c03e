package io.penstock.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Limit;
import io.penstock.core.policy.Descriptor;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may give back, and beside what else. */
class CostsTest {
  private static final String REFUNDS = "{\"limits\":[\"10/day\"],\"refunds\":true}";

  private final Bench bench = new Bench();

  private static Asked user(long cost, @Nullable String given) {
    Limit limit = given == null ? null : Limit.parse(given);
    return new Asked(Descriptor.of("user", "42"), cost, limit);
  }

  private static Asked address(long cost) {
    return new Asked(Descriptor.of("ip", "6.6.6.6"), cost, /* given= */ null);
  }

  private Answer check(boolean mayRefund, Asked... asked) {
    return bench.check(new CheckRequest("api", List.of(asked), /* requestId= */ null, mayRefund));
  }

  @Test
  void refund_besideADescriptorWithoutPolicy_isDone() {
    bench.policy("api/user", REFUNDS);
    check(/* mayRefund= */ false, user(6, null));
    Answer answer = check(/* mayRefund= */ false, user(-1, null), address(-1));
    assertThat(answer.allowed()).isTrue();
    assertThat(answer.parts()).extracting(Part::why).containsExactly(Why.OK, Why.NO_POLICY);
    assertThat(answer.remaining()).isEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"unlimited\":true}",
        "{\"blocked\":true}",
        "{\"limits\":[\"10/day\"],\"enabled\":false}"
      })
  void refund_whereThePolicyCountsNothing_isAllowed(String policy) {
    bench.policy("api/ip", policy);
    assertThat(check(/* mayRefund= */ false, address(-1)).allowed()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"limits\":[\"10/day\"]}", "{\"limits\":[\"9/s\"],\"shadow\":true}"})
  void refund_besideADescriptorThatIsCountedForOthers_isRefused(String policy) {
    bench.policy("api/user", REFUNDS).policy("api/ip", policy);
    check(/* mayRefund= */ false, user(6, null));
    assertThatThrownBy(() -> check(/* mayRefund= */ false, user(-1, null), address(-1)))
        .isInstanceOf(RefundRefusedException.class);
    assertThatThrownBy(() -> check(/* mayRefund= */ false, address(-1)))
        .isInstanceOf(RefundRefusedException.class);
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(4);
  }

  @Test
  void check_takesFromThePolicyAndGivesBackToALimitOfTheRequest_isDecided() {
    bench.policy("api/user", REFUNDS);
    check(/* mayRefund= */ false, user(4, "5/hour"));
    Answer answer = check(/* mayRefund= */ false, user(3, null), user(-2, "5/hour"));
    assertThat(answer.allowed()).isTrue();
    assertThat(answer.parts())
        .extracting(part -> part.meters().get(0).remaining())
        .containsExactly(7L, 3L);
  }

  @Test
  void check_takesAndGivesBackByLimitsOfTwoUnits_isDecided() {
    check(/* mayRefund= */ true, user(4, "5/hour"));
    Answer answer = check(/* mayRefund= */ true, user(-2, "5/hour"), user(1, "9/day"));
    assertThat(answer.parts())
        .extracting(part -> part.meters().get(0).remaining())
        .containsExactly(3L, 8L);
  }

  @Test
  void check_takesAndGivesBackWhereNothingIsCounted_isAllowed() {
    Answer answer = check(/* mayRefund= */ false, user(3, null), user(-1, null));
    assertThat(answer.allowed()).isTrue();
    assertThat(answer.parts()).extracting(Part::why).containsOnly(Why.NO_POLICY);
  }

  @ParameterizedTest
  @CsvSource({",", "5/hour,5/hour", "5/hour,7/hour"})
  void check_takesAndGivesBackOfOneCounter_isRefused(@Nullable String one, @Nullable String two) {
    bench.policy("api/user", REFUNDS);
    assertThatThrownBy(() -> check(/* mayRefund= */ true, user(3, one), user(-1, two)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cost: -1 (expected: the sign of 3, of the same descriptor)");
  }

  /** Two keys, and one counter. */
  @Test
  void check_takesAndGivesBackOfASharedCounter_isRefused() {
    bench.policy("api/user=4*", "{\"limits\":[\"10/day\"],\"refunds\":true,\"share\":[\"user\"]}");
    Asked other = new Asked(Descriptor.of("user", "43"), /* cost= */ -1, /* given= */ null);
    assertThatThrownBy(() -> check(/* mayRefund= */ false, user(3, null), other))
        .isInstanceOf(IllegalArgumentException.class);
    Asked own = new Asked(other.descriptor(), /* cost= */ -1, Limit.parse("5/hour"));
    assertThat(check(/* mayRefund= */ false, user(3, null), own).allowed()).isTrue();
  }

  /** Of the one key nothing is counted when the check is read, and all when it is decided. */
  @Test
  void refund_whereThePolicyChangesMeanwhile_isRefused() {
    bench
        .tier("all", "{\"unlimited\":true}")
        .policy("api/ip", "{\"tier\":\"all\"}")
        .policy("api/user", "{\"tier\":\"all\",\"override\":" + REFUNDS + "}");
    AtomicBoolean changed = new AtomicBoolean();
    LongPredicate owned =
        hash -> {
          if (changed.compareAndSet(false, true)) {
            bench.tier("all", "{\"limits\":[\"9/s\"],\"algorithm\":\"fixed-window\"}");
          }
          return true;
        };
    PolicyDesk desk = bench.node.policies();
    Decider decider =
        new Decider(desk.book(), desk.keys(), new KeyOrders(), bench.shard.table(), owned);
    CheckRequest request =
        new CheckRequest(
            "api",
            List.of(address(-1), user(-1, null)),
            /* requestId= */ null,
            /* mayRefund= */ false);

    assertThatThrownBy(() -> decider.decide(request, bench.clock.nanos(), /* durable= */ true))
        .isInstanceOf(RefundRefusedException.class);
    assertThat(changed).isTrue();
  }
}
