package io.penstock.cli.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.Server;
import io.penstock.server.config.ServerConfig;
import io.penstock.server.config.Setting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Command;

/** A whole policy file, and a real server that it is brought to. */
class PolicyApplyTest {
  @Command(name = "penstock", subcommands = PolicyCommand.class)
  static final class Root {}

  private Server server;

  @TempDir Path folder;

  private final Shell shell = new Shell(Root.class);

  @BeforeEach
  void start(@TempDir Path data) throws Exception {
    server = Shell.serve(data);
  }

  @AfterEach
  void end() {
    server.close();
  }

  private int ask(String... arguments) {
    return shell.runAt(server.addresses().url(), arguments);
  }

  private String file(String text) throws Exception {
    return Files.writeString(folder.resolve("policies.yaml"), text).toString();
  }

  private String listed(String... arguments) {
    List<String> all = new ArrayList<>(List.of("policy", "list"));
    all.addAll(List.of(arguments));
    assertThat(ask(all.toArray(String[]::new))).isZero();
    return shell.out().replaceAll(" +", " ");
  }

  @Test
  void apply_file_createsReplacesAndLeavesOrPrunes() throws Exception {
    assertThat(ask("policy", "put", "tier:old", "1/s")).isZero();
    assertThat(ask("policy", "put", "api/old", "{\"tier\":\"old\"}")).isZero();
    assertThat(ask("policy", "put", "api/user", "10/s")).isZero();
    assertThat(ask("policy", "put", "api/same", "{\"limits\":[ \"7/s\" ]}")).isZero();
    String yaml =
        """
        tiers: {free: {limits: [5/s]}}
        policies:
          api/user: {limits: [20/s], shadow: true}
          api/same: {limits: [7/s]}
          api/user=acme: {tier: free}
        """;
    assertThat(ask("policy", "apply", "-f", file(yaml))).isZero();
    assertThat(shell.out())
        .isEqualTo(
            """
            + tier:free  5/s
            ~ api/user  limits 10/s -> 20/s, shadow - -> true
            + api/user=acme  tier free
            2 created, 1 replaced, 0 deleted, 1 unchanged; 3 not in the file (--prune deletes them)
            """);
    assertThat(listed()).contains("api/old 1 ", "api/user 2 20/s; shadow true\n", "api/same 1 7/s");
    assertThat(ask("policy", "apply", "--file", file(yaml), "--prune")).isZero();
    assertThat(shell.out())
        .contains("- api/old  tier old\n- demo/user  5/min\n- tier:old  1/s\n")
        .endsWith("0 created, 0 replaced, 3 deleted, 4 unchanged\n");
    assertThat(listed()).doesNotContain("api/old").contains("api/user=acme 1 tier free");
    assertThat(listed("--tiers")).doesNotContain("old").contains("free 1 5/s");
    assertThat(ask("policy", "apply", "-f", file(yaml), "--prune")).isZero();
    assertThat(shell.out()).isEqualTo("0 created, 0 replaced, 0 deleted, 4 unchanged\n");
  }

  @Test
  void apply_anythingWrong_changesNothing() throws Exception {
    assertThat(ask("policy", "put", "tier:t", "10/s")).isZero();
    String window = "{\"tier\":\"t\",\"override\":{\"algorithm\":\"fixed-window\"}}";
    assertThat(ask("policy", "put", "api/window", window)).isZero();
    String before = listed() + listed("--tiers");
    for (String[] wrong :
        new String[][] {
          {"", "file: empty"},
          {"policies: {a/b: {limits: [1/s]}, a/c: {limits: [1/x]}, a/d: {}}", "1/x"},
          {
            "policies: {a/b: {limits: [1/s]}, a/c: {tier: none}}",
            "a/c.tier (line 1, column 46): none"
          },
          {
            "policies: {a/b: {limits: [1/s]}}\ntiers: {t: {limits: [1/s burst 2]}}",
            "policy api/window: "
          }
        }) {
      assertThat(ask("policy", "apply", "-f", file(wrong[0]))).as(wrong[0]).isEqualTo(3);
      assertThat(shell.err()).contains("nothing is changed").contains(wrong[1]);
      assertThat(listed() + listed("--tiers")).isEqualTo(before);
    }
    assertThat(ask("policy", "apply", "--prune", "-f", file("policies: {a/b: {tier: t}}")))
        .as("its tier would go")
        .isEqualTo(3);
    assertThat(ask("policy", "apply")).isEqualTo(2);
    assertThat(ask("policy", "apply", "-f", "nowhere.yaml")).isEqualTo(1);
  }

  @Test
  void apply_unknownTiersAndOtherMistakes_tellsAll() throws Exception {
    assertThat(ask("policy", "put", "tier:there", "10/s")).isZero();
    String wrong = "policies: {a/b: {}, a/c: {tier: none}, a/d: {tier: there}}";
    assertThat(ask("policy", "apply", "-f", file(wrong))).isEqualTo(3);
    assertThat(shell.err())
        .contains("nothing is changed", "policies.a/b", "a/c.tier (line 1, column 33): none")
        .doesNotContain("a/d");
    assertThat(ask("policy", "apply", "--prune", "-f", file(wrong))).isEqualTo(3);
    assertThat(shell.err()).contains("policies.a/b", "a/c.tier", "a/d.tier");
    String[] alone = {"policy", "apply", "-f", file(wrong), "--server", "http://127.0.0.1:1"};
    assertThat(shell.run(alone)).isEqualTo(3);
    assertThat(shell.err()).contains("policies.a/b").doesNotContain("a/c");
  }

  @Test
  void apply_refusedByTheServer_saysHowFarItCame() throws Exception {
    Path watched = Files.writeString(folder.resolve("w.yaml"), "policies: {a/b: {limits: [1/s]}}");
    Map<Setting, String> flags =
        Map.of(
            Setting.HTTP_PORT, "0",
            Setting.GRPC_PORT, "0",
            Setting.RESP_PORT, "0",
            Setting.POLICIES, watched.toString(),
            Setting.DATA, folder.resolve("data").toString());
    try (Server other = new Server(ServerConfig.read(flags, null, Map.of()))) {
      other.start();
      String yaml = "policies: {a/a: {limits: [1/s]}, a/b: {limits: [2/s]}, a/c: {limits: [1/s]}}";
      String[] apply = {"policy", "apply", "-f", file(yaml), "--server", other.addresses().url()};
      assertThat(shell.run(apply)).isEqualTo(3);
      assertThat(shell.out()).isEqualTo("+ a/a  1/s\n");
      assertThat(shell.err()).contains("a/b: 1 of 3 changes are done", "409 ");
    }
  }

  @Test
  void apply_json_printsTheAnswers() throws Exception {
    String yaml = file("policies: {a/b: {limits: [1/s]}}");
    assertThat(ask("policy", "apply", "-f", yaml, "--json")).isZero();
    assertThat(shell.out()).contains("\"version\":1").hasLineCount(1);
  }
}
