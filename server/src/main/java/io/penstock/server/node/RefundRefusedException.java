package io.penstock.server.node;

/** A caller wanted to give back under a policy that does not let everybody do so. */
public final class RefundRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  RefundRefusedException(long cost) {
    super("cost: " + cost + " (expected: >= 0, or a policy with refunds: true, or the role admin)");
  }
}
