package io.penstock.server.security;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells who is asking, from what they show, for every protocol. Thread-safe. */
public final class Gatekeeper {
  private static final String BEARER = "Bearer ";

  private final List<Credentials> credentials;
  private final Caller anonymous;

  private Gatekeeper(List<Credentials> credentials) {
    this.credentials = List.copyOf(credentials);
    this.anonymous =
        new Caller(
            "anonymous",
            credentials.isEmpty() ? Map.of(Caller.EVERY_DOMAIN, Set.of(Role.ADMIN)) : Map.of());
  }

  /** Authentication is off: everybody may do everything. */
  public static Gatekeeper open() {
    return new Gatekeeper(List.of());
  }

  /** Only those whom one of these knows. */
  static Gatekeeper of(List<Credentials> credentials) {
    if (credentials.isEmpty()) {
      throw new IllegalArgumentException("credentials: [] (expected: at least one)");
    }
    return new Gatekeeper(credentials);
  }

  /** Whether authentication is off, so that everybody has every role. */
  public boolean isOpen() {
    return credentials.isEmpty();
  }

  /** Somebody who shows nothing: has every role if authentication is off, else none. */
  public Caller anonymous() {
    return anonymous;
  }

  /**
   * The caller of a request, from {@code Authorization: Bearer …} or else {@code X-API-Key}; null
   * if what is shown is nothing, or nobody's. With authentication off: {@link #anonymous}.
   */
  public @Nullable Caller byHeader(@Nullable String authorization, @Nullable String apiKey) {
    if (isOpen()) {
      return anonymous;
    }
    if (authorization == null) {
      return find(apiKey);
    }
    boolean isBearer = authorization.regionMatches(true, 0, BEARER, 0, BEARER.length());
    return isBearer ? find(authorization.substring(BEARER.length()).strip()) : null;
  }

  /** The caller who logs in with a key or token as password; the user's name is not looked at. */
  public @Nullable Caller login(@Nullable String user, String password) {
    return isOpen() ? anonymous : find(password);
  }

  private @Nullable Caller find(@Nullable String secret) {
    if (secret != null) {
      for (Credentials each : credentials) {
        Caller caller = each.find(secret);
        if (caller != null) {
          return caller;
        }
      }
    }
    return null;
  }
}
