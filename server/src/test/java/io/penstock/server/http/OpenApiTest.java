package io.penstock.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The document tells every route there is, and no other. */
class OpenApiTest {
  /** The methods the document can name; forward-auth takes any. */
  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE");

  private static Stream<String> told(Route route) {
    return route.takesAnyMethod()
        ? METHODS.stream().map(method -> method + " " + route.path())
        : Stream.of(route.method() + " " + route.path());
  }

  @Test
  void document_routeByRoute_isWhatTheServerHas(@TempDir Path folder) throws Exception {
    try (Rig rig = new Rig(folder)) {
      JsonNode document = Rig.json(rig.get("/openapi.json"));
      assertThat(document.get("openapi").asText()).startsWith("3.1");
      Set<String> documented = new TreeSet<>();
      Set<String> ids = new TreeSet<>();
      for (Map.Entry<String, JsonNode> path : document.get("paths").properties()) {
        for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
          String method = operation.getKey().toUpperCase(Locale.ROOT);
          if (METHODS.contains(method)) {
            documented.add(method + " " + path.getKey());
            ids.add(operation.getValue().get("operationId").asText());
          }
        }
      }
      assertThat(documented)
          .isEqualTo(
              rig.routes().stream()
                  .flatMap(OpenApiTest::told)
                  .collect(Collectors.toCollection(TreeSet::new)));
      assertThat(ids).as("operation ids").hasSameSizeAs(documented);
    }
  }

  @Test
  void document_parametersOfQueries_areThoseTheRoutesKnow(@TempDir Path folder) throws Exception {
    try (Rig rig = new Rig(folder)) {
      JsonNode paths = Rig.json(rig.get("/openapi.json")).get("paths");
      for (Route route : rig.routes()) {
        if (!route.takesAnyMethod()) {
          JsonNode operation = paths.get(route.path()).get(route.method().toLowerCase(Locale.ROOT));
          Set<String> told = new TreeSet<>();
          for (JsonNode parameter : operation.path("parameters")) {
            if (parameter.get("in").asText().equals("query")) {
              told.add(parameter.get("name").asText());
            }
          }
          assertThat(told).as(told(route).toList().toString()).isEqualTo(route.query());
        }
      }
    }
  }

  @Test
  void document_everyReference_leadsSomewhere(@TempDir Path folder) throws Exception {
    try (Rig rig = new Rig(folder)) {
      JsonNode document = Rig.json(rig.get("/openapi.json"));
      assertThat(document.findValuesAsText("$ref"))
          .isNotEmpty()
          .allSatisfy(
              ref -> assertThat(document.at(ref.substring(1)).isMissingNode()).as(ref).isFalse());
    }
  }
}
