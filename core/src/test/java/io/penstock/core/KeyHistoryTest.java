package io.penstock.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.state.Rules;
import org.junit.jupiter.api.Test;

/** What is known of keys that were reset or overridden, and of those that others have displaced. */
class KeyHistoryTest {
  private static final long KEY = -1;

  private final KeyHistory history = new KeyHistory();

  /** Of the key first, then of so many others that nobody remembers that. */
  @Test
  void knows_resetThatIsForgotten_nothingOfBefore() {
    long before = history.resetCount();
    history.reset(KEY);
    long after = history.resetCount();
    assertThat(history.knows(KEY, /* afterOverrides= */ 0, before)).isFalse();
    for (long other = 0; other < KeyHistory.KEYS_MAX; other++) {
      history.reset(other);
    }
    assertThat(history.knows(KEY, /* afterOverrides= */ 0, before)).as("before it").isFalse();
    assertThat(history.knows(KEY, /* afterOverrides= */ 0, after)).as("after it").isTrue();
  }

  @Test
  void knows_overrideThatIsForgotten_nothingOfBefore() {
    Rules rules = new Rules();
    Policy policy = Policy.parse("1/s");
    Plan general = Plan.first(policy, rules, /* nowNanos= */ 0);
    Plan first = overridden(general, rules);
    history.override(KEY, first, general, general.after(first), /* nowNanos= */ 0);
    Plan after = general.after(first);
    Plan second = overridden(after, rules);
    for (long other = 0; other < KeyHistory.KEYS_MAX; other++) {
      history.override(other, second, after, after.after(second), /* nowNanos= */ 0);
    }
    assertThat(history.knows(KEY, general.overrides(), /* afterResets= */ 0))
        .as("before it")
        .isFalse();
    assertThat(history.knows(KEY, first.overrides(), /* afterResets= */ 0)).as("under it").isTrue();
  }

  private static Plan overridden(Plan general, Rules rules) {
    Policy policy = Policy.parse("1/s");
    return general.overriddenBy(policy, general, rules, /* nowNanos= */ 0, /* untilNanos= */ 9);
  }

  @Test
  void knows_overrideUnderAPolicyOfLongAgo_nothingOfBefore() {
    Rules rules = new Rules();
    Plan general = Plan.first(Policy.parse("1/s"), rules, /* nowNanos= */ 0);
    Plan own = overridden(general, rules);
    history.override(KEY, own, general, general.after(own), /* nowNanos= */ 0);
    history.goOnTo(general.version() + KeyHistory.VERSIONS_MAX);
    assertThat(history.knows(KEY, general.overrides(), /* afterResets= */ 0)).isTrue();
    history.goOnTo(general.version() + KeyHistory.VERSIONS_MAX + 1);
    assertThat(history.knows(KEY, general.overrides(), /* afterResets= */ 0))
        .as("before it")
        .isFalse();
    assertThat(history.knows(KEY, own.overrides(), /* afterResets= */ 0)).as("under it").isTrue();
  }
}
