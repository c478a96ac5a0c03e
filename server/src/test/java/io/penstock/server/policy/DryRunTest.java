package io.penstock.server.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.policy.Descriptor;
import io.penstock.core.policy.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DryRunTest {
  private static final long START = TimeUnit.DAYS.toNanos(20_000);

  private final RecentChecks recent = new RecentChecks(64);
  private long now = START;

  private void check(String user, long cost, @Nullable String scope) {
    recent.add(now, "api", Descriptor.of("user", user), cost, scope);
  }

  private DryRun.Forecast run(String scope, String json) {
    PolicyDocument document = PolicyDocument.parse(Kind.POLICY, json.replace('\'', '"'));
    return DryRun.of(Scope.parse(scope), document.terms(/* tier= */ null), recent);
  }

  @Test
  void of_someKeysTooFast_saysWhichAndHowOften() {
    for (int i = 0; i < 10; i++) {
      check("fast", 1, null);
      check("heavy", 3, null);
      if (i % 5 == 0) {
        check("slow", 1, null);
      }
      now += TimeUnit.SECONDS.toNanos(1);
    }
    assertThat(run("api/user", "{'limits':['3/3s']}"))
        .isEqualTo(
            new DryRun.Forecast(
                22, 6, 9_000, List.of(new DryRun.KeyForecast("user=heavy", 10, 6)), 0));
    assertThat(run("api/user=fast", "{'limits':['1/min']}"))
        .isEqualTo(
            new DryRun.Forecast(
                10, 9, 9_000, List.of(new DryRun.KeyForecast("user=fast", 10, 9)), 0));
  }

  @Test
  void of_policyThatCountsNothing_deniesNothing() {
    check("a", 5, null);
    assertThat(run("api/user", "{'unlimited':true}").denied()).isZero();
    assertThat(run("api/user", "{'limits':['1/s'],'enabled':false}").denied()).isZero();
    assertThat(run("api/user", "{'limits':['1/s'],'shadow':true}").denied()).isEqualTo(1);
  }

  @Test
  void of_blockedOrShared_deniesAllOrCountsTogether() {
    check("a", 1, null);
    check("b", 1, null);
    check("b", 0, null);
    assertThat(run("api/user", "{'blocked':true}").denied()).isEqualTo(2);
    assertThat(run("api/user", "{'limits':['1/day']}").denied()).isZero();
    assertThat(run("api/user", "{'limits':['1/day'],'share':['user']}").denied()).isEqualTo(1);
  }

  @Test
  void of_moreSpecificPolicyInForce_leavesItsChecksAlone() {
    check("a", 1, "api/user=a");
    check("b", 1, "api/user");
    check("c", 1, "api/user=c*");
    check("d", 1, null);
    assertThat(run("api/user", "{'limits':['1/s']}").checks()).isEqualTo(2);
    assertThat(run("api/user=*", "{'limits':['1/s']}").checks()).isEqualTo(2);
    assertThat(run("api/user=a", "{'limits':['1/s']}").checks()).isEqualTo(1);
    assertThat(run("api/other", "{'limits':['1/s']}").checks()).isZero();
    assertThat(run("web/user", "{'limits':['1/s']}"))
        .isEqualTo(new DryRun.Forecast(0, 0, 0, List.of(), 0));
  }

  @Test
  void of_refund_givesBack() {
    check("a", 1, null);
    check("a", -1, null);
    check("a", 1, null);
    assertThat(run("api/user", "{'limits':['1/day']}"))
        .isEqualTo(new DryRun.Forecast(2, 0, 0, List.of(), 0));
  }

  @Test
  void of_manyKeys_namesTheTopTen() {
    for (int key = 0; key < 12; key++) {
      for (int i = 0; i < 2 + (key == 7 ? 1 : 0); i++) {
        check("k" + key, 1, null);
      }
    }
    DryRun.Forecast forecast = run("api/user", "{'limits':['1/day']}");
    assertThat(forecast.denied()).isEqualTo(13);
    assertThat(forecast.topKeys()).hasSize(10);
    assertThat(forecast.topKeys().get(0)).isEqualTo(new DryRun.KeyForecast("user=k7", 3, 2));
  }

  @Test
  void of_entriesThatLookAlikeJoined_areKeptApart() {
    recent.add(now, "api", Descriptor.of("a", "b", "c", "d"), 1, null);
    recent.add(now, "api", Descriptor.of("a", "b1:c", "c", "d"), 1, null);
    assertThat(run("api/a/c", "{'limits':['1/day']}").denied()).isZero();
  }

  @Test
  void add_moreThanFit_keepsTheNewestInOrderOfTime() {
    for (int i = 0; i < 100; i++) {
      check("u" + i, 1, null);
      now += 1;
    }
    List<Long> times = new ArrayList<>();
    recent.all().forEach(check -> times.add(check.timeNanos() - START));
    assertThat(times).hasSize(64).isSorted().startsWith(36L).endsWith(99L);
  }

  @Test
  void add_longTextsAndPeeks_areLeftOut() {
    check("x".repeat(300), 1, null);
    check("a", 0, null);
    assertThat(recent.all()).isEmpty();
  }

  @Test
  void of_checksTooLongToRemember_saysHowMany() {
    check("x".repeat(300), 1, null);
    check("a", 1, null);
    check("y".repeat(300), 2, "api/user");
    assertThat(run("api/user", "{'limits':['1/s']}"))
        .isEqualTo(new DryRun.Forecast(1, 0, 0, List.of(), 2));
    assertThat(recent.added()).isEqualTo(1);
    for (int i = 0; i < 64; i++) {
      check("b", 1, null);
    }
    assertThat(run("api/user", "{'limits':['1/s']}").notRemembered()).isZero();
  }

  @Test
  void capacity_noPowerOfTwo_isRefused() {
    assertThatThrownBy(() -> new RecentChecks(100))
        .hasMessage("capacity: 100 (expected: a power of two, 1..1048576)");
  }
}
