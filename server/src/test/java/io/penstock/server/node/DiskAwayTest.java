package io.penstock.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What strict policies answer where nothing can be kept: the shard has no folder (R10). */
class DiskAwayTest {
  private final Bench bench = new Bench();

  @Test
  void r10_strict_isDeniedButMayLookAndGiveBack() {
    bench.policy(
        "api/user", "{\"limits\":[\"10/day\"],\"consistency\":\"strict\",\"refunds\":true}");
    assertThat(bench.check(1, "user", "42").why()).isEqualTo(Why.FAIL_CLOSED);
    assertThat(bench.check(0, "user", "42").remaining()).isEqualTo(10);
    assertThat(bench.check(-1, "user", "42").allowed()).isTrue();
  }

  @Test
  void r10_strictInShadow_isNeverDenied() {
    bench.policy("api/user", "{\"limits\":[\"1/day\"],\"consistency\":\"strict\",\"shadow\":true}");
    assertThat(bench.check(1, "user", "42").why()).isEqualTo(Why.OK);
    assertThat(bench.check(1, "user", "42").why()).isEqualTo(Why.SHADOW);
    assertThat(bench.check(1, "user", "42").allowed()).isTrue();
  }
}
