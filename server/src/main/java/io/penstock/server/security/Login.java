package io.penstock.server.security;

import org.jspecify.annotations.Nullable;

/**
 * Somebody who has shown a key or token once and stays. Who that is, is asked again when the file
 * of the keys changes, and each time if a token may end by itself. Confined to one thread.
 */
public final class Login {
  private final Gatekeeper gatekeeper;
  private final String secret;
  private Gatekeeper.Found found;

  Login(Gatekeeper gatekeeper, String secret, Gatekeeper.Found found) {
    this.gatekeeper = gatekeeper;
    this.secret = secret;
    this.found = found;
  }

  /** Who it is now; null if the key or token is nobody's any more. */
  public @Nullable Caller caller() {
    if (gatekeeper.isInForce(found)) {
      return found.caller();
    }
    Gatekeeper.Found now = gatekeeper.find(secret);
    if (now == null) {
      return null;
    }
    found = now;
    return now.caller();
  }
}
