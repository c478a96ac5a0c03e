package io.penstock.core.state;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.Step;
import io.penstock.core.algorithm.Concurrency;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of one key under one rule, and the step that answers it. A reused buffer. Confined
 * to the thread that decides.
 */
public final class Turn {
  /** What is asked. */
  public enum Ask {
    /** Take the cost if it fits. */
    TAKE,
    /** Take the cost whether it fits or not. */
    CHARGE,
    /** Give back the cost taken with the ticket. */
    GIVE_BACK,
    /** Move the end of the lease named by the ticket. */
    RENEW,
    /** Forget what was used. */
    RESET,
    /** Be what was listed, under the rule it was listed with, even if that is over by now. */
    RESTORE
  }

  private final Step step = new Step();
  private final Way way = new Way();
  private long hash;
  private Rule rule = Rule.NONE;
  private Limit limit = rule.limit();
  private @Nullable Rule before;
  private long leftNanos;
  private long nowNanos;
  private Ask ask = Ask.TAKE;
  private long cost;
  private long ticket;

  private long untilBefore;
  private long xBefore;
  private long yBefore;
  private boolean converted;
  private boolean renewed;
  private boolean full;
  private boolean unkept;
  private boolean fresh;
  private boolean outdated;
  private boolean looks;
  private boolean failsOpen;

  /** What a store of somebody else's had for this key, to be put back if need be. */
  long @Nullable [] stored;

  /** Says whose turn it is. */
  public Turn of(long hash, Rule rule, long nowNanos) {
    this.hash = Slots.normal(hash);
    this.rule = rule;
    this.limit = rule.limit();
    this.before = null;
    this.nowNanos = Math.max(nowNanos, rule.sinceNanos());
    this.full = false;
    this.unkept = false;
    this.outdated = false;
    this.looks = false;
    this.fresh = false;
    this.renewed = false;
    return this;
  }

  /** Says that it is decided at that instant at the earliest. */
  void notBefore(long nanos) {
    nowNanos = Math.max(nowNanos, nanos);
  }

  /**
   * Says which rule this key alone has left, and when: nothing else tells, as others go on sharing
   * that rule. A state that names no rule, because numbers were short, was written under it.
   */
  public Turn after(@Nullable Rule before, long leftNanos) {
    this.before = before;
    this.leftNanos = leftNanos;
    return this;
  }

  /** Says by which limit to decide in place of the rule's: one that differs only in its lease. */
  public Turn by(Limit limit) {
    this.limit = limit;
    return this;
  }

  /** Says what is asked. */
  public Turn asks(Ask ask, long cost, long ticket) {
    this.ask = ask;
    this.cost = cost;
    this.ticket = ticket;
    return this;
  }

  /** Says what a cost asks for: a positive one takes, 0 looks, a negative one gives back. */
  public Turn asks(long signedCost) {
    return signedCost < 0
        ? asks(Ask.GIVE_BACK, -Math.max(signedCost, -Long.MAX_VALUE), /* ticket= */ 0)
        : asks(Ask.TAKE, signedCost, /* ticket= */ 0);
  }

  Ask ask() {
    return ask;
  }

  long cost() {
    return cost;
  }

  long ticket() {
    return ticket;
  }

  /** Says what becomes of a check of this turn when its state cannot be read or kept. */
  public Turn failsOpen(boolean open) {
    this.failsOpen = open;
    return this;
  }

  /** Says that nothing may be written: what is asked is only answered. */
  void looks(boolean only) {
    this.looks = only;
  }

  boolean looks() {
    return looks;
  }

  boolean failsOpen() {
    return failsOpen || ask == Ask.GIVE_BACK;
  }

  /** Takes over the answer of the turn this one was joined to. */
  void answerAs(Turn other) {
    step.answerAs(other.step);
    full = other.full;
  }

  /**
   * Brings the loaded words, written under a rule or absent, to this turn's rule and time; false if
   * another rule holds by now, and then the turn is {@link #isOutdated}.
   */
  boolean begin(@Nullable Rule writtenBy) {
    outdated = ask != Ask.RESTORE && rule.isOutdated(nowNanos, writtenBy);
    if (!outdated) {
      convert(writtenBy);
    }
    return !outdated;
  }

