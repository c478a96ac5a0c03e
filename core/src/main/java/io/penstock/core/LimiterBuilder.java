package io.penstock.core;

import io.penstock.core.state.KeyHash;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/** The parts of a limiter in memory: all but the policy have a default. Confined to one thread. */
public final class LimiterBuilder {
  private static final long BYTES_DEFAULT = 64L << 20;
  private static final long BYTES_MIN = 64L << 10;
  private static final long BYTES_MAX = 1L << 38;

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final KeyHash PROCESS_HASH = new KeyHash(RANDOM.nextLong(), RANDOM.nextLong());

  private @Nullable Policy policy;
  private @Nullable Algorithm algorithm;
  private @Nullable KeyHash keyHash;
  Clock clock = Clock.system();
  @Nullable Store store;
  @Nullable DecisionListener listener;
  long maxBytes = BYTES_DEFAULT;

  LimiterBuilder() {}

  /** What is allowed. */
  public LimiterBuilder policy(Policy policy) {
    this.policy = Checks.given("policy", policy, "a policy");
    return this;
  }

  /** What is allowed, as {@link Policy#parse} reads it. */
  public LimiterBuilder policy(String policy) {
    return policy(Policy.parse(policy));
  }

  /**
   * How rates are counted, instead of what this policy says. One that comes later, by {@link
   * Limiter#update} or {@link Limiter#override}, says it itself: {@link Policy#withAlgorithm}.
   */
  public LimiterBuilder algorithm(Algorithm algorithm) {
    this.algorithm = Checks.given("algorithm", algorithm, "an algorithm");
    return this;
  }

  /** Where the time comes from; default the system clock. */
  public LimiterBuilder clock(Clock clock) {
    this.clock = Checks.given("clock", clock, "a clock");
    return this;
  }

  /** Where states live, instead of a table in memory. A store belongs to one limiter at a time. */
  public LimiterBuilder store(Store store) {
    this.store = Checks.given("store", store, "a store");
    return this;
  }

  /** Who hears of every decision. */
  public LimiterBuilder listener(DecisionListener listener) {
    this.listener = Checks.given("listener", listener, "a listener");
    return this;
  }

  /**
   * How much memory the table may use, in bytes; default 64 MiB. A GCRA key takes 24 bytes, or 48
   * if its rate needs fractions of a nanosecond ({@link Limit#unitDenominator}), any other state of
   * fixed size 48, a log beside that 64 bytes for up to three entries and up to 32 for each more.
   * When all is in use, a check that needs more is answered by the fail mode of the policy, and
   * counted in {@link MemoryLimiter#memory}. The memory is direct memory of the process.
   */
  public LimiterBuilder maxBytes(long maxBytes) {
    this.maxBytes = Checks.between("maxBytes", maxBytes, BYTES_MIN, BYTES_MAX);
    return this;
  }

  /** The secret under which keys are hashed; default one that is drawn when the process starts. */
  public LimiterBuilder hashSecret(long secret0, long secret1) {
    this.keyHash = new KeyHash(secret0, secret1);
    return this;
  }

  /**
   * A limiter of these parts.
   *
   * @throws NullPointerException if no policy was given
   * @throws IllegalArgumentException if a log of the policy can never fit {@link #maxBytes}
   */
  public MemoryLimiter build() {
    return new MemoryLimiter(this);
  }

  Policy policy() {
    Policy given = Checks.given("policy", policy, "a policy");
    return algorithm == null ? given : given.withAlgorithm(algorithm);
  }

  KeyHash keyHash() {
    return keyHash == null ? PROCESS_HASH : keyHash;
  }
}
