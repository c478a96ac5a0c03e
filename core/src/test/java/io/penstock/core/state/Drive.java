package io.penstock.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.Step;
import io.penstock.core.state.Turn.Ask;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Drives a place of states and its {@link Model} side by side, at random, and compares every
 * answer. Not thread-safe.
 */
final class Drive {
  /** Limits of every shape of state; a change of the rule draws another. */
  private static final List<String> RULES =
      List.of(
          "gcra 5/s",
          "gcra 20/s burst 3",
          "token-bucket 100/s burst 10",
          "leaky-bucket 2/s",
          "gcra 700001/s",
          "token-bucket 300007/s burst 900000",
          "fixed-window 5/s",
          "fixed-window 7/3s",
          "sliding-window-counter 6/s",
          "sliding-window-log 4/s",
          "sliding-window-log 30/2s",
          "concurrency 3 concurrent lease 1s",
          "leaky-queue 5/s",
          "leaky-queue 3/s burst 2");

  private static final long EPOCH = 1_773_145_800_000_000_000L;
  private static final int HOT_KEYS = 8;

  /** How full a stripe may be; less if single slots may lie so that no pair of slots is left. */
  private static final int FULL_PERCENT = 95;

  private static final int PAIRS_PERCENT = 70;
  private static final int CHUNK_BYTES = 33_000;

  /** What was given for a take, and under which rule. */
  private record Ticket(Rule rule, long number, long cost) {}

  private final SplittableRandom random;
  private final Rules rules;
  private final Model model;
  private final long[] keys;
  private final Map<Long, Ticket> tickets = new HashMap<>();
  private final Turn turn = new Turn();
  private States states;
  private @Nullable StateTable table;
  private @Nullable ShortWay shortWay;
  private Rule rule;
  private long now = EPOCH;
  private long gapMax = 300_000;
  private int fullTurns;
  private int wronglyFull;

  Drive(SplittableRandom random, Rules rules, States states, int keyCount) {
    this.random = random;
    this.rules = rules;
    moveTo(states);
    this.keys = random.longs(keyCount).toArray();
    this.rule = newRule();
    this.model = new Model(rule);
  }

  /** Goes on with another place, which must hold the same states. */
  void moveTo(States other) {
    states = other;
    table = other instanceof StateTable flat ? flat : null;
    shortWay = table == null ? null : table.shortWay();
  }

  Model model() {
    return model;
  }

  Rule rule() {
    return rule;
  }

  long now() {
    return now;
  }

  int fullTurns() {
    return fullTurns;
  }

  /** So many things happen; what is wrong names the seed. */
  void run(int steps, long seed) {
    try {
      for (int i = 0; i < steps; i++) {
        step();
      }
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("-Dseed=" + seed, e);
    }
  }

  /** One thing happens. */
  private void step() {
    passTime();
    int what = random.nextInt(1_000);
    if (what < 2) {
      change();
    } else if (what < 100) {
      new DriveTogether(this, random, states).play();
    } else {
      playOne();
    }
  }

  private void passTime() {
    int what = random.nextInt(2_000);
    if (what == 0) {
      now += random.nextLong(4_000_000_000L);
    } else if (what < 5) {
      gapMax = random.nextInt(4) == 0 ? 5_000_000 : 300_000;
    } else if (what < 1_500) {
      now += random.nextLong(gapMax);
    }
  }

  private void change() {
    Rule next = newRule();
    rule.endsAt(now, next);
    model.change(next, now);
    rule = next;
    states.sweep(now);
  }

  private Rule newRule() {
    String[] words = RULES.get(random.nextInt(RULES.size())).split(" ", 2);
    return rules.add(Limit.parse(words[1]), Algorithm.named(words[0]), /* slot= */ 0, now);
  }

  long anyKey() {
    return keys[random.nextInt(random.nextInt(4) == 0 ? HOT_KEYS : keys.length)];
  }

  long anyCost(long key) {
    long capacity = rule.limit().capacity();
    return switch (random.nextInt(8)) {
      case 0 -> 0;
      case 1 -> capacity;
      case 2 -> capacity + 1;
      case 3 -> model.play(key, Ask.TAKE, now, 0, 0).remaining();
      case 4, 5 -> 1 + random.nextLong(capacity);
      default -> 1 + capacity / 8;
    };
  }

  private void playOne() {
    long key = anyKey();
    Ask ask = anyAsk();
    Ticket ticket = ask == Ask.GIVE_BACK || ask == Ask.RENEW ? ticketOf(key) : null;
    long number = ticket == null ? 0 : ticket.number;
    long cost = ticket == null ? anyCost(key) : ticket.cost;
    Step expected = model.play(key, ask, now, cost, number);
    if (ask == Ask.TAKE && isTakenQuickly(key, cost, expected)) {
      keep(key, expected, cost);
      return;
    }
    states.play(turn.of(key, rule, now).asks(ask, cost, number));
    if (turn.isFull()) {
      countFull(key, Set.of(key));
      checkAbsence(key);
      return;
    }
    boolean noted = table == null || Inside.holds(table, key, expected.log().size());
    if (ask == Ask.GIVE_BACK && rule.algorithm() == Algorithm.LEAKY_QUEUE && !noted) {
      compare(turn.step(), model.play(key, Ask.TAKE, now, 0, 0), key, ask, cost);
      countFull(key, Set.of(key));
      return;
    }
    compare(turn.step(), expected, key, ask, cost);
    keep(key, expected, cost);
  }

