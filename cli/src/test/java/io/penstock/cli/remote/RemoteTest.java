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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Command;

/** The commands that ask a server, and a real server that answers. */
class RemoteTest {
  @Command(
      name = "penstock",
      subcommands = {Check.class, PolicyCommand.class, Bench.class})
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

  @Test
  void check_untilDenied_saysSoByItsStatus() {
    assertThat(ask("policy", "put", "check/user", "2/hour")).isZero();
    assertThat(ask("check", "check", "user=a=b")).isZero();
    assertThat(shell.out())
        .contains(
            "allowed     ok\n", "policy      check/user (version 1)\n", "left        1 of 2\n");
    assertThat(ask("check", "check", "user=a=b", "--id", "once")).isZero();
    assertThat(ask("check", "check", "user=a=b", "--id", "once")).isZero();
    assertThat(shell.out()).contains("allowed     ok, as answered before\n");
    assertThat(ask("check", "check", "user=a=b")).isEqualTo(3);
    assertThat(shell.out()).contains("denied      limited\n", "retry       ");
    assertThat(ask("check", "check", "user=a=b", "--cost", "3")).isEqualTo(3);
    assertThat(shell.out()).contains("retry       never\n");
  }

  @Test
  void check_twoDescriptors_showsBoth() {
    assertThat(ask("policy", "put", "two/user", "2/hour")).isZero();
    assertThat(ask("check", "two", "user=1", "+", "ip=10.0.0.1", "plan=free")).isZero();
    assertThat(shell.out())
        .contains("1           allowed  ok         two/user  1 of 2\n")
        .contains("2           allowed  no-policy  none\n");
    assertThat(ask("check", "two", "user=1", "--json")).isZero();
    assertThat(shell.out()).startsWith("{\"allowed\":true,").hasLineCount(1);
  }

  @Test
  void check_costs_lookAndGiveBack() {
    assertThat(ask("policy", "put", "costs/user", "5/hour")).isZero();
    assertThat(ask("check", "costs", "user=1", "--cost", "4")).isZero();
    assertThat(ask("check", "costs", "user=1", "--cost", "0")).isZero();
    assertThat(shell.out()).contains("left        1 of 5\n");
    assertThat(ask("check", "costs", "user=1", "--cost", "-3")).isZero();
    assertThat(shell.out()).contains("left        4 of 5\n");
    assertThat(ask("check", "costs", "user=1", "--cost=much")).isEqualTo(2);
  }

  @Test
  void check_apiKey_isShownToTheServer() throws Exception {
    Path keys = folder.resolve("keys.yaml");
    Files.writeString(keys, "- {name: me, key: a-long-random-key, roles: {api: [check]}}\n");
    Map<Setting, String> flags =
        Map.of(
            Setting.HTTP_PORT, "0",
            Setting.GRPC_PORT, "0",
            Setting.RESP_PORT, "0",
            Setting.API_KEYS, keys.toString(),
            Setting.DATA, folder.resolve("data").toString());
    try (Server guarded = new Server(ServerConfig.read(flags, null, Map.of()))) {
      guarded.start();
      String url = guarded.addresses().url();
      String[] question = {"check", "api", "user=1", "--server", url, "--api-key", "wrong"};
      assertThat(shell.run(question)).isEqualTo(1);
      assertThat(shell.err()).startsWith("401 ");
      question[question.length - 1] = "a-long-random-key";
      assertThat(shell.run(question)).isZero();
    }
  }

  @Test
  void check_badEntryOrRefusedByTheServer_isNotAllowed() {
    assertThat(ask("check", "api", "user")).isEqualTo(2);
    assertThat(shell.err()).contains("entry: \"user\" (expected: KEY=VALUE)");
    assertThat(ask("check", "", "user=1")).isEqualTo(3);
    assertThat(shell.err()).startsWith("penstock: 400 ").contains("domain");
  }

