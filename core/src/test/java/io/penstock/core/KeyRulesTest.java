package io.penstock.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.penstock.core.state.Rules;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Single keys that are blocked or overridden, few or very many. */
class KeyRulesTest {
  private static final long NEVER_OVER = Integer.MAX_VALUE;

  private final KeyRules rules = new KeyRules();

  @Test
  void block_aMillionKeys_areAllFoundAndOneMoreIsRefused() {
    for (long key = 0; key < KeyRules.KEYS_MAX; key++) {
      rules.block(key, NEVER_OVER, /* nowNanos= */ 0);
    }
    for (long key = 0; key < KeyRules.KEYS_MAX; key++) {
      assertThat(rules.get(key, 0)).isNotNull();
    }
    assertThat(rules.has(KeyRules.KEYS_MAX)).isFalse();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rules.block(KeyRules.KEYS_MAX, NEVER_OVER, 0))
        .withMessage("blocked and overridden keys: 1048577 (expected: 1..1048576)");
    rules.block(7, /* untilNanos= */ 1, 0);
    assertThat(rules.get(7, 1)).isNull();
    rules.block(KeyRules.KEYS_MAX, NEVER_OVER, /* nowNanos= */ 1);
    assertThat(rules.get(KeyRules.KEYS_MAX, 1)).isNotNull();
  }

  @Test
  void block_keysThatEnd_makeRoomForOthers() {
    for (long key = 0; key < KeyRules.KEYS_MAX + 10_000; key++) {
      rules.block(key, /* untilNanos= */ key + 1_000, /* nowNanos= */ key);
    }
    assertThat(rules.has(0)).as("a rule that is long over").isFalse();
  }

  @Test
  void rules_anyCourse_areThoseOfAMap() {
    Plan plan = Plan.first(Policy.parse("1/s"), new Rules(), /* nowNanos= */ 0);
    SplittableRandom random = new SplittableRandom(42);
    Map<Long, Long> blocked = new HashMap<>();
    Map<Long, Long> overridden = new HashMap<>();
    for (long now = 0; now < 200_000; now++) {
      long key = random.nextInt(500);
      long until = now + random.nextInt(-5, 1_000);
      switch (random.nextInt(4)) {
        case 0 -> {
          rules.block(key, until, now);
          blocked.put(key, until);
        }
        case 1 -> {
          rules.override(key, plan, until, now);
          overridden.put(key, until);
        }
        case 2 -> {
          rules.endOverride(key, now);
          overridden.remove(key);
        }
        default -> {
          KeyRules.KeyRule rule = rules.get(key, now);
          long left = Math.max(0, blocked.getOrDefault(key, 0L) - now);
          assertThat(rule == null ? 0 : rule.blockedNanos(now)).isEqualTo(left);
          boolean own = overridden.getOrDefault(key, 0L) > now;
          assertThat(rule != null && rule.planUntil() > now).isEqualTo(own);
        }
      }
    }
  }

  @Test
  void checkRoom_overridesInForce_countUntilTheyEnd() {
    Plan plan = Plan.first(Policy.parse("1/s"), new Rules(), /* nowNanos= */ 0);
    for (long key = 0; key < KeyRules.OVERRIDDEN_LIMITS_MAX; key++) {
      rules.checkRoom(key, 1, /* nowNanos= */ 0);
      rules.override(key, plan, /* untilNanos= */ 10 + key, /* nowNanos= */ 0);
      rules.block(key, NEVER_OVER, /* nowNanos= */ 0);
    }
    long another = -1;
    assertThatIllegalArgumentException().isThrownBy(() -> rules.checkRoom(another, 1, 9));
    rules.checkRoom(another, 1, 10);
    assertThatIllegalArgumentException().isThrownBy(() -> rules.checkRoom(another, 2, 10));
    rules.endOverride(1_000, 10);
    rules.checkRoom(another, 2, 10);
  }

  @Test
  void plansInForce_someEnded_areTheOthers() {
    Plan plan = Plan.first(Policy.parse("1/s"), new Rules(), /* nowNanos= */ 0);
    for (long key = 0; key < 10; key++) {
      rules.override(key, plan, /* untilNanos= */ 10 + key, /* nowNanos= */ 0);
      rules.block(key, /* untilNanos= */ 5 + 4 * key, /* nowNanos= */ 0);
    }
    rules.override(/* hash= */ 9, plan, /* untilNanos= */ 30, /* nowNanos= */ 1);
    rules.endOverride(/* hash= */ 8, /* nowNanos= */ 1);
    assertThat(rules.plansInForce(/* nowNanos= */ 0)).hasSize(9);
    assertThat(rules.plansInForce(/* nowNanos= */ 14)).hasSize(4);
    for (long key = 0; key < 10; key++) {
      KeyRules.KeyRule rule = rules.get(key, /* nowNanos= */ 14);
      long blocked = rule == null ? 0 : rule.blockedNanos(/* nowNanos= */ 14);
      assertThat(blocked).isEqualTo(Math.max(0, 5 + 4 * key - 14));
    }
  }
}
