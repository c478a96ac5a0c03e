package io.penstock.core;

import static java.util.Objects.requireNonNull;

import io.penstock.core.KeyRules.KeyRule;
import io.penstock.core.algorithm.Wide;
import io.penstock.core.state.KeyHash;
import io.penstock.core.state.Rule;
import io.penstock.core.state.Rules;
import io.penstock.core.state.StateTable;
import io.penstock.core.state.States;
import io.penstock.core.state.StoreStates;
import io.penstock.core.state.Together;
import io.penstock.core.state.Turn.Ask;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A limiter whose states live in the memory of this process. Thread-safe.
 *
 * <p>Beside what every {@link Limiter} does it takes keys as ranges of bytes and as hashes, and
 * many at a time, without making garbage.
 */
public final class MemoryLimiter implements Limiter {
  /** What a limiter uses of its memory, and how often it had none left. Immutable. */
  public record Usage(long bytes, long bytesMax, long refused) {}

  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final long LOG_BYTES_PER_UNIT = 16;

  /* One per thread: a decision needs room to work in and must not allocate it. */
  private static final ThreadLocal<Together> TURNS = ThreadLocal.withInitial(Together::new);

  private final Clock clock;
  private final @Nullable DecisionListener listener;
  private final KeyHash keyHash;
  private final Rules rules = new Rules();
  private final States states;
  private final @Nullable StateTable table;
  private final KeyRules keyRules = new KeyRules();
  private final LongAdder refused = new LongAdder();
  private volatile Plan plan;

  MemoryLimiter(LimiterBuilder parts) {
    this.clock = MonotonicClock.of(parts.clock);
    this.listener = parts.listener;
    this.keyHash = parts.keyHash();
    this.table = parts.store == null ? StateTable.of(rules, parts.maxBytes) : null;
    this.states = parts.store == null ? requireNonNull(table) : new StoreStates(rules, parts.store);
    Policy policy = parts.policy();
    checkFits(policy);
    this.plan = Plan.first(policy, rules, clock.nanos());
  }

  @Override
  public boolean isAllowed(String key) {
    return listener == null
        ? fits(hash(key), clock.nanos(), /* cost= */ 1)
        : tryAcquire(key, 1).allowed();
  }

  /** Takes one unit for a key that is a range of bytes: the same key as the text they encode. */
  public boolean isAllowed(byte[] key, int from, int length) {
    return isAllowedHash(hash(key, from, length));
  }

  /** Takes one unit for a key given as its {@link #hash}. */
  public boolean isAllowedHash(long hash) {
    return listener == null
        ? fits(hash, clock.nanos(), /* cost= */ 1)
        : tryAcquireHash(hash, 1).allowed();
  }

  @Override
  public Decision tryAcquire(String key, long cost) {
    return heard(key, cost, decide(hash(key), clock.nanos(), cost));
  }

  /** As {@link #tryAcquire(String, long)}, for a key that is a range of bytes. */
  public Decision tryAcquire(byte[] key, int from, int length, long cost) {
    return tryAcquireHash(hash(key, from, length), cost);
  }

  /** As {@link #tryAcquire(String, long)}, for a key given as its {@link #hash}. */
  public Decision tryAcquireHash(long hash, long cost) {
    Decision decision = decide(hash, clock.nanos(), cost);
    return listener == null ? decision : heard(nameOf(hash), cost, decision);
  }

  /** The hash that stands for a key in this limiter. */
  public long hash(String key) {
    return keyHash.of(key);
  }

  /** The hash that stands for a key in this limiter. */
  public long hash(byte[] key, int from, int length) {
    return keyHash.of(key, from, length);
  }

  /** A batch for this limiter; it grows beyond the capacity when it must. */
  public Batch newBatch(int capacity) {
    return new Batch(this, capacity);
  }

  void decide(Batch batch) {
    long nowNanos = clock.nanos();
    if (table != null) {
      table.touch(batch.hashes(), batch.size());
    }
    Together turns = TURNS.get();
    for (int i = 0; i < batch.size(); i++) {
      long hash = batch.hashes()[i];
      Plan current = plan;
      if (listener != null || current.size() > 1 || keyRules.get(hash, nowNanos) != null) {
        Decision decision = tryAcquireHash(hash, batch.cost(i));
        batch.answer(i, decision.allowed(), decision.remaining(), decision.retryAfterNanos());
      } else {
        boolean fits = play(current, hash, nowNanos, batch.cost(i));
        Step step = turns.turn(0).step();
        long retryNanos = step.never() ? Decision.NEVER : step.retryAfterNanos();
        batch.answer(i, fits, step.remaining(), fits ? 0 : retryNanos);
      }
    }
  }

