package io.penstock.core.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.state.Turn.Ask;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The way of a key from rule to rule ends, and rules of long ago are not kept for it. */
@Timeout(value = 60, threadMode = SEPARATE_THREAD)
class WayTest {
  private static final long START = 1_773_145_800_000_000_000L;
  private static final long SECOND = 1_000_000_000L;
  private static final long KEY = 0x1234_5678_9abc_def0L;
  private static final int CHANGES = 200_000;

  /** The latest 65,536 are known by their serials, and there are 4,093 numbers. */
  private static final int KEPT_MAX = 75_000;

  private static final int COLLECTIONS_MAX = 20;

  private final Rules rules = new Rules();

  private Rule rule(String limit, long since) {
    return rules.add(Limit.parse(limit), Algorithm.GCRA, /* slot= */ 0, since);
  }

  /** A line whose first rule was ended anew, in favour of one that leads into the line again. */
  @Test
  void play_rulesThatLeadInACircle_areLeftForTheLast() {
    Rule shared = rules.shared(Limit.parse("5/s burst 100"), Algorithm.GCRA);
    Rule first = rule("1/s burst 100", START);
    Rule last = rule("2/s burst 100", START + 10 * SECOND);
    first.endsAt(START + 10 * SECOND, last.from(first));
    first.endsAt(START + 10 * SECOND, shared);
    StateTable table = StateTable.of(rules, 1 << 20);
    Turn turn = new Turn();
    table.play(turn.of(KEY, shared, START).asks(Ask.TAKE, 90, /* ticket= */ 0));
    turn.of(KEY, last, START + 11 * SECOND).asks(Ask.TAKE, 0, /* ticket= */ 0);
    table.play(turn);
    assertThat(turn.step().remaining()).isEqualTo(100 - (90 - 11 * 5));
  }

  @Test
  void endsAt_ruleThatLeadsBack_isNotFollowed() {
    Rule first = rule("1/s", START);
    Rule second = rule("2/s", START + SECOND);
    Rule third = rule("3/s", START + 2 * SECOND);
    first.endsAt(START + SECOND, second);
    second.endsAt(START + 2 * SECOND, third);
    third.endsAt(START + 3 * SECOND, first);
    assertThat(first.latest(Long.MAX_VALUE)).isSameAs(third);
    second.endsAt(START + 2 * SECOND, second);
    assertThat(first.latest(Long.MAX_VALUE)).isSameAs(second);
  }

  @Test
  void add_rulesThatFollowEachOtherInALine_keepsThoseThatStatesMayName() {
    assertThat(kept((old, next) -> old.endsAt(START, next.from(old)))).isLessThan(KEPT_MAX);
  }

  @Test
  void add_rulesThatBeginWhereOneWasLeft_keepsThoseThatStatesMayName() {
    assertThat(
            kept(
                (old, next) -> {
                  next.after(old);
                  old.endsAt(START, /* successor= */ null);
                }))
        .isLessThan(KEPT_MAX);
  }

  private long kept(BiConsumer<Rule, Rule> follow) {
    List<WeakReference<Limit>> limits = new ArrayList<>();
    Rule last = rule("10/day", START);
    for (int i = 0; i < CHANGES; i++) {
      Limit limit = Limit.parse("10/day");
      limits.add(new WeakReference<>(limit));
      Rule next = rules.add(limit, Algorithm.GCRA, /* slot= */ 0, START);
      follow.accept(last, next);
      last = next;
      if (i % 500 == 0) {
        rules.sweptWithoutStates(START);
      }
    }
    long kept = limits.size();
    for (int i = 0; i < COLLECTIONS_MAX && kept > KEPT_MAX; i++) {
      System.gc();
      kept = limits.stream().filter(each -> each.get() != null).count();
    }
    assertThat(last.hasEnd()).isFalse();
    return kept;
  }
}
