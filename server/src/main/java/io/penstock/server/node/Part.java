package io.penstock.server.node;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer for one descriptor of a check. Immutable.
 *
 * @param allowed whether this descriptor would let it pass
 * @param policy the scope of the policy that applies; null if none does
 * @param policyVersion its version; 0 if none applies
 * @param why why
 * @param deciding index into the meters of the limit that decides; -1 if there is none
 * @param meters one per limit of the policy; empty if nothing is counted
 * @param retryAfterNanos 0 if allowed, {@link Long#MAX_VALUE} for never
 */
public record Part(
    boolean allowed,
    @Nullable String policy,
    long policyVersion,
    Why why,
    int deciding,
    List<Meter> meters,
    long retryAfterNanos) {

  /** In place of a time: try again when the limit that decides says so. */
  public static final long AS_METER = -1;

  public Part {
    if (retryAfterNanos == AS_METER) {
      retryAfterNanos = allowed || deciding < 0 ? 0 : meters.get(deciding).retryAfterNanos();
    }
  }

  /** The same with another time to try again. */
  public Part retryingAfter(long nanos) {
    return new Part(allowed, policy, policyVersion, why, deciding, meters, nanos);
  }

  /** This answer, of which what comes after a while is told by another one, made for then. */
  Part continued(Part then, long whileNanos) {
    long wait = then.retryAfterNanos();
    long retry = wait == Long.MAX_VALUE ? wait : whileNanos + wait;
    Meter last = then.meter();
    long reset = whileNanos + (last == null ? 0 : last.resetAfterNanos());
    boolean waits = retryAfterNanos > whileNanos;
    Why later = retry == Long.MAX_VALUE ? Why.NEVER : Why.LIMITED;
    return new Part(
        allowed,
        policy,
        policyVersion,
        waits ? later : why,
        deciding,
        meters.stream().map(meter -> meter.continued(whileNanos, retry, reset)).toList(),
        waits ? retry : retryAfterNanos);
  }

  /** The limit that decides; null if nothing is counted. */
  public @Nullable Meter meter() {
    return deciding < 0 ? null : meters.get(deciding);
  }
}
