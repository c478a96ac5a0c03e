package io.penstock.server.security;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.penstock.server.policy.Misread;
import io.penstock.server.policy.Problem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Callers by the SHA-256 of their API keys. Immutable. */
final class ApiKeys implements Credentials {
  private static final Pattern SHA256 = Pattern.compile("[0-9a-fA-F]{64}");
  private static final Set<String> FIELDS = Set.of("name", "key", "sha256", "roles");
  private static final int KEY_LENGTH_MIN = 16;

  /** A digest that is compared in constant time, wherever the first difference is. */
  private static final class Digest {
    private final byte[] bytes;

    Digest(byte[] bytes) {
      this.bytes = bytes;
    }

    static Digest of(String key) {
      try {
        return new Digest(
            MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8)));
      } catch (NoSuchAlgorithmException impossible) {
        throw new IllegalStateException(impossible);
      }
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Digest that && MessageDigest.isEqual(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
      return ByteBuffer.wrap(bytes).getInt();
    }
  }

  private final Map<Digest, Caller> callers;

  private ApiKeys(Map<Digest, Caller> callers) {
    this.callers = callers;
  }

  @Override
  public @Nullable Caller find(String secret) {
    return callers.get(Digest.of(secret));
  }

  @Override
  public boolean expire() {
    return false;
  }

  /** Reads a YAML list of callers; tells all problems, and no key. */
  static ApiKeys parse(byte[] yaml) {
    Map<Digest, Caller> callers = new HashMap<>();
    List<Problem> problems = new ArrayList<>();
    JsonNode list = tree(yaml);
    if (list != null && !list.isArray() && !list.isNull() && !list.isMissingNode()) {
      problems.add(new Problem("api-keys", list.getNodeType().toString(), "a list of callers"));
    } else if (list != null) {
      for (int i = 0; i < list.size(); i++) {
        read(list.get(i), "[" + i + "]", callers, problems);
      }
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(
          problems.stream().map(Problem::toString).collect(Collectors.joining("; ")));
    }
    return new ApiKeys(callers);
  }

  private static @Nullable JsonNode tree(byte[] yaml) {
    YAMLMapper mapper =
        new YAMLMapper(
            YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build());
    try {
      return mapper.readTree(yaml);
    } catch (JsonProcessingException broken) {
      // The parser's own message quotes the line, and with it perhaps a key.
      String place = Misread.yamlPlace(broken);
      throw new IllegalArgumentException(
          place + ": not YAML, or a field twice (expected: a list of keys)", null);
    } catch (IOException impossible) {
      throw new IllegalArgumentException("not YAML", impossible);
    }
  }

  private static void read(
      JsonNode entry, String place, Map<Digest, Caller> callers, List<Problem> problems) {
    int before = problems.size();
    for (Map.Entry<String, JsonNode> field : entry.properties()) {
      if (!FIELDS.contains(field.getKey())) {
        problems.add(new Problem(place, field.getKey(), "name, key or sha256, roles"));
      }
    }
    String name = entry.path("name").asText();
    if (name.isBlank()) {
      problems.add(new Problem(place + ".name", name, "who has this key"));
    }
    Map<String, Set<Role>> roles =
        Grants.read(
            entry.get("roles"),
            wrong -> problems.add(new Problem(place + ".roles", wrong, Grants.EXPECTED)));
    Digest digest = digest(entry, place, problems);
    if (problems.size() == before
        && digest != null
        && callers.put(digest, new Caller(name, roles)) != null) {
      problems.add(new Problem(place, name, "a key that nobody else has"));
    }
  }

  private static @Nullable Digest digest(JsonNode entry, String place, List<Problem> problems) {
    String key = entry.path("key").asText();
    String sha256 = entry.path("sha256").asText();
    if (key.isEmpty() == sha256.isEmpty()) {
      problems.add(new Problem(place, key.isEmpty() ? "neither" : "both", "key or sha256"));
    } else if (!key.isEmpty() && key.length() < KEY_LENGTH_MIN) {
      problems.add(
          new Problem(
              place + ".key", "shorter", "at least " + KEY_LENGTH_MIN + " random characters"));
    } else if (!sha256.isEmpty() && !SHA256.matcher(sha256).matches()) {
      problems.add(new Problem(place + ".sha256", "something else", "64 hexadecimal digits"));
    } else {
      return key.isEmpty() ? new Digest(HexFormat.of().parseHex(sha256)) : Digest.of(key);
    }
    return null;
  }
}