  private boolean fits(long hash, long nowNanos, long cost) {
    return keyRules.get(hash, nowNanos) == null
        ? play(plan, hash, nowNanos, cost)
        : decide(hash, nowNanos, cost).allowed();
  }

  private Decision decide(long hash, long nowNanos, long cost) {
    KeyRule own = keyRules.get(hash, nowNanos);
    Plan current = own == null || own.plan() == null ? plan : own.plan();
    if (own != null && own.plan() == null) {
      return Answers.blocked(current, own.untilNanos() - nowNanos);
    }
    play(current, hash, nowNanos, cost);
    return Answers.of(current, TURNS.get(), /* from= */ 0);
  }

  /** Plays the turns of one key; the answer is in this thread's turns. */
  private boolean play(Plan current, long hash, long nowNanos, long cost) {
    Together turns = TURNS.get().clear();
    boolean back = cost < 0;
    addTurns(current, hash, nowNanos, turns);
    for (int i = 0; i < turns.size(); i++) {
      turns.turn(i).asks(back ? Ask.GIVE_BACK : Ask.TAKE, back ? -(cost + 1) + 1 : cost, 0);
    }
    return played(turns, current);
  }

  private void addTurns(Plan current, long hash, long nowNanos, Together turns) {
    for (int i = 0; i < current.size(); i++) {
      Rule rule = current.rule(i);
      turns
          .add(states)
          .of(KeyHash.slot(hash, rule.slot()), rule, nowNanos)
          .failsOpen(current.policy().failMode() == FailMode.OPEN);
    }
  }

  private boolean played(Together turns, Plan current) {
    boolean allowed;
    boolean full;
    if (turns.size() == 1) {
      states.play(turns.turn(0));
      allowed = turns.turn(0).step().allowed();
      full = turns.turn(0).isFull();
    } else {
      allowed = turns.play();
      full = turns.isFull();
    }
    if (full) {
      refused.increment();
    }
    return full ? current.policy().failMode() == FailMode.OPEN : allowed;
  }

  static Decision decideTogether(List<Check> checks) {
    Checks.atLeast("checks", checks.size(), 1);
    Clock clock = checks.get(0).limiter().clock;
    long nowNanos = clock.nanos();
    Together turns = TURNS.get().clear();
    List<Plan> plans = new ArrayList<>();
    boolean blocked = false;
    for (Check check : checks) {
      KeyRule own = check.limiter().ownRule(check, nowNanos);
      blocked |= own != null && own.plan() == null;
    }
    for (Check check : checks) {
      plans.add(check.limiter().addTurns(check, nowNanos, blocked, turns));
    }
    turns.play();
    return answer(checks, plans, turns, nowNanos);
  }

  private @Nullable KeyRule ownRule(Check check, long nowNanos) {
    return keyRules.get(hash(check.key()), nowNanos);
  }

  private Plan addTurns(Check check, long nowNanos, boolean onlyLook, Together turns) {
    Plan current = planOf(hash(check.key()), nowNanos);
    int from = turns.size();
    addTurns(current, hash(check.key()), nowNanos, turns);
    for (int i = from; i < turns.size(); i++) {
      turns.turn(i).asks(Ask.TAKE, onlyLook ? 0 : check.cost(), 0);
    }
    return current;
  }

