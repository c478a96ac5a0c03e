package io.penstock.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Policies of one tier that had the same rule, and are changed otherwise by the tier. */
class TierRulesTest {
  private static final String TIER = "{\"tier\":\"free\"}";

  private final Bench bench = new Bench();

  private static String limits(String limit) {
    return "{\"limits\":[\"" + limit + "\"]}";
  }

  private long remaining(String user) {
    return bench.check(0, "user", user).remaining();
  }

  /** Both had one rule until the tier changed for one of them, which must not end it for both. */
  @Test
  void tier_changedForSomeOfThoseAlike_othersAreDecidedAsBefore() {
    String window = "{\"limits\":[\"%d/day\"],\"algorithm\":\"fixed-window\"}";
    String own = "{\"tier\":\"free\",\"override\":{\"algorithm\":\"fixed-window\"}}";
    bench.policy("api/user", limits("50/day")).tier("free", String.format(Locale.ROOT, window, 10));
    for (String key : List.of("a", "b", "c", "d")) {
      bench.policy("api/user=" + key, List.of("a", "c").contains(key) ? TIER : own);
      bench.check(3, "user", key);
    }
    bench.tier("free", String.format(Locale.ROOT, window, 20));
    bench.check(3, "user", "a");
    bench.check(3, "user", "b");
    bench.tier("free", limits("20/day"));
    assertTimeoutPreemptively(
        Duration.ofSeconds(10),
        () -> {
          assertThat(List.of(remaining("a"), remaining("b"))).containsExactly(14L, 14L);
          bench.tier("free", limits("30/day"));
          bench.policy("api/user=a", null).policy("api/user=b", null);
          assertThat(List.of(remaining("c"), remaining("d"))).containsExactly(27L, 27L);
        });
  }

  @Test
  void tier_changedForEachOtherwiseAndOneDeleted_othersAreDecided() {
    String window = "{\"limits\":[\"%d/day\"],\"algorithm\":\"fixed-window\"}";
    String own = "{\"tier\":\"free\",\"override\":{\"algorithm\":\"fixed-window\"}}";
    for (String deleted : List.of("a", "b")) {
      bench.policy("api/" + deleted, limits("50/day"));
      bench.tier("free", String.format(Locale.ROOT, window, 10));
      bench.policy("api/" + deleted + "=a", TIER).policy("api/" + deleted + "=b", own);
      bench.tier("free", String.format(Locale.ROOT, window, 20));
      bench.check(6, deleted, "a");
      bench.check(6, deleted, "b");
      bench.clock.advance(Duration.ofSeconds(1));
      bench.tier("free", limits("30/day"));
      bench.policy("api/" + deleted + "=" + deleted, null);
      bench.clock.advance(Duration.ofSeconds(1));
      assertTimeoutPreemptively(
          Duration.ofSeconds(10),
          () -> {
            assertThat(bench.check(0, deleted, "a").remaining()).isBetween(24L, 44L);
            assertThat(bench.check(0, deleted, "b").remaining()).isBetween(24L, 44L);
          });
    }
  }

  /** The rule of its tier ends in favour of the one it had before, which others still have. */
  @Test
  void tier_changedAndLeftForWhatItSaidBefore_keyGoesOnWhenThatIsOver() {
    bench.tier("free", limits("10/day")).policy("api/user=a", TIER);
    bench.policy("api/user=b", limits("10/day"));
    bench.check(8, "user", "b");
    bench.tier("free", limits("20/day")).policy("api/user=a", limits("10/day"));
    bench.policy("api/user=a", null).policy("api/user=b", null);
    bench.policy("api/user", limits("30/day"));
    assertTimeoutPreemptively(
        Duration.ofSeconds(10), () -> assertThat(remaining("b")).isEqualTo(22));
  }
}
