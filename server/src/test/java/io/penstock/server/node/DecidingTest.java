package io.penstock.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.policy.Descriptor;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Which descriptor a check is answered by, of those that tell no numbers. */
class DecidingTest {
  private static final Part NO_POLICY = part(/* scope= */ null, Why.NO_POLICY);

  private static Part part(@Nullable String scope, Why why) {
    return new Part(
        /* allowed= */ true,
        scope,
        /* policyVersion= */ scope == null ? 0 : 1,
        why,
        /* deciding= */ -1,
        List.of(),
        /* retryAfterNanos= */ 0);
  }

  @ParameterizedTest
  @EnumSource(names = {"UNLIMITED", "DISABLED", "SHADOW", "BLOCKED", "FAIL_OPEN", "FAIL_LOCAL"})
  void deciding_policyBesideNone_isThePolicy(Why why) {
    Part policy = part("api/user", why);
    assertThat(Decider.deciding(List.of(NO_POLICY, policy))).isEqualTo(1);
    assertThat(Decider.deciding(List.of(policy, NO_POLICY))).isZero();
  }

  @ParameterizedTest
  @CsvSource({"FAIL_OPEN,UNLIMITED", "FAIL_OPEN,DISABLED", "FAIL_LOCAL,SHADOW"})
  void deciding_passedUndecidedBesideWhatIsNotLimited_isTheUndecided(Why undecided, Why other) {
    Part failed = part("api/user", undecided);
    Part free = part("api/ip", other);
    assertThat(Decider.deciding(List.of(free, failed))).isEqualTo(1);
    assertThat(Decider.deciding(List.of(failed, free))).isZero();
    assertThat(Decider.deciding(List.of(NO_POLICY, free, failed))).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({"UNLIMITED,DISABLED", "DISABLED,UNLIMITED", "FAIL_OPEN,FAIL_LOCAL"})
  void deciding_equals_isTheFirst(Why first, Why second) {
    assertThat(Decider.deciding(List.of(part("api/user", first), part("api/ip", second)))).isZero();
  }

  @Test
  void check_unlimitedAfterOneWithoutPolicy_tellsThePolicy() {
    Bench bench = new Bench().policy("api/vip", "{\"unlimited\":true}");
    List<Descriptor> both = Stream.of("nobody", "vip").map(key -> Descriptor.of(key, "x")).toList();
    Answer answer = bench.check(CheckRequest.of("api", both, /* cost= */ 1));
    assertThat(answer.why()).isEqualTo(Why.UNLIMITED);
    assertThat(answer.part().policy()).isEqualTo("api/vip");
  }
}
