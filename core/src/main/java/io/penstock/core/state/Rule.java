package io.penstock.core.state;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.algorithm.Gcra;
import org.jspecify.annotations.Nullable;

/**
 * One limit as it was in force for a while: states carry its number, so that they can be read after
 * the policy has changed. Thread-safe.
 */
public final class Rule {
  /** The rule of nobody. */
  static final Rule NONE = new Rule(0, Limit.parse("1/s"), Algorithm.GCRA, 0, 0);

  /**
   * In place of the beginning of a rule that many policies share: each has begun at another time,
   * so a state comes under it when it is next touched.
   */
  static final long SHARED = Long.MIN_VALUE;

  private final long serial;
  private final Limit limit;
  private final Algorithm algorithm;
  private final int kind;
  private final int slot;
  private final long sinceNanos;
  private final int number;

  /* Of a quick rule, side by side and not behind its limit: the short way reads all of them. */
  private final boolean quick;
  private final long header;
  private final long capacity;
  private final long intervalNanos;
  private final long capacityNanos;

  private volatile long begunNanos;
  private volatile long endNanos = Long.MAX_VALUE;
  private volatile @Nullable Rule next;
  private volatile int retiredIn;
  private volatile Line line = new Line(this);
  private volatile @Nullable Rule predecessor;
  private volatile boolean forgotten;
  private volatile boolean forgiving;
  private volatile boolean ofOneKey;
  private volatile boolean held;

  Rule(long serial, Limit limit, Algorithm algorithm, int slot, long sinceNanos) {
    this.serial = serial;
    this.limit = limit;
    this.algorithm = algorithm;
    this.kind = Slots.kind(algorithm, limit);
    this.slot = slot;
    this.sinceNanos = sinceNanos;
    this.begunNanos = sinceNanos;
    this.number = Rules.number(serial);
    this.quick = algorithm instanceof Gcra && kind == Slots.ONE;
    this.header = Slots.header(/* hash= */ 0, kind, number);
    this.capacity = limit.capacity();
    this.intervalNanos = limit.unitNumerator();
    this.capacityNanos = limit.capacityNanos();
  }

  /** Whether {@link ShortWay} can decide under this rule. */
  public boolean isQuick() {
    return quick;
  }

  /** The first word of the slot of a key under this rule. */
  long header(long hash) {
    return Slots.tag(hash) | header;
  }

  /** What fits at once. */
  public long capacity() {
    return capacity;
  }

  /** How long one unit takes to come back, under a quick rule. */
  long intervalNanos() {
    return intervalNanos;
  }

  /** How long the whole capacity takes to come back. */
  long capacityNanos() {
    return capacityNanos;
  }

  /**
   * Says whether nothing may be decided by this rule for a moment. Whoever ends it reads the clock
   * meanwhile, so that nobody has decided by it at a later instant than its end, however long the
   * one who ends it was stopped: what drained in between by the old rate would be owed again.
   */
  public void hold(boolean isHeld) {
    held = isHeld;
  }

  /** Says what follows this rule, if anything, and from when: never one that leads back to it. */
  public void endsAt(long nanos, @Nullable Rule successor) {
    next = successor == null || successor.leadsTo(this) ? null : successor;
    endNanos = nanos;
  }

  private boolean leadsTo(Rule other) {
    Rule at = this;
    while (at != null && at != other) {
      at = at.next;
    }
    return at == other;
  }

  /** The rule in force at an instant in the line that leads to this one, or its first. */
  public Rule inForceAt(long nanos) {
    return origin().latest(nanos);
  }

  /** The rule of a limit that was in force at an instant in the line that leads to this one. */
  public @Nullable Rule under(Limit then, Algorithm counting, long nanos) {
    for (Rule at = origin(); at != null && at.sinceNanos <= nanos; at = at.next) {
      if (at.endNanos >= nanos && at.limit.equals(then) && at.algorithm.equals(counting)) {
        return at;
      }
    }
    return null;
  }

  /** What follows this rule when it is over; null if nothing does. */
  @Nullable Rule next() {
    return next;
  }

  /**
   * Says which rule was the first in the line that leads to this one. A state that comes from
   * outside the line, from a rule that others go on sharing, joins it there.
   */
  public Rule from(Rule first) {
    line = first.line;
    return this;
  }