  /** The short way of a table, if it can be gone, leads to the same. */
  private boolean isTakenQuickly(long key, long cost, Step expected) {
    boolean usual = rule.isQuick() && cost > 0 && cost <= rule.limit().capacity();
    if (shortWay == null || !usual || random.nextBoolean()) {
      return false;
    }
    long taken =
        cost == 1 && random.nextBoolean()
            ? shortWay.takeOne(key, rule, () -> now)
            : shortWay.take(key, rule, now, cost);
    long next = expected.allowed() ? expected.until : -expected.retryAfterNanos();
    assertThat(taken).as("take %d", cost).isIn(ShortWay.UNUSUAL, next);
    return taken != ShortWay.UNUSUAL;
  }

  private Ask anyAsk() {
    int what = random.nextInt(20);
    if (what < 13) {
      return Ask.TAKE;
    }
    return what < 15 ? Ask.CHARGE : what < 18 ? Ask.GIVE_BACK : what < 19 ? Ask.RENEW : Ask.RESET;
  }

  /** A ticket means nothing under another rule. */
  private @Nullable Ticket ticketOf(long key) {
    Ticket ticket = tickets.get(key);
    return ticket == null || ticket.rule != rule ? null : ticket;
  }

  /** Lets the model keep what the table has kept. */
  void keep(long key, Step step, long cost) {
    if (step.allowed() && cost > 0 && random.nextInt(3) == 0) {
      tickets.put(key, new Ticket(rule, step.ticket(), cost));
    }
    model.keep(key, step);
  }

  void compare(Step actual, Step expected, long key, Ask ask, long cost) {
    if (!answer(actual).equals(answer(expected))) {
      assertThat(answer(actual))
          .as("%s %d of key %x under %s at %d", ask, cost, key, rule.limit(), now)
          .isEqualTo(answer(expected));
    }
  }

  /** A step's answer, field by field. */
  private record Answer(
      boolean allowed, boolean never, long left, long retry, long reset, long delay, long ticket) {}

  private static Answer answer(Step step) {
    return new Answer(
        step.allowed(),
        step.never(),
        step.remaining(),
        step.retryAfterNanos(),
        step.resetAfterNanos(),
        step.waitNanos(),
        step.ticket());
  }

  /** What was not kept has left nothing behind: no slot is live whose key is not. */
  void checkAbsence(long key) {
    int place = table == null ? Pages.NOWHERE : table.cells().find(key, table.stripe(key));
    if (table != null && place >= 0 && !model.isLive(key, now)) {
      Cells cells = table.cells();
      long header = cells.pages().get(table.stripe(key), place, 0);
      long until = cells.pages().get(table.stripe(key), place, 1);
      boolean live = cells.rule(header) == rule && until > now;
      assertThat(live).as("%x is left behind", key).isFalse();
    }
  }

  /** Memory was full for one of the keys of a check: was it, or was there something idle? */
  void countFull(long key, Set<Long> checked) {
    fullTurns++;
    if (table != null && !isFull(table, key, checked)) {
      wronglyFull++;
    }
  }

  /** Whether the live keys of the key's stripe leave no room for the check, or logs no memory. */
  private boolean isFull(StateTable flat, long key, Set<Long> checked) {
    Cells cells = flat.cells();
    int stripe = flat.stripe(key);
    long asked = checked.stream().filter(other -> flat.stripe(other) == stripe).count();
    long live = rule.kind() == Slots.ONE ? asked : 2 * asked;
    boolean single = false;
    for (long other : model.keys()) {
      int place = flat.stripe(other) == stripe ? cells.find(other, stripe) : Pages.NOWHERE;
      if (place >= 0 && model.isLive(other, now)) {
        boolean wide = Slots.isWide(cells.pages().get(stripe, place, 0));
        live += wide ? 2 : 1;
        single |= !wide;
      }
    }
    int percent = rule.kind() != Slots.ONE && single ? PAIRS_PERCENT : FULL_PERCENT;
    int slots = cells.stripes().pageCount(stripe) * Slots.PER_PAGE;
    boolean noSlot = live > slots * percent / 100;
    return noSlot || (rule.kind() == Slots.LOG && flat.bytes() + CHUNK_BYTES > flat.bytesMax());
  }

  /** How often memory was full although idle slots would have been enough. */
  int wronglyFull() {
    return wronglyFull;
  }
}
