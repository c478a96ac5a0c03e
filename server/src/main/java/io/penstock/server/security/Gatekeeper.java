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

  /** A caller, and by what it is known. Immutable. */
  record Found(Caller caller, Credentials by) {}

  private final List<WatchedFiles<Credentials>> files;
  private final Caller anonymous;

  private Gatekeeper(List<WatchedFiles<Credentials>> files) {
    this.files = List.copyOf(files);
    this.anonymous =
        new Caller(
            "anonymous",
            files.isEmpty() ? Map.of(Caller.EVERY_DOMAIN, Set.of(Role.ADMIN)) : Map.of());
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
    List<WatchedFiles<Credentials>> files = new ArrayList<>();
    add(files, watch, access.apiKeys(), ApiKeys::parse);
    add(
        files,
        watch,
        access.jwtSecret(),
        secret -> new Tokens(List.of(TokenKey.Secret.of(secret)), demands, clock));
    add(
        files,
        watch,
        access.jwks(),
        set -> new Tokens(TokenKey.Public.parseSet(set), demands, clock));
    return new Gatekeeper(files);
  }

  private static void add(
      List<WatchedFiles<Credentials>> files,
      FileWatch watch,
      @Nullable Path file,
      Function<byte[], Credentials> parser) {
    if (file != null) {
      files.add(
          watch.add(WatchedFiles.open(List.of(file), contents -> parser.apply(contents.get(0)))));
    }
  }

  /** Whether authentication is off, so that everybody has every role. */
  public boolean isOpen() {
    return files.isEmpty();
  }

  /** Somebody who shows nothing: has every role if authentication is off, else none. */
  public Caller anonymous() {
    return anonymous;
  }

  /**
   * The caller of a request, from {@code Authorization: Bearer …}, or else, if that is nothing of
   * ours, from {@code X-API-Key}; null if neither is somebody's. With authentication off: {@link
   * #anonymous}.
   */
  public @Nullable Caller byHeader(@Nullable String authorization, @Nullable String apiKey) {
    if (isOpen()) {
      return anonymous;
    }
    Caller caller = caller(bearer(authorization));
    return caller == null ? caller(apiKey) : caller;
  }

  private static @Nullable String bearer(@Nullable String authorization) {
    return authorization != null && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
        ? authorization.substring(BEARER.length()).strip()
        : null;
  }

  private @Nullable Caller caller(@Nullable String secret) {
    Found found = secret == null ? null : find(secret);
    return found == null ? null : found.caller();
  }

  /**
   * Lets in who shows a key or token as password, for as long as it is valid; null if it is not.
   * The user's name is not looked at.
   */
  public @Nullable Login login(String password) {
    Found found = find(password);
    return found == null ? null : new Login(this, password, found);
  }

  @Nullable Found find(String secret) {
    for (WatchedFiles<Credentials> file : files) {
      Credentials credentials = file.value();
      Caller caller = credentials.find(secret);
      if (caller != null) {
        return new Found(caller, credentials);
      }
    }
    return null;
  }

  /** Whether somebody who was found is still known by the same, without a look at the secret. */
  boolean isInForce(Found found) {
    boolean current = false;
    for (WatchedFiles<Credentials> file : files) {
      current |= file.value() == found.by();
    }
    return current && !found.by().expire();
  }
}
