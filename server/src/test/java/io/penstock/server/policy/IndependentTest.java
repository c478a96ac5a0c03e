package io.penstock.server.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IndependentTest {
  private final Independent together = new Independent();

  private boolean add(String scope) {
    return together.add(Kind.POLICY, scope);
  }

  @Test
  void add_otherKeys_areIndependent() {
    assertThat(add("api/user=1")).isTrue();
    assertThat(add("api/user=2")).isTrue();
    assertThat(add("api/plan")).isTrue();
    assertThat(add("web/user")).isTrue();
    assertThat(add("api/plan/user")).isTrue();
  }

  @Test
  void add_sameKeys_areNot() {
    assertThat(add("api/user=1")).isTrue();
    assertThat(add("api/user=1")).isFalse();
    assertThat(add("api/user")).isFalse();
    assertThat(add("api/user=*")).isFalse();
    assertThat(add("api/plan=*")).isTrue();
    assertThat(add("api/plan=free")).isFalse();
  }

  @Test
  void add_tier_isAlone() {
    assertThat(together.add(Kind.TIER, "gold")).isTrue();
    assertThat(together.add(Kind.TIER, "free")).isFalse();
    assertThat(add("api/user")).isFalse();
    Independent other = new Independent();
    assertThat(other.add(Kind.POLICY, "api/user")).isTrue();
    assertThat(other.add(Kind.TIER, "gold")).isFalse();
  }
}
