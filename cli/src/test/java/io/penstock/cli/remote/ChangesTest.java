package io.penstock.cli.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.Server;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A history that the server tells in several answers. */
class ChangesTest {
  /** So many documents of so many blanks are more than 8 MB. */
  private static final int MANY = 150;

  private static final String BLANKS = " ".repeat(60_000);

  private static Server server;

  private final Shell shell = new Shell(RemoteTest.Root.class);

  @BeforeAll
  static void start(@TempDir Path data) throws Exception {
    server = Shell.serve(data);
    URI policy = URI.create(server.addresses().url() + "/v1/policies/long%2Fuser");
    HttpClient client = HttpClient.newHttpClient();
    for (int i = 1; i <= MANY; i++) {
      String document = "{\"limits\":[\"" + i + "/s\"]" + BLANKS + "}";
      HttpRequest put =
          HttpRequest.newBuilder(policy)
              .header(i == 1 ? "If-None-Match" : "If-Match", "*")
              .PUT(BodyPublishers.ofString(document))
              .build();
      HttpResponse<String> answer = client.send(put, BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(i == 1 ? 201 : 200);
    }
  }

  @AfterAll
  static void end() {
    server.close();
  }

  private int ask(String... arguments) {
    return shell.runAt(server.addresses().url(), arguments);
  }

  @Test
  void history_ofSeveralAnswers_showsEveryChange() throws Exception {
    assertThat(ask("policy", "history", "long/user")).isZero();
    assertThat(shell.out().lines().skip(1)).hasSize(MANY);
    assertThat(shell.out().lines().skip(MANY)).singleElement().asString().startsWith("1 ");
    assertThat(ask("policy", "history", "long/user", "--json")).isZero();
    assertThat(Connection.JSON.readTree(shell.out()).path("history")).hasSize(MANY);
    assertThat(Connection.JSON.readTree(shell.out()).has("next")).isFalse();
  }

  @Test
  void diff_withAVersionBehindTheFirstAnswer_findsIt() {
    assertThat(ask("policy", "diff", "long/user", "--version", "1")).isEqualTo(3);
    assertThat(shell.out()).contains("limits  1/s     " + MANY + "/s\n");
    assertThat(ask("policy", "diff", "long/user", "--version", Integer.toString(MANY))).isZero();
    assertThat(ask("policy", "diff", "long/user")).isEqualTo(3);
    assertThat(shell.out()).contains((MANY - 1) + "/s", MANY + "/s");
  }
}
