package io.penstock.server.node;

/** A caller wanted to give back under a policy that does not let everybody do so. */
public final class RefundRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  RefundRefusedException(long cost) {
    this("cost: " + cost + " (expected: >= 0, or a policy with refunds: true, or the role admin)");
  }

  /** As another node has told it. */
  public RefundRefusedException(String message) {
    super(message);
  }
}
