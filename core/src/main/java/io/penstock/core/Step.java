package io.penstock.core;

/**
 * One decision in the making: the state it starts from, the state it leads to, and the answer. A
 * reused buffer, so that deciding makes no garbage. Confined to the thread that decides.
 *
 * <p>The state is three words and a {@link Log}. The first word, {@link #until}, is the instant
 * from which the state equals no state at all; the store relies on it to forget idle keys, and
 * hands an algorithm all zeros from then on. The other words belong to the algorithm ({@link #y}
 * does not if it keeps a log).
 */
public final class Step {
  /** The instant, in nanoseconds, from which this state equals the empty one. */
  public long until;

  /** The second word of the state. */
  public long x;

  /** The third word of the state. */
  public long y;

  private final Log log = new Log();

  private boolean forced;

  private boolean allowed;
  private boolean never;
  private long remaining;
  private long retryAfterNanos;
  private long resetAfterNanos;
  private long moreAfterNanos;
  private long waitNanos;
  private long ticket;

  private long usedWhole;
  private long usedPart;
  private long usedOf = 1;

  /** An empty state. */
  public Step() {}

  /** The entries of a state with {@link Algorithm.Shape#LOG}; empty for every other. */
  public Log log() {
    return log;
  }

  /** Whether the cost is taken even if it does not fit, as when a reservation cost more. */
  public boolean forced() {
    return forced;
  }

  /** Says whether the cost is taken even if it does not fit. */
  public void forced(boolean forced) {
    this.forced = forced;
  }

  /** Answers yes; a reset that has passed is now. Set the words to the next state as well. */
  public void allow(long remaining, long resetAfterNanos) {
    answer(/* allowed= */ true, remaining, /* retryAfterNanos= */ 0, resetAfterNanos);
  }

  /** Answers "not now": it fits in {@code retryAfterNanos}, and not a nanosecond earlier. */
  public void deny(long remaining, long retryAfterNanos, long resetAfterNanos) {
    answer(/* allowed= */ false, remaining, retryAfterNanos, resetAfterNanos);
  }

  /** Answers "never": the cost is above the capacity. */
  public void denyForever(long remaining, long resetAfterNanos) {
    answer(/* allowed= */ false, remaining, /* retryAfterNanos= */ 0, resetAfterNanos);
    never = true;
  }

  private void answer(boolean allowed, long remaining, long retryAfterNanos, long resetAfter) {
    this.allowed = allowed;
    this.never = false;
    this.remaining = remaining;
    this.retryAfterNanos = retryAfterNanos;
    this.resetAfterNanos = Math.max(0, resetAfter);
    this.moreAfterNanos = this.resetAfterNanos;
    this.waitNanos = 0;
    this.ticket = 0;
  }

  /**
   * How long until more remains than now, where that is not when everything is back; say it after
   * {@link #allow} or {@link #denyForever}.
   */
  public void moreAfterNanos(long moreAfterNanos) {
    this.moreAfterNanos = moreAfterNanos;
  }

  /** How long the caller must wait before it runs, for a queue; say it after {@link #allow}. */
  public void waitNanos(long waitNanos) {
    this.waitNanos = waitNanos;
  }

  /** What {@link Algorithm#giveBack} needs to know later; say it after {@link #allow}. */
  public void ticket(long ticket) {
    this.ticket = ticket;
  }

  /** Takes over the answer, and only the answer, of another step. */
  public void answerAs(Step other) {
    answer(other.allowed, other.remaining, other.retryAfterNanos, other.resetAfterNanos);
    never = other.never;
    moreAfterNanos = other.moreAfterNanos;
    waitNanos = other.waitNanos;
    ticket = other.ticket;
  }

  public boolean allowed() {
    return allowed;
  }

  public boolean never() {
    return never;
  }

  public long remaining() {
    return remaining;
  }

  public long retryAfterNanos() {
    return retryAfterNanos;
  }

  public long resetAfterNanos() {
    return resetAfterNanos;
  }

  public long moreAfterNanos() {
    return moreAfterNanos;
  }

  public long waitNanos() {
    return waitNanos;
  }

  public long ticket() {
    return ticket;
  }

  /** Says that the state has used {@code whole + part / of} units. */
  public void used(long whole, long part, long of) {
    usedWhole = whole;
    usedPart = part;
    usedOf = of;
  }

  public long usedWhole() {
    return usedWhole;
  }

  /** The numerator of what is used beyond the whole units; less than {@link #usedOf()}. */
  public long usedPart() {
    return usedPart;
  }

  public long usedOf() {
    return usedOf;
  }

  /** The used units, rounded up. */
  public long usedCeil() {
    return usedWhole + (usedPart > 0 ? 1 : 0);
  }

  /** Makes the state the empty one. */
  public void clear() {
    until = 0;
    x = 0;
    y = 0;
    log.dropFirst(log.size());
  }
}
