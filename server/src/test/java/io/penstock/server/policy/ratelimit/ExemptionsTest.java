package io.penstock.server.policy.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Which descriptors without a limit get a policy that lets them pass: those that a less specific
 * limit would apply to, as nothing does in envoyproxy/ratelimit.
 */
class ExemptionsTest {
  private static final String RATE = "rate_limit: {unit: hour, requests_per_unit: 1}";

  /** A file of two descriptors, each a way of {@code key} or {@code key=value} from the root. */
  private static RatelimitYaml read(String limited, String free) {
    Map<String, String> ways = new LinkedHashMap<>();
    ways.put(limited, RATE);
    ways.put(free, "shadow_mode: false");
    return RatelimitYaml.read("{domain: d, " + descriptors(ways) + "}");
  }

  private static String descriptors(Map<String, String> ways) {
    Map<String, Map<String, String>> below = new LinkedHashMap<>();
    ways.forEach(
        (way, end) -> {
          String[] level = way.split("/", 2);
          below
              .computeIfAbsent(level[0], first -> new LinkedHashMap<>())
              .put(level.length == 1 ? "" : level[1], end);
        });
    List<String> all = new ArrayList<>();
    below.forEach(
        (level, rest) -> {
          String[] entry = level.split("=", 2);
          String value = entry.length == 1 ? "" : "value: '" + entry[1] + "', ";
          String end = rest.containsKey("") ? rest.get("") : descriptors(rest);
          all.add("{key: " + entry[0] + ", " + value + end + "}");
        });
    return "descriptors: [" + String.join(", ", all) + "]";
  }

  @ParameterizedTest
  @CsvSource({
    // one level
    "u, u=admin",
    "u=*, u=admin",
    "u=a*, u=ab*",
    "u=a*, u=*z",
    // nested, with a value and without
    "a/b, a=1/b",
    "a/b, a=1/b=x",
    "a/b=x, a=1/b",
    "a/b=x, a=1/b=x*",
    "a/b=x*, a=1/b=*y",
    "a/b, a=1*/b",
    "a=1*/b=x, a=12/b",
    "a=1*/b, a=1*2/b",
    "a=1/b=x*, a=1/b=xy",
    "a/b/c=1, a/b=x/c",
    "a/b/c=1, a=1/b/c",
    "a/b=x/c, a=1/b/c",
  })
  void read_lessSpecificLimitWouldApply_isLetPass(String limited, String free) {
    RatelimitYaml yaml = read(limited, free);
    assertThat(yaml.documents()).hasSize(2).containsEntry("d/" + free, "{\"unlimited\":true}");
  }

  @ParameterizedTest
  @CsvSource({
    "u, v=admin",
    "u=b, u=a",
    "u=b*, u=a",
    "u=b*, u=a*",
    "u=*y, u=*z",
    "u=a, u",
    "u=a*, u",
    "u=a, u=a*",
    "a/b, a=1",
    "a, a=1/b",
    "a/b, a=1/c",
    "a/b=x, a=1/b=y",
    "a/b=x*, a=1/b=y*",
    "a=2*/b, a=1/b",
    "a=1/b, a/b=x",
    "a/b=x, a/b=y",
  })
  void read_noLimitWouldApply_hasNoPolicy(String limited, String free) {
    RatelimitYaml yaml = read(limited, free);
    assertThat(yaml.documents()).containsKey("d/" + limited).doesNotContainKey("d/" + free);
  }
}