  /** Brings the loaded words to this turn's rule, whether or not it is in force. */
  void convert(@Nullable Rule writtenBy) {
    /* What was it written under, if it names no rule? Null if nobody knows. */
    Rule unnumbered = before == null ? rule.unnumbered() : before;
    Rule from = writtenBy != null && writtenBy.isGiven() ? unnumbered : writtenBy;
    converted = from != null && from != rule;
    if (from != null && from != rule) {
      Rule next = from == before ? Handover.leave(step, from, rule, leftNanos) : from;
      Handover.convert(step, way.from(next), rule, nowNanos);
    }
    if (step.until <= nowNanos && step.until != 0) {
      step.clear();
    }
    remember();
  }

  /** Says that the state as it is now is the one that is kept. */
  void rehomed() {
    converted = false;
    remember();
  }

  /** The entries of an idle state may be in a block that is another's by the time it is kept. */
  void forgetLogIfIdle() {
    if (rule.kind() == Slots.LOG && step.until == 0) {
      step.log().clear();
      step.y = 0;
    }
  }

  private void remember() {
    untilBefore = step.until;
    xBefore = step.x;
    yBefore = step.y;
  }

  /** Whether the key had used anything when the turn began. */
  public boolean hadState() {
    return untilBefore != 0;
  }

  /** The kind of slot this turn needs. */
  int kind() {
    return rule.kind();
  }

  /** Decides; the words become the next state. */
  void play() {
    Algorithm algorithm = rule.algorithm();
    if (ask == Ask.TAKE || ask == Ask.CHARGE) {
      step.forced(ask == Ask.CHARGE);
      algorithm.decide(step, limit, nowNanos, cost);
      return;
    }
    switch (ask) {
      case GIVE_BACK -> algorithm.giveBack(step, rule.limit(), nowNanos, cost, ticket);
      case RENEW -> renewed = isRenewed();
      default -> step.clear();
    }
    step.forced(false);
    algorithm.decide(step, rule.limit(), nowNanos, /* cost= */ 0);
  }

  private boolean isRenewed() {
    return rule.algorithm() == Algorithm.CONCURRENCY
        && Concurrency.renew(step, limit, nowNanos, ticket);
  }

  /** Whether there is anything to keep: a new state, or an old one brought to this rule. */
  boolean isChanged() {
    return step.until != untilBefore
        || step.x != xBefore
        || step.y != yBefore
        || (converted && step.until > nowNanos)
        || (rule.kind() == Slots.LOG && step.log().isChanged());
  }

  public Step step() {
    return step;
  }

  public Rule rule() {
    return rule;
  }

  public long nowNanos() {
    return nowNanos;
  }

  long hash() {
    return hash;
  }

  /** Whether the lease that was asked to be renewed was still there. */
  public boolean renewed() {
    return renewed;
  }

  /** Whether nobody could read the state or keep the answer; nothing was changed. */
  public boolean isFull() {
    return full;
  }

  /** Whether nothing was decided because the rule of this turn is no longer in force. */
  public boolean isOutdated() {
    return outdated;
  }

  /** The instant given, or a later one at which another rule holds if this one is outdated. */
  public long passOutdated(long nanos) {
    long end = rule.endNanos();
    return outdated && end != Long.MAX_VALUE ? Math.max(nanos, end) : nanos;
  }

  void full(boolean isFull) {
    full = isFull;
  }

  /** Says that the state is not known. What is denied even to an empty one is denied. */
  void fullIfAllowed() {
    full = step.allowed();
  }

  /** Says that nothing can be kept. A denial stands all the same, and a look: they take nothing. */
  void unkept() {
    unkept = true;
    full = step.allowed() && (ask != Ask.TAKE || cost > 0);
  }

  boolean isUnkept() {
    return unkept;
  }

  /** Whether room was made for a key that had no state. */
  boolean isFresh() {
    return fresh;
  }

  void fresh(boolean fresh) {
    this.fresh = fresh;
  }
}
