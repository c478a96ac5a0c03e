package io.penstock.server.node;

import io.penstock.core.FailMode;
import io.penstock.core.Limit;
import io.penstock.core.Policy;
import io.penstock.core.policy.Consistency;
import io.penstock.core.policy.Terms;
import io.penstock.core.state.KeyHash;
import io.penstock.core.state.Rule;
import io.penstock.core.state.States;
import io.penstock.core.state.Together;
import io.penstock.core.state.Turn;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One descriptor of a check at work: what applies to it, and where its turns are. Confined to the
 * thread that decides.
 */
final class Subject {
  /** Nobody knows when a disk is back; it is tried more often than this. */
  static final long RETRY_NANOS = 1_000_000_000;

  private final String domain;
  private final Asked asked;
  private final long hash;
  private final @Nullable Placed placed;
  private final @Nullable Grant grant;
  private final @Nullable Terms terms;
  private final Special special;
  private final @Nullable Rule given;
  private @Nullable Together turns;
  private int from;
  private int to;

  Subject(String domain, Asked asked, long hash, @Nullable Placed placed, Special special) {
    this.domain = domain;
    this.asked = asked;
    this.hash = hash;
    this.placed = placed;
    Limit limit = asked.given();
    this.given = limit == null ? null : GivenRules.of(limit);
    this.special = special;
    KeyOverride own = special.own();
    Grant general = placed == null ? null : placed.offer().grant();
    this.grant = own == null ? general : own.grant();
    this.terms = own != null ? own.terms(general) : general == null ? null : general.terms();
  }

  /** Whether limits are counted for it, in shadow or not. */
  boolean isCounted() {
    return given != null || (terms != null && terms.enabled() && grant != null && grant.size() > 0);
  }

  boolean isShadow() {
    return given == null && terms != null && terms.shadow();
  }

  /** Whether a block denies what is asked: looking and giving back are never denied. */
  boolean isDenied(long nowNanos) {
    return (special.blockedUntil() > nowNanos || isForbidden()) && asked.cost() > 0;
  }

  /** Whether its policy admits nothing, ever. */
  boolean isForbidden() {
    return given == null && terms != null && terms.enabled() && terms.blocked() && !terms.shadow();
  }

  /** An answer that says of a blocked key that it is, though nothing was denied. */
  Part shown(Part part, long nowNanos) {
    return special.blockedUntil() <= nowNanos
        ? part
        : new Part(
            part.allowed(),
            part.policy(),
            part.policyVersion(),
            Why.BLOCKED,
            part.deciding(),
            part.meters(),
            part.retryAfterNanos());
  }

  Special special() {
    return special;
  }

  boolean isStrict() {
    return isCounted() && given == null && terms().consistency() == Consistency.STRICT;
  }

  /** Whether it is denied rather than decided where it cannot be kept: not if it only looks. */
  boolean mustBeKept() {
    return isStrict() && !isShadow() && failMode() == FailMode.CLOSED && asked.cost() > 0;
  }

  /** Whether it passes where nothing can be decided; in shadow it always does. */
  boolean failsOpen() {
    return isShadow() || failMode() == FailMode.OPEN;
  }

  boolean isUnlogged() {
    return given == null && terms().consistency() == Consistency.NONE;
  }

  FailMode failMode() {
    Policy policy = given != null ? null : terms().policy();
    return policy == null ? FailMode.OPEN : policy.failMode();
  }

  private Terms terms() {
    if (terms == null) {
      throw new IllegalStateException("no policy applies");
    }
    return terms;
  }

  /** Whether the caller may give back what others took; where nothing is counted, nobody did. */
  boolean mayRefund(CheckRequest request) {
    return request.mayRefund() || !isCounted() || (terms != null && terms.refunds());
  }

  String domain() {
    return domain;
  }

  Asked asked() {
    return asked;
  }

  long hash() {
    return hash;
  }

  @Nullable Grant grant() {
    return grant;
  }

  /** Adds its turns, one per limit. */
  void addTurns(Together all, States states, long nowNanos, long cost) {
    turns = all;
    from = all.size();
    if (given != null) {
      add(all, states, given, counter(0), nowNanos).asks(cost);
    } else if (grant != null) {
      for (int i = 0; i < grant.size(); i++) {
        add(all, states, grant.rule(i), grant.counter(i), nowNanos).asks(cost);
      }
    }
    to = all.size();
  }

  /** Another was played in its place, because its policy was replaced. */
  void notPlayed() {
    turns = null;
    to = from;
  }

  private Turn add(Together all, States states, Rule rule, int counter, long nowNanos) {
    return all.add(states)
        .of(KeyHash.slot(hash, counter), rule, nowNanos)
        .after(left(rule, counter), special.leftNanos())
        .failsOpen(failsOpen());
  }