  @Test
  void policy_lifeOfOne_isShownByEveryCommand() {
    assertThat(ask("policy", "put", "life/user", "10/s burst 20; 100/day", "--create")).isZero();
    assertThat(shell.out()).isEqualTo("created life/user, version 1\n");
    assertThat(ask("policy", "put", "life/user", "10/s", "--create")).isEqualTo(3);
    assertThat(ask("policy", "put", "life/user", "10/s", "--if-version", "7")).isEqualTo(3);
    assertThat(shell.err()).startsWith("penstock: 412 ");
    assertThat(ask("policy", "diff", "life/user", "10/s")).isEqualTo(3);
    assertThat(shell.out()).contains("limits  10/s burst 20; 100/day  10/s\n");
    String shadow = "{\"limits\":[\"10/s\"],\"shadow\":true}";
    assertThat(ask("policy", "put", "life/user", shadow)).isZero();
    assertThat(shell.out()).isEqualTo("replaced life/user, version 2\n");
    assertThat(ask("policy", "get", "life/user")).isZero();
    assertThat(shell.out()).isEqualTo("life/user, version 2\nlimits  10/s\nshadow  true\n");
    assertThat(ask("policy", "list")).isZero();
    assertThat(shell.out()).startsWith("scope ").contains("2        10/s; shadow true\n");
    assertThat(ask("policy", "list", "--json")).isZero();
    assertThat(shell.out()).startsWith("{\"policies\":[{\"scope\":").endsWith("}}]}\n");
    assertThat(ask("policy", "diff", "life/user")).isEqualTo(3);
    assertThat(shell.out()).contains("shadow  -                       true\n");
    assertThat(ask("policy", "diff", "life/user", "--version", "2")).isZero();
    assertThat(ask("policy", "delete", "life/user", "--if-version", "2")).isZero();
    assertThat(ask("policy", "get", "life/user")).isEqualTo(3);
    assertThat(ask("policy", "history", "life/user")).isZero();
    assertThat(shell.out().lines().skip(1).map(line -> line.split(" ", 2)[0]))
        .containsExactly("3", "2", "1");
    assertThat(shell.out()).contains("deleted\n");
  }

  @Test
  void policy_ofATier_isTheSameByEveryCommand() {
    assertThat(ask("policy", "put", "tier:free / eu", "10/s", "--create")).isZero();
    assertThat(shell.out()).isEqualTo("created tier:free / eu, version 1\n");
    String tier = "{\"tier\":\"free / eu\"}";
    assertThat(ask("policy", "put", "tiered/user", tier)).isZero();
    assertThat(ask("check", "tiered", "user=1")).isZero();
    assertThat(shell.out()).contains("left        9 of 10\n");
    assertThat(ask("policy", "put", "tier:free / eu", "12/s", "--if-version", "1")).isZero();
    assertThat(ask("policy", "get", "tier:free / eu")).isZero();
    assertThat(shell.out()).isEqualTo("tier:free / eu, version 2\nlimits  12/s\n");
    assertThat(ask("policy", "diff", "tier:free / eu")).isEqualTo(3);
    assertThat(shell.out()).contains("limits  10/s    12/s\n");
    assertThat(ask("policy", "list", "--tiers")).isZero();
    assertThat(shell.out()).contains("tier       version  policy\nfree / eu  2        12/s\n");
    assertThat(ask("policy", "delete", "tiered/user")).isZero();
    assertThat(ask("policy", "delete", "tier:free / eu")).isZero();
    assertThat(ask("policy", "history", "tier:free / eu")).isZero();
    assertThat(shell.out()).contains("deleted\n", "12/s\n", "10/s\n");
    assertThat(ask("policy", "get", "tier:free / eu")).isEqualTo(3);
  }

  @Test
  void put_invalidPolicy_tellsEveryProblem() {
    assertThat(ask("policy", "put", "bad/user", "10/x; 0/s")).isEqualTo(3);
    assertThat(shell.err()).contains("limits[0]: 10/x (expected: ", "limits[1]: 0/s (expected: ");
  }

  @Test
  void validate_withoutAServer_tellsEveryProblem() throws Exception {
    assertThat(shell.run("policy", "validate", "10/s")).isZero();
    assertThat(shell.out()).isEqualTo("valid\n");
    Path file = Files.writeString(folder.resolve("p.json"), "{\"limits\":[\"10/x\"],\"clas\":1}");
    assertThat(shell.run("policy", "validate", "@" + file)).isEqualTo(3);
    assertThat(shell.out()).contains("limits[0]: 10/x (expected: ").contains("clas");
    Path many = folder.resolve("p.yaml");
    Files.writeString(many, "policies:\n  a/b: {limits: [1/s]}\n  c/d: {limits: [1/x]}\n");
    assertThat(shell.run("policy", "validate", "@" + many)).isEqualTo(3);
    assertThat(shell.out()).contains("c/d", "1/x").doesNotContain("a/b");
  }

  @Test
  void validate_fileThatCannotBeRead_isStatus1AndNamed() throws Exception {
    Path none = folder.resolve("none.yaml");
    assertThat(shell.run("policy", "validate", "@" + none)).isEqualTo(1);
    assertThat(shell.err())
        .endsWith("policy: @" + none + " (expected: a file that can be read; not there)\n");
    assertThat(shell.run("policy", "validate", "@" + folder)).isEqualTo(1);
    assertThat(shell.err())
        .endsWith("policy: @" + folder + " (expected: a file that can be read; it is a folder)\n");
    Path bytes = Files.write(folder.resolve("bytes.yaml"), new byte[] {-1});
    assertThat(shell.run("policy", "validate", "@" + bytes)).isEqualTo(1);
    assertThat(shell.err()).endsWith("policy: @" + bytes + " (expected: a file in UTF-8)\n");
    for (Path path : List.of(none, folder, bytes)) {
      assertThat(shell.run("policy", "validate", path.toString())).isEqualTo(1);
      assertThat(shell.err())
          .endsWith(path + " (expected: limits, JSON, or the name of a file after @)\n");
    }
  }

