package io.penstock.core;

/**
 * Units taken before their real number is known, or a slot that is held. Thread-safe; settled once,
 * and settling it again does nothing.
 *
 * <pre>{@code
 * try (Reservation reservation = limiter.reserve("org:7", 4000)) {
 *   if (reservation.allowed()) {
 *     reservation.commit(call().tokens());
 *   }
 * }
 * }</pre>
 */
public interface Reservation extends AutoCloseable {
  /** The decision about the estimate. */
  Decision decision();

  /** Whether the estimate was taken. */
  default boolean allowed() {
    return decision().allowed();
  }

  /**
   * Settles for the real cost: gives back what the estimate was too high, or takes what it was too
   * low even if that is more than is left, as a debt. The work is over then: slots of {@code
   * concurrent} limits are freed, whatever the cost. So one policy may hold both: {@code 2
   * concurrent lease 30s; 100/min}.
   *
   * @throws IllegalStateException if the reservation was denied
   */
  void commit(long cost);

  /**
   * Gives the estimate back, less what has come back by itself since, also if the policy was
   * replaced meanwhile. What was given back by {@link Limiter#refund} must not be cancelled too.
   */
  void cancel();

  /** Starts the lease of a held slot anew; false if it has ended or this is not a held slot. */
  boolean renew();

  /** Cancels what was not committed. */
  @Override
  default void close() {
    cancel();
  }
}