  /** The rule of its own that a counter has left; null also where the state cannot tell. */
  private @Nullable Rule left(Rule rule, int counter) {
    KeyOverride left = special.left();
    return left == null || rule.isGiven() ? null : left.grant().withCounter(counter);
  }

  /** The counter that one of its turns reads. */
  int counter(int index) {
    if (given != null) {
      return Counters.ofGiven(given.limit());
    }
    return grant == null ? GivenRules.COUNTER : grant.counter(index);
  }

  /** How many turns it had. */
  int size() {
    return to - from;
  }

  /** One of its turns, while those of this thread are the ones in which it was decided. */
  Turn turn(int index) {
    if (turns == null) {
      throw new IllegalStateException("turns: none (expected: addTurns before)");
    }
    return turns.turn(from + index);
  }

  /** Whether it has taken anything: not where it would be limited, nor where memory was full. */
  boolean hasTaken() {
    boolean fits = true;
    boolean taken = false;
    for (int i = 0; i < size(); i++) {
      fits &= turn(i).step().allowed();
      taken |= !turn(i).isFull();
    }
    return fits && taken;
  }

  /** The answer of a descriptor for which nothing is counted. */
  Part uncounted() {
    boolean denied = isForbidden() && asked.cost() > 0;
    return new Part(
        !denied,
        placed == null ? null : placed.scope(),
        placed == null ? 0 : placed.version(),
        whyUncounted(),
        /* deciding= */ -1,
        List.of(),
        denied ? Long.MAX_VALUE : 0);
  }

  private Why whyUncounted() {
    if (terms == null) {
      return Why.NO_POLICY;
    }
    if (!terms.enabled()) {
      return Why.DISABLED;
    }
    return terms.unlimited() ? Why.UNLIMITED : isForbidden() ? Why.BLOCKED : Why.SHADOW;
  }

  /** The answer that its turns give. */
  Part played() {
    List<Meter> meters = new ArrayList<>(size());
    boolean allowed = true;
    boolean full = false;
    int deciding = 0;
    for (int i = 0; i < size(); i++) {
      Meter meter = Meter.of(turn(i));
      allowed &= !meter.denied();
      full |= turn(i).isFull();
      meters.add(meter);
      deciding = meter.isAhead(meters.get(deciding)) ? i : deciding;
    }
    if (full) {
      return undecided();
    }
    if (isShadow()) {
      meters.replaceAll(Meter::emptied);
      return part(/* allowed= */ true, allowed ? Why.OK : Why.SHADOW, meters, deciding);
    }
    Why why = allowed ? Why.OK : meters.get(deciding).isNever() ? Why.NEVER : Why.LIMITED;
    return part(allowed, why, meters, deciding);
  }

  /** The answer of a blocked descriptor, given what it is told when the block ends. */
  Part blocked(Part then, long nowNanos) {
    long rest = special.blockedUntil() - nowNanos;
    List<Meter> meters = new ArrayList<>();
    for (Meter meter : then.meters()) {
      long more = meter.denied() ? meter.moreAfterNanos() : 0;
      long retry = meter.isNever() ? Long.MAX_VALUE : rest + meter.retryAfterNanos();
      long reset = rest + meter.resetAfterNanos();
      meters.add(new Meter(meter.limit(), /* denied= */ true, 0, retry, reset, rest + more));
    }
    long wait = then.retryAfterNanos();
    return new Part(
        /* allowed= */ false,
        placed == null ? null : placed.scope(),
        placed == null ? 0 : placed.version(),
        Why.BLOCKED,
        then.deciding(),
        meters,
        wait == Long.MAX_VALUE ? wait : rest + wait);
  }

  /** The answer where nothing can be decided, by its fail mode. */
  Part undecided() {
    return failsOpen()
        ? part(/* allowed= */ true, Why.FAIL_OPEN, List.of(), /* deciding= */ -1)
        : failed();
  }

  /** The answer where nothing may be decided because it could not be made durable. */
  Part failed() {
    String scope = placed == null ? null : placed.scope();
    long version = placed == null ? 0 : placed.version();
    return new Part(
        /* allowed= */ false,
        scope,
        version,
        Why.FAIL_CLOSED,
        /* deciding= */ -1,
        List.of(),
        RETRY_NANOS);
  }

  Part part(boolean allowed, Why why, List<Meter> meters, int deciding) {
    String scope = placed == null ? null : placed.scope();
    long version = placed == null ? 0 : placed.version();
    int index = meters.isEmpty() ? -1 : deciding;
    return new Part(allowed, scope, version, why, index, meters, Part.AS_METER);
  }
}
