package io.penstock.cli.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.penstock.server.Server;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Command;

/** What commands print for programs: JSON, whatever the answer is. */
class JsonAnswersTest {
  @Command(
      name = "penstock",
      subcommands = {Check.class, PolicyCommand.class, Shards.class, ClusterCommand.class})
  static final class Root {}

  private static Server server;

  @TempDir Path folder;

  private final Shell shell = new Shell(Root.class);

  @BeforeAll
  static void start(@TempDir Path data) throws Exception {
    server = Shell.serve(data);
  }

  @AfterAll
  static void end() {
    server.close();
  }

  private int ask(String... arguments) {
    return shell.runAt(server.addresses().url(), arguments);
  }

  /** The one line that was printed. */
  private JsonNode json() throws Exception {
    assertThat(shell.out()).hasLineCount(1);
    return Connection.JSON.readTree(shell.out());
  }

  @ParameterizedTest
  @CsvSource({
    "check  user=1 --json, 400",
    "policy get none/user --json, 404",
    "policy put none/user 10/x --json, 400",
    "policy put none/user 10/s --if-version 9 --json, 412",
    "policy delete none/user --json, 412",
    "policy history none/user --json, 404",
    "policy diff none/user --json, 404",
    "cluster drain n9 --json, 400",
    "cluster move 1 n9 --json, 400"
  })
  void refused_byTheServer_isItsProblemAndAMessage(String line, int status) throws Exception {
    assertThat(ask(line.split(" ", -1))).isEqualTo(3);
    assertThat(json().path("status").asInt()).isEqualTo(status);
    assertThat(json().path("detail").asText()).isNotEmpty();
    assertThat(shell.err()).startsWith("penstock: " + status + " ");
  }

  @Test
  void refused_otherwise_isJsonTooAndStatus1() throws Exception {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    HttpServer proxy = HttpServer.create(any, 0);
    proxy.createContext(
        "/",
        exchange -> {
          byte[] page = "<p>bad gateway\n".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(502, page.length);
          exchange.getResponseBody().write(page);
          exchange.close();
        });
    proxy.start();
    try {
      String url = "http://127.0.0.1:" + proxy.getAddress().getPort();
      assertThat(shell.runAt(url, "shards", "--json")).isEqualTo(1);
      assertThat(json()).hasToString("{\"status\":502,\"detail\":\"<p>bad gateway\"}");
      assertThat(shell.err()).isEqualTo("502 <p>bad gateway\n");
      assertThat(shell.runAt(url, "shards")).isEqualTo(1);
      assertThat(shell.out()).isEmpty();
    } finally {
      proxy.stop(0);
    }
  }

  @Test
  void list_cutShort_saysWhereTheNextOneBegins() throws Exception {
    for (String scope : List.of("cut/a", "cut/b", "cut/c")) {
      assertThat(ask("policy", "put", scope, "10/s")).isZero();
    }
    assertThat(ask("policy", "list", "--after", "cut", "--max", "2", "--json")).isZero();
    assertThat(json().path("policies")).hasSize(2);
    assertThat(json().path("next").asText()).isEqualTo("cut/b");
    assertThat(ask("policy", "list", "--after", "cut/b", "--json")).isZero();
    assertThat(json().path("policies").path(0).path("scope").asText()).isEqualTo("cut/c");
    assertThat(json().has("next")).isFalse();
  }

  @Test
  void delete_ofAPolicyOrATier_saysWhatWasDeleted() throws Exception {
    assertThat(ask("policy", "put", "gone/user", "10/s")).isZero();
    assertThat(ask("policy", "put", "tier:gone", "10/s")).isZero();
    assertThat(ask("policy", "delete", "gone/user", "--json")).isZero();
    assertThat(json()).hasToString("{\"deleted\":\"gone/user\"}");
    assertThat(ask("policy", "delete", "tier:gone", "--json")).isZero();
    assertThat(json()).hasToString("{\"deleted\":\"tier:gone\"}");
  }

  @Test
  void validate_validOrNot_saysSo() throws Exception {
    assertThat(shell.run("policy", "validate", "10/s", "--json")).isZero();
    assertThat(json()).hasToString("{\"valid\":true,\"problems\":[]}");
    assertThat(shell.run("policy", "validate", "10/x; 0/s", "--json")).isEqualTo(3);
    assertThat(json().path("valid").asBoolean(true)).isFalse();
    assertThat(json().path("problems")).hasSize(2);
    assertThat(json().path("problems").path(0).path("field").asText()).isEqualTo("limits[0]");
    assertThat(json().path("problems").path(0).path("value").asText()).isEqualTo("10/x");
    assertThat(json().path("problems").path(0).path("expected").asText()).isNotEmpty();
  }

  @Test
  void validate_tiersThatAreNotThere_saysWhichItDidNotLookUp() throws Exception {
    String file = "@" + folder.resolve("t.yaml");
    Files.writeString(
        folder.resolve("t.yaml"),
        "tiers: {free: {limits: [1/s]}}\npolicies: {a/b: {tier: none}, a/c: {tier: free}}\n");
    String told = "tier none: not looked up (expected: a tier that the server has)";
    assertThat(shell.run("policy", "validate", file)).isZero();
    assertThat(shell.out()).isEqualTo("valid\n");
    assertThat(shell.err()).isEqualTo("penstock: warning: " + told + "\n");
    assertThat(shell.run("policy", "validate", file, "--json")).isZero();
    assertThat(json())
        .hasToString("{\"valid\":true,\"problems\":[],\"warnings\":[\"" + told + "\"]}");
    assertThat(shell.run("policy", "validate", "{\"tier\":\"none\"}")).isZero();
    assertThat(shell.err()).isEqualTo("penstock: warning: " + told + "\n");
  }

  @Test
  void apply_fileThatIsWrong_tellsItAsValidateDoes() throws Exception {
    Path file = folder.resolve("p.yaml");
    Files.writeString(file, "policies:\n  wrong/user: {limits: [1/x]}\n");
    assertThat(ask("policy", "apply", "-f", file.toString(), "--json")).isEqualTo(3);
    assertThat(json().path("problems")).hasSize(1);
    assertThat(shell.err()).contains("nothing is changed");
    JsonNode told = json();
    assertThat(shell.run("policy", "validate", "@" + file, "--json")).isEqualTo(3);
    assertThat(json()).isEqualTo(told);
  }

  @Test
  void diff_versionThatNeverWas_isNotFound() throws Exception {
    assertThat(ask("policy", "put", "diff/user", "10/s")).isZero();
    assertThat(ask("policy", "diff", "diff/user", "--version", "77")).isEqualTo(3);
    assertThat(shell.out()).isEmpty();
    assertThat(shell.err()).isEqualTo("penstock: 404 version: 77 (expected: one of the history)\n");
    assertThat(ask("policy", "diff", "diff/user", "--version", "77", "--json")).isEqualTo(3);
    assertThat(json().path("status").asInt()).isEqualTo(404);
  }
}