  @Test
  void server_thatIsNotThere_isStatus1AndNamed() {
    assertThat(shell.run("policy", "list", "--server", "http://127.0.0.1:1")).isEqualTo(1);
    assertThat(shell.err()).startsWith("server: http://127.0.0.1:1 (expected: a Penstock");
  }

  @ParameterizedTest
  @ValueSource(strings = {"not a url", "ftp://x", "localhost:8080", "http:///v1", "http://"})
  void server_thatIsNoUrl_isStatus2AndNamed(String url) {
    assertThat(shell.run("check", "demo", "user=1", "--server", url)).isEqualTo(2);
    assertThat(shell.err()).startsWith("server: " + url + " (expected: a URL, http://HOST[");
    assertThat(shell.run("policy", "list", "--server", url)).isEqualTo(2);
  }

  @Test
  void bench_everyProtocol_countsEveryAnswer() {
    String resp = "127.0.0.1:" + server.addresses().respPort();
    assertThat(bench("resp", resp, "--pipeline", "7")).isZero();
    assertThat(shell.out()).matches("(?s)\\{\"requests\":200,\"denied\":1[56]\\d,.*");
    String http = "127.0.0.1:" + server.addresses().httpPort();
    assertThat(bench("http", http, "--domain", "nobody")).isZero();
    assertThat(shell.out()).startsWith("{\"requests\":200,\"denied\":0,");
    assertThat(ask("policy", "put", "bench/user", "15/day")).isZero();
    String grpc = "127.0.0.1:" + server.addresses().grpcPort();
    assertThat(bench("grpc", grpc, "--domain", "bench", "--pipeline", "3")).isZero();
    assertThat(shell.out()).startsWith("{\"requests\":200,\"denied\":170,");
    assertThat(bench("grpc", "127.0.0.1:1")).isEqualTo(1);
    assertThat(shell.err()).contains("127.0.0.1:1 (expected: a server that answers)");
    assertThat(bench("http", "127.0.0.1:1")).isEqualTo(1);
    assertThat(shell.err()).contains("127.0.0.1:1 (expected: a server that answers)");
    assertThat(bench("http", "nowhere")).isEqualTo(2);
    assertThat(bench("udp", resp)).isEqualTo(2);
    assertThat(shell.err()).contains("protocol: udp (expected: resp, http, grpc)");
  }

  @Test
  void bench_rate_isNotExceeded() {
    List<Integer> ports =
        List.of(
            server.addresses().respPort(),
            server.addresses().httpPort(),
            server.addresses().grpcPort());
    for (int i = 0; i < ports.size(); i++) {
      String protocol = List.of("resp", "http", "grpc").get(i);
      String address = "127.0.0.1:" + ports.get(i);
      assertThat(benchKeys(1_000_000, protocol, address, "--rate", "1000")).isZero();
      Matcher told =
          Pattern.compile("\"requests\":200,.*\"perSecond\":(\\d+),").matcher(shell.out());
      assertThat(told.find()).as(shell.out()).isTrue();
      /* The last of 67 requests of a connection is due when 66 intervals are over. */
      assertThat(Integer.parseInt(told.group(1))).as(protocol).isBetween(1, 1_011);
    }
    assertThat(bench("resp", "127.0.0.1:1", "--rate", "-1")).isEqualTo(2);
    assertThat(shell.err()).contains("rate: -1 (expected: 1..1000000000)");
  }

  private int bench(String protocol, String address, String... more) {
    return benchKeys(/* keys= */ 2, protocol, address, more);
  }

  private int benchKeys(int keys, String protocol, String address, String... more) {
    List<String> all = new ArrayList<>(List.of("bench", "--requests", "200"));
    all.addAll(List.of("--keys", String.valueOf(keys)));
    all.addAll(List.of("--connections", "3", "--json"));
    all.addAll(List.of("--protocol", protocol, "--address", address));
    all.addAll(List.of(more));
    return shell.run(all.toArray(String[]::new));
  }

  @Test
  void spread_shares_areWithinASixteenth() {
    Spread spread = new Spread();
    for (int i = 1; i <= 1_000; i++) {
      spread.add(i * 1_000L, 1, 0);
    }
    assertThat(spread.count()).isEqualTo(1_000);
    assertThat(spread.micros(0.5)).isBetween(500L, 532L);
    assertThat(spread.micros(0.99)).isBetween(990L, 1_052L);
  }

  @Test
  void millis_anyTime_isRoundedUp() {
    assertThat(Millis.told(9_999)).isEqualTo("9999 ms");
    assertThat(Millis.told(10_001)).isEqualTo("11 s");
    assertThat(Millis.told(61_001)).isEqualTo("1 min 2 s");
    assertThat(Millis.told(3_600_000)).isEqualTo("1 h 0 min");
    assertThat(Millis.told(90_000_000)).isEqualTo("1 days 1 h");
  }
}
