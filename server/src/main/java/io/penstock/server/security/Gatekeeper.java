package io.penstock.server.security;

import io.penstock.server.config.ServerConfig.Access;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
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

  /**
   * As configured. The files are read now, and again when they change.
   *
   * @throws IllegalArgumentException if a file is wrong; the message holds no secret
   */
  public static Gatekeeper of(Access access, InstantSource clock, FileWatch watch) {
    Tokens.Demands demands = new Tokens.Demands(access.issuer(), access.audience());
    List<Credentials> credentials = new ArrayList<>();
    add(credentials, watch, access.apiKeys(), ApiKeys::parse);
    add(
        credentials,
        watch,
        access.jwtSecret(),
        secret -> new Tokens(List.of(TokenKey.Secret.of(secret)), demands, clock));
    add(
        credentials,
        watch,
        access.jwks(),
        set -> new Tokens(TokenKey.Public.parseSet(set), demands, clock));
    return new Gatekeeper(credentials);
  }

  private static void add(
      List<Credentials> credentials,
      FileWatch watch,
      @Nullable Path file,
      Function<byte[], Credentials> parser) {
    if (file != null) {
      WatchedFiles<Credentials> watched =
          watch.add(WatchedFiles.open(List.of(file), contents -> parser.apply(contents.get(0))));
      credentials.add(secret -> watched.value().find(secret));
    }
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