  private static Decision answer(
      List<Check> checks, List<Plan> plans, Together turns, long nowNanos) {
    List<Decision> parts = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < checks.size(); i++) {
      MemoryLimiter limiter = checks.get(i).limiter();
      KeyRule own = limiter.ownRule(checks.get(i), nowNanos);
      Decision part =
          own != null && own.plan() == null
              ? Answers.blocked(plans.get(i), own.untilNanos() - nowNanos)
              : Answers.of(plans.get(i), turns, from);
      boolean failed = part.reason() == Reason.FAIL_OPEN || part.reason() == Reason.FAIL_CLOSED;
      limiter.refused.add(failed ? 1 : 0);
      parts.add(part);
      from += plans.get(i).size();
    }
    Decision decision = Answers.of(parts);
    for (int i = 0; i < checks.size(); i++) {
      checks.get(i).limiter().heard(checks.get(i).key(), checks.get(i).cost(), parts.get(i));
    }
    return decision;
  }

  @Override
  public Check check(String key, long cost) {
    return new Check(this, requireNonNull(key, "key"), Checks.atLeast("cost", cost, 0));
  }

  @Override
  public Decision acquire(String key, long cost, Duration timeout) throws InterruptedException {
    return new Waiting(this, clock).acquire(key, cost, Checks.nanos("timeout", timeout));
  }

  @Override
  public CompletionStage<Decision> tryAcquireAsync(String key, long cost, Duration timeout) {
    return new Waiting(this, clock).acquireAsync(key, cost, Checks.nanos("timeout", timeout));
  }

  @Override
  public Reservation reserve(String key, long cost) {
    Checks.atLeast("cost", cost, 0);
    long hash = hash(key);
    Decision decision = decide(hash, clock.nanos(), cost);
    Reserved reserved = new Reserved(this, hash, cost, decision, TURNS.get());
    heard(key, cost, decision);
    return reserved;
  }

  /** Settles a part of a reservation with every limit that is still the one it was taken under. */
  void settle(Reserved reserved, Ask ask, long cost) {
    long nowNanos = clock.nanos();
    Together turns = TURNS.get().clear();
    addTurns(planOf(reserved.hash(), nowNanos), reserved.hash(), nowNanos, turns);
    for (int i = 0; i < turns.size(); i++) {
      Rule rule = turns.turn(i).rule();
      boolean known = ask == Ask.CHARGE || reserved.knows(rule);
      turns.turn(i).asks(known ? ask : Ask.TAKE, known ? cost : 0, reserved.ticket(rule));
    }
    turns.play();
  }

  /** Renews what a reservation holds; false if nothing of it is left. */
  boolean renew(Reserved reserved) {
    settle(reserved, Ask.RENEW, 0);
    Together turns = TURNS.get();
    boolean renewed = false;
    for (int i = 0; i < turns.size(); i++) {
      renewed |= turns.turn(i).renewed();
    }
    return renewed;
  }

  private Plan planOf(long hash, long nowNanos) {
    KeyRule own = keyRules.get(hash, nowNanos);
    return own == null || own.plan() == null ? plan : own.plan();
  }

  @Override
  public void reset(String key) {
    long nowNanos = clock.nanos();
    Together turns = TURNS.get().clear();
    addTurns(planOf(hash(key), nowNanos), hash(key), nowNanos, turns);
    for (int i = 0; i < turns.size(); i++) {
      turns.turn(i).asks(Ask.RESET, 0, 0);
    }
    turns.play();
  }

  @Override
  public void block(String key, Instant until) {
    long nowNanos = clock.nanos();
    if (nanosOf(until) <= nowNanos) {
      keyRules.remove(hash(key));
    } else {
      keyRules.put(hash(key), new KeyRule(nanosOf(until), /* plan= */ null), nowNanos);
    }
  }

  @Override
  public synchronized void override(String key, Policy policy, Instant until) {
    checkFits(policy);
    long nowNanos = clock.nanos();
    long untilNanos = Math.max(nanosOf(until), nowNanos);
    planOf(hash(key), nowNanos).endEarly(plan, nowNanos);
    if (untilNanos == nowNanos) {
      keyRules.remove(hash(key));
      return;
    }
    Plan own = plan.overriddenBy(policy, rules, nowNanos, untilNanos);
    sweep(own.size(), nowNanos);
    keyRules.put(hash(key), new KeyRule(untilNanos, own), nowNanos);
  }

  @Override
  public synchronized void update(Policy policy) {
    checkFits(policy);
    long nowNanos = clock.nanos();
    plan = plan.replacedBy(policy, rules, nowNanos);
    sweep(plan.size(), nowNanos);
  }

  private void sweep(int rulesAdded, long nowNanos) {
    for (int i = 0; i < rulesAdded; i++) {
      states.sweep(nowNanos);
    }
  }

  @Override
  public Policy policy() {
    return plan.policy();
  }

  @Override
  public long policyVersion() {
    return plan.version();
  }

  /** What this limiter uses of its memory. */
  public Usage memory() {
    return new Usage(states.bytes(), states.bytesMax(), refused.sum());
  }

  /** A log that can never fit is refused here rather than failing one check at a time. */
  private void checkFits(Policy policy) {
    for (Limit limit : policy.limits()) {
      boolean log = policy.algorithmOf(limit) == Algorithm.SLIDING_WINDOW_LOG;
      if (log && limit.count() > states.bytesMax() / LOG_BYTES_PER_UNIT) {
        long bytes = Wide.mulAddDiv(limit.count(), LOG_BYTES_PER_UNIT, 0, 1);
        throw Checks.bad(
            "limit", limit, "a log of at most " + states.bytesMax() + " bytes, not " + bytes);
      }
    }
  }

  private Decision heard(String key, long cost, Decision decision) {
    if (listener != null) {
      listener.onDecision(key, cost, decision);
    }
    return decision;
  }

  private static String nameOf(long hash) {
    return "#" + HexFormat.of().toHexDigits(hash);
  }

  private static long nanosOf(Instant instant) {
    long seconds = Math.max(0, instant.getEpochSecond());
    return seconds >= Long.MAX_VALUE / NANOS_PER_SECOND
        ? Long.MAX_VALUE
        : seconds * NANOS_PER_SECOND + instant.getNano();
  }
}
