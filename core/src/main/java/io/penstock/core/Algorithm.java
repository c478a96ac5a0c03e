package io.penstock.core;

import io.penstock.core.algorithm.Concurrency;
import io.penstock.core.algorithm.FixedWindow;
import io.penstock.core.algorithm.Gcra;
import io.penstock.core.algorithm.LeakyQueue;
import io.penstock.core.algorithm.SlidingWindowCounter;
import io.penstock.core.algorithm.SlidingWindowLog;
import java.util.List;

/**
 * A rate-limiting law: a pure function of (state, limit, now, cost). Implementations are immutable
 * and read no clock.
 *
 * <p>A step arrives with the state of one key and leaves with the next state and the answer. A
 * state whose {@link Step#until} has passed arrives as zeros. {@code nowNanos} never decreases.
 */
/* Nobody but this interface initialises these classes: their package is not exported. */
@SuppressWarnings("ClassInitializationDeadlock")
public interface Algorithm {
  /** How much room a state takes. */
  enum Shape {
    /** Only {@link Step#until}: 16 bytes of table. */
    ONE_WORD,
    /** Three words: 32 bytes of table. */
    THREE_WORDS,
    /** Three words, the last of which is the store's, and a {@link Log}. */
    LOG
  }

  /** The bucket in one timestamp; the default. */
  Algorithm GCRA = new Gcra("gcra");

  /** A bucket of tokens: the same law as {@link #GCRA}, and the same state. */
  Algorithm TOKEN_BUCKET = new Gcra("token-bucket");

  /** A bucket that leaks, used as a meter: the same law as {@link #GCRA}, and the same state. */
  Algorithm LEAKY_BUCKET = new Gcra("leaky-bucket");

  /** A bucket that leaks, used as a queue: an allowed decision says when the caller may run. */
  Algorithm LEAKY_QUEUE = new LeakyQueue();

  /** At most N in each window aligned to the clock. */
  Algorithm FIXED_WINDOW = new FixedWindow();

  /** At most N in every window, wherever it starts; remembers each request. */
  Algorithm SLIDING_WINDOW_LOG = new SlidingWindowLog();

  /** Nearly at most N in every window, from the counts of two aligned ones. */
  Algorithm SLIDING_WINDOW_COUNTER = new SlidingWindowCounter();

  /** At most N held at the same time. */
  Algorithm CONCURRENCY = new Concurrency();

  /** The name used in policies: {@code gcra}, {@code fixed-window}. */
  String name();

  /** The room a state under this limit takes. */
  default Shape shape(Limit limit) {
    return Shape.THREE_WORDS;
  }

  /**
   * Decides whether {@code cost} fits now. Allowed: sets the next state and calls {@link
   * Step#allow}. Denied: leaves the state as it is. A cost of 0 is always allowed and changes
   * nothing; a {@link Step#forced()} step always takes the cost.
   */
  void decide(Step step, Limit limit, long nowNanos, long cost);

  /** Says with {@link Step#used} how many units the state has used up at this instant. */
  void used(Step step, Limit limit, long nowNanos);

  /** Makes a state that has used, at this instant, what the step says. Rounds up, never down. */
  void carry(Step step, Limit limit, long nowNanos);

  /**
   * Turns a state written under limit {@code from} into one for limit {@code to} of this same
   * algorithm: what was used stays used, in units.
   */
  default void change(Step step, Limit from, Limit to, long nowNanos) {
    used(step, from, nowNanos);
    carry(step, to, nowNanos);
  }

  /**
   * Gives back {@code cost} units that were taken when {@code ticket} was issued ({@link
   * Step#ticket}), less what has come back by itself since; 0 means just now. Never lifts a key
   * above full.
   */
  default void giveBack(Step step, Limit limit, long nowNanos, long cost, long ticket) {
    used(step, limit, nowNanos);
    long left = Math.max(0, step.usedWhole() - cost);
    step.used(left, step.usedWhole() >= cost ? step.usedPart() : 0, step.usedOf());
    carry(step, limit, nowNanos);
  }

  /** The algorithm of that name. */
  static Algorithm named(String name) {
    Checks.given("algorithm", name, "a name");
    for (Algorithm algorithm : all()) {
      if (algorithm.name().equals(name)) {
        return algorithm;
      }
    }
    List<String> names = all().stream().map(Algorithm::name).toList();
    throw Checks.bad("algorithm", '"' + name + '"', String.join(", ", names));
  }

  /** Every algorithm that comes with the library. */
  static List<Algorithm> all() {
    return List.of(
        GCRA,
        TOKEN_BUCKET,
        LEAKY_BUCKET,
        LEAKY_QUEUE,
        FIXED_WINDOW,
        SLIDING_WINDOW_LOG,
        SLIDING_WINDOW_COUNTER,
        CONCURRENCY);
  }
}
