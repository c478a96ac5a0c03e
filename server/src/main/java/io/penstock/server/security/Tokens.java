package io.penstock.server.security;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Callers by signed JSON Web Tokens (RFC 7519, compact form). Thread-safe. */
final class Tokens implements Credentials {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();
  private static final int LENGTH_MAX = 8 << 10;
  private static final long SKEW_SECONDS = 30;

  /** No clock gets there, and what is added to it still fits. */
  private static final long FAR_SECONDS = Long.MAX_VALUE / 2;

  private static final int KNOWN_MAX = 10_000;

  /** What a token must say beside being signed. */
  record Demands(@Nullable String issuer, @Nullable String audience) {}

  private record Known(Caller caller, long fromSeconds, long untilSeconds) {
    boolean isValid(long now) {
      return now < untilSeconds && now >= fromSeconds;
    }
  }

  private final List<TokenKey> keys;
  private final Demands demands;
  private final InstantSource clock;

  /** Tokens that were verified, since a signature costs more than a thousand checks. */
  private final Map<String, Known> known = new ConcurrentHashMap<>();

  Tokens(List<TokenKey> keys, Demands demands, InstantSource clock) {
    this.keys = List.copyOf(keys);
    this.demands = demands;
    this.clock = clock;
  }

  @Override
  public @Nullable Caller find(String secret) {
    Known found = known.get(secret);
    if (found == null) {
      found = verified(secret);
      if (found == null) {
        return null;
      }
      if (known.size() >= KNOWN_MAX) {
        known.clear();
      }
      known.put(secret, found);
    }
    return found.isValid(clock.instant().getEpochSecond()) ? found.caller() : null;
  }

  @Override
  public boolean expire() {
    return true;
  }

  private @Nullable Known verified(String token) {
    String[] parts = token.split("\\.", -1);
    /* The decoder takes padding, which no part of a token has (RFC 7515, 2). */
    if (parts.length != 3 || token.length() > LENGTH_MAX || token.indexOf('=') >= 0) {
      return null;
    }
    try {
      JsonNode head = JSON.readTree(decoded(parts[0]));
      byte[] signed = (parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII);
      return isSigned(head, signed, decoded(parts[2])) ? claims(decoded(parts[1])) : null;
    } catch (IOException | GeneralSecurityException | IllegalArgumentException malformed) {
      return null;
    }
  }

  private static byte[] decoded(String part) {
    return Base64.getUrlDecoder().decode(part);
  }

  private boolean isSigned(JsonNode head, byte[] signed, byte[] signature)
      throws GeneralSecurityException {
    if (!head.isObject() || head.has("crit")) {
      return false;
    }
    String algorithm = head.path("alg").asText();
    String id = head.path("kid").asText();
    for (TokenKey key : keys) {
      boolean fits = id.isEmpty() || key.id().isEmpty() || key.id().equals(id);
      if (fits && key.algorithm().equals(algorithm) && key.verifies(signed, signature)) {
        return true;
      }
    }
    return false;
  }

  private @Nullable Known claims(byte[] json) throws IOException {
    JsonNode claims = JSON.readTree(json);
    JsonNode until = claims.path("exp");
    JsonNode from = claims.path("nbf");
    boolean timed = until.isNumber() && (from.isMissingNode() || from.isNumber());
    if (!timed || !isFrom(claims) || !isForUs(claims.path("aud"))) {
      return null;
    }
    Map<String, Set<Role>> roles = Grants.read(claims.get("roles"), ignored -> {});
    Caller caller = new Caller(claims.path("sub").asText("token"), roles);
    return new Known(caller, seconds(from) - SKEW_SECONDS, seconds(until) + SKEW_SECONDS);
  }

  /** The time that a claim says, which may be any number; 0 if it says none. */
  private static long seconds(JsonNode claim) {
    boolean isFar = claim.isNumber() && !claim.canConvertToLong();
    long near = isFar ? (claim.doubleValue() < 0 ? -FAR_SECONDS : FAR_SECONDS) : claim.asLong();
    return Math.max(-FAR_SECONDS, Math.min(FAR_SECONDS, near));
  }

  private boolean isFrom(JsonNode claims) {
    String issuer = demands.issuer();
    return issuer == null || issuer.equals(claims.path("iss").asText());
  }

  private boolean isForUs(JsonNode audience) {
    String wanted = demands.audience();
    if (wanted == null || (audience.isTextual() && wanted.equals(audience.asText()))) {
      return true;
    }
    for (JsonNode each : audience) {
      if (wanted.equals(each.asText())) {
        return true;
      }
    }
    return false;
  }
}
