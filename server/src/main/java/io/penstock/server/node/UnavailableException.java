package io.penstock.server.node;

/** Nobody answered what was asked; it may have been done all the same. */
public final class UnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public UnavailableException(String message) {
    // A stack would only say where nobody answered, and a failover makes many of these.
    super(message, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
  }

  /** What was decided where its log ended, or failed, before it was kept (R4). */
  static UnavailableException unkept() {
    return new UnavailableException(
        "log: ended before this was kept (expected: that it is; it may have been done: ask again)");
  }
}