  /** Says when keys came under this rule that says no instant since which it holds. */
  public void begunAt(long nanos) {
    begunNanos = nanos;
  }

  /** Says from which rule, which goes on for others, keys came when this one began. */
  public void after(Rule before) {
    predecessor = before;
  }

  /** The rule from which keys came when this one began; null if nobody said so. */
  @Nullable Rule predecessor() {
    return predecessor;
  }

  /** When the first keys came under this rule from another. */
  long begunNanos() {
    return begunNanos;
  }

  /** The rule without a number that the line which leads to this one began with; null if none. */
  @Nullable Rule unnumbered() {
    Rule before = origin().predecessor;
    return before != null && before.isGiven() ? before : null;
  }

  /** The first rule in the line that leads to this one, of those that states may name. */
  public Rule origin() {
    return line.first();
  }

  Line line() {
    return line;
  }

  /** Says that no state names this rule any more, so that nobody need come by it. */
  void forget() {
    forgotten = true;
    line.shorten();
    predecessor = null;
  }

  boolean isForgotten() {
    return forgotten;
  }

  /** Says that one key alone comes under this rule, and leaves it early, when somebody looks. */
  Rule ofOneKey() {
    ofOneKey = true;
    return this;
  }

  boolean isOfOneKey() {
    return ofOneKey;
  }

  /** Says that states owe no more than this rule lets anybody use if it began while they were. */
  public void forgive() {
    forgiving = true;
  }

  /* Who comes later, or from elsewhere, has used what it owes there. */
  /** Whether it cuts what is owed by states that come under it from another rule at an instant. */
  boolean forgives(Rule from, long nanos) {
    boolean replaced = from.line == line || from == predecessor;
    return forgiving && replaced && nanos <= sinceNanos;
  }

  /** Whether states of this rule must be converted before they may be called idle. */
  boolean isOver(long nowNanos) {
    return endNanos <= nowNanos;
  }

  /** Whether a policy change has put another rule in the place of this one, or soon will. */
  public boolean hasEnd() {
    return endNanos != Long.MAX_VALUE || held;
  }

  /** When this rule ends or ended; never, if nobody has said so. */
  public long endNanos() {
    return endNanos;
  }

  /**
   * Whether nothing may be decided by this rule any more: it is over, or the state was written by
   * one that came after it, or it is so long over that its number may soon be another's; or nothing
   * may be for a moment, as it is held.
   */
  public boolean isOutdated(long nowNanos, @Nullable Rule writtenBy) {
    long latest = writtenBy == null ? nowNanos : Math.max(nowNanos, writtenBy.sinceNanos);
    return endNanos <= latest || retiredIn > 0 || held;
  }

  /** Says in which circle of the sweep, counted from 1, the states of this rule go. */
  void retire(int circle) {
    retiredIn = retiredIn == 0 ? circle : retiredIn;
  }

  /** Whether one of so many circles that are complete began when this rule was over. */
  boolean isSwept(int circlesDone) {
    return retiredIn > 0 && retiredIn <= circlesDone;
  }

  /** The rule in force after this one, itself if it is still in force. */
  Rule latest(long nowNanos) {
    Rule at = this;
    for (Rule successor = at.next; at.isOver(nowNanos) && successor != null; ) {
      at = successor;
      successor = at.next;
    }
    return at;
  }

  /** Whether all policies with the same limit have it, so that none of them may end it. */
  public boolean isShared() {
    return sinceNanos == SHARED;
  }

  /** Whether its states do not name it: it came with a request, or numbers were short. */
  public boolean isGiven() {
    return number == Rules.GIVEN;
  }

  /** Never repeated, unlike {@link #number}. Negative for rules that came with a request. */
  public long serial() {
    return serial;
  }

  /** What states carry: 1 to {@link Rules#NUMBERS}. */
  int number() {
    return number;
  }

  public Limit limit() {
    return limit;
  }

  public Algorithm algorithm() {
    return algorithm;
  }

  /** The kind of slot its states need. */
  int kind() {
    return kind;
  }

  /** Which of the counters of a key this rule reads: stays the same while a policy changes. */
  public int slot() {
    return slot;
  }

  public long sinceNanos() {
    return sinceNanos;
  }
}
