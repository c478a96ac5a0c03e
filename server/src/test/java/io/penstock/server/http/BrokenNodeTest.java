package io.penstock.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.node.Answer;
import io.penstock.server.node.Asker;
import io.penstock.server.node.CheckRequest;
import io.penstock.server.node.Node;
import io.penstock.testkit.LogLines;
import java.lang.reflect.Proxy;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node that fails: whoever asked hears of it, and nothing is charged twice. */
class BrokenNodeTest {
  private static final String SHORT_WAY = "X-Any: any";
  private static final String LONG_WAY = "Upgrade: nothing";
  private static final String BODY = Rig.body("api", "user", "42", 1);

  @TempDir Path folder;

  @FunctionalInterface
  private interface Deciding {
    void decide(Node node, CheckRequest request, Asker<Answer> done);
  }

  /** One whose checks that consume are decided as told, and fail then. */
  private Rig failing(Deciding deciding) throws Exception {
    Rig rig = Rig.behind(folder, node -> failing(node, deciding));
    return rig.policy("api/user", "{\"limits\":[\"5/hour\"]}");
  }

  @SuppressWarnings("unchecked")
  private static Node failing(Node node, Deciding deciding) {
    return (Node)
        Proxy.newProxyInstance(
            Node.class.getClassLoader(),
            new Class<?>[] {Node.class},
            (proxy, method, arguments) -> {
              boolean isCheck = method.getName().equals("check");
              if (isCheck && ((CheckRequest) arguments[0]).asked().get(0).cost() > 0) {
                deciding.decide(node, (CheckRequest) arguments[0], (Asker<Answer>) arguments[1]);
                throw new IllegalStateException("broken after it has decided");
              }
              return method.invoke(node, arguments);
            });
  }

  /** One that ends the tries of a policy with an error, as if there was no memory left. */
  private static Node ending(Node node) {
    return (Node)
        Proxy.newProxyInstance(
            Node.class.getClassLoader(),
            new Class<?>[] {Node.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("tryOut")) {
                throw new OutOfMemoryError("as a test");
              }
              return method.invoke(node, arguments);
            });
  }

  private static String ask(Rig rig, String field) throws Exception {
    String check =
        "POST /v1/check HTTP/1.1\r\nHost: a\r\n%s\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(field, BODY.length(), BODY);
    try (RawSocket socket = new RawSocket(rig.front.port())) {
      return socket.send(check + RawSocket.LAST).readToEnd();
    }
  }

  private static long remaining(Rig rig) throws Exception {
    return rig.check("user", "42", 0).get("remaining").asLong();
  }

  @ParameterizedTest
  @ValueSource(strings = {SHORT_WAY, LONG_WAY})
  void check_failsAfterItWasDecided_is500AndConsumedOnce(String field) throws Exception {
    Asker<Answer> nobody = Asker.of(answer -> {}, cause -> {});
    try (Rig rig = failing((node, request, done) -> node.check(request, nobody))) {
      String answers = ask(rig, field);

      assertThat(RawSocket.statuses(answers)).containsExactly(500, 404);
      assertThat(answers).contains("application/problem+json").doesNotContain("broken after");
      assertThat(remaining(rig)).isEqualTo(4);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {SHORT_WAY, LONG_WAY})
  void check_failsAfterItWasAnswered_isAnsweredAndConsumedOnce(String field) throws Exception {
    try (Rig rig = failing(Node::check)) {
      String answers = ask(rig, field);

      assertThat(RawSocket.statuses(answers)).containsExactly(200, 404);
      assertThat(answers).contains("\"remaining\":4");
      assertThat(remaining(rig)).isEqualTo(4);
    }
  }

  @Test
  void dryRun_endsWithAnError_is500AndTold() throws Exception {
    try (LogLines log = new LogLines(/* name= */ "", Level.SEVERE);
        Rig rig = Rig.behind(folder, BrokenNodeTest::ending)) {
      HttpResponse<String> failed =
          rig.post("/v1/policies/api%2Fuser/dry-run", "{\"limits\":[\"5/hour\"]}");

      assertThat(failed.statusCode()).isEqualTo(500);
      assertThat(failed.body()).doesNotContain("as a test");
      assertThat(log.lines()).containsExactly("a request failed");
    }
  }
}
