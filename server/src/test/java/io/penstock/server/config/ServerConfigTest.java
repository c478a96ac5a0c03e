package io.penstock.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.server.Bounds;
import io.penstock.server.policy.Problem;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerConfigTest {
  @TempDir Path folder;

  private static ServerConfig flags(Map<Setting, String> flags) {
    return ServerConfig.read(flags, /* config= */ null, Map.of());
  }

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("penstock.yaml"), text);
  }

  private static List<String> problems(ThrowingCallable reading) {
    return catchThrowableOfType(InvalidConfigException.class, reading).problems().stream()
        .map(Problem::toString)
        .toList();
  }

  @Test
  void read_nothingSet_isAllDefaults() {
    ServerConfig config = flags(Map.of());
    assertThat(config.listen().httpPort()).isEqualTo(8080);
    assertThat(config.listen().grpcPort()).isEqualTo(8081);
    assertThat(config.listen().respPort()).isEqualTo(6380);
    assertThat(config.listen().host().isLoopbackAddress()).isTrue();
    assertThat(config.bounds()).isEqualTo(Bounds.defaults());
    assertThat(config.access().isOpen()).isTrue();
    assertThat(config.tls().isOn()).isFalse();
  }

  @Test
  void read_dedupWindow_isATimeWithinBounds() {
    assertThat(flags(Map.of()).storage().dedupWindow()).isEqualTo(Duration.ofMinutes(10));
    ServerConfig config = flags(Map.of(Setting.DEDUP_WINDOW, "24h"));
    assertThat(config.storage().dedupWindow()).isEqualTo(Duration.ofDays(1));
    assertThat(config.effective()).contains("dedup-window: 24h (flag)");
    for (String bad : List.of("999ms", "8day", "10", "-1s", "soon")) {
      assertThat(problems(() -> flags(Map.of(Setting.DEDUP_WINDOW, bad))))
          .singleElement()
          .asString()
          .startsWith("dedup-window: " + bad + " (expected: a time like 25ms, 75s or 10min");
    }
  }

  @Test
  void read_memoryTooSmallForTheTables_saysTheLeast() {
    assertThat(flags(Map.of(Setting.MEMORY, "2MB")).storage().memoryBytes()).isEqualTo(2 << 20);
    assertThat(problems(() -> flags(Map.of(Setting.MEMORY, "1MB"))))
        .containsExactly("memory: 1MB (expected: a size like 64MB, in 2mb..256gb)");
    String peers = "n1=127.0.0.1:1,n2=127.0.0.1:2,n3=127.0.0.1:3";
    assertThat(problems(() -> flags(Map.of(Setting.PEERS, peers, Setting.MEMORY, "5MB"))))
        .containsExactly("memory: 5MB (expected: a size like 64MB, in 6mb..256gb)");
  }

  @Test
  void read_clock_isAFileThatIsThere() throws IOException {
    assertThat(flags(Map.of()).clock()).isNull();
    Path file = Files.write(folder.resolve("clock"), new byte[8]);
    ServerConfig config = ServerConfig.read(Map.of(), null, Map.of("PENSTOCK_CLOCK", "" + file));
    assertThat(config.clock()).isEqualTo(file);
    assertThat(config.effective()).contains("clock: " + file + " (environment)");
    String missing = folder.resolve("missing").toString();
    assertThat(problems(() -> flags(Map.of(Setting.CLOCK, missing))))
        .containsExactly("clock: " + missing + " (expected: a file that can be read)");
  }

  @Test
  void read_fileOfCommentsOnly_isAllDefaults() throws IOException {
    ServerConfig config = ServerConfig.read(Map.of(), file("# nothing\n\n# here\n"), Map.of());
    assertThat(config).isEqualTo(flags(Map.of()));
    assertThat(ServerConfig.read(Map.of(), file(""), Map.of())).isEqualTo(flags(Map.of()));
  }

  @Test
  void read_allSources_flagOverEnvironmentOverFileOverDefault() throws IOException {
    Path file = file("http-port: 1\ngrpc-port: 2\nresp-port: 3\n");
    ServerConfig config =
        ServerConfig.read(
            Map.of(Setting.HTTP_PORT, "10"),
            file,
            Map.of("PENSTOCK_HTTP_PORT", "20", "PENSTOCK_GRPC_PORT", "21", "HOME", "x"));
    assertThat(config.listen().httpPort()).isEqualTo(10);
    assertThat(config.listen().grpcPort()).isEqualTo(21);
    assertThat(config.listen().respPort()).isEqualTo(3);
    assertThat(config.effective())
        .contains(
            "http-port: 10 (flag)",
            "grpc-port: 21 (environment)",
            "resp-port: 3 (file)",
            "max-body: 1MB (default)");
  }

  @Test
  void read_configNamedByTheEnvironment_isRead() throws IOException {
    Map<String, String> environment = Map.of("PENSTOCK_CONFIG", file("http-port: 7").toString());
    assertThat(ServerConfig.read(Map.of(), null, environment).listen().httpPort()).isEqualTo(7);
  }

  @Test
  void read_listInTheFile_isOneSetting() throws IOException {
    Path file = file("trusted-proxies:\n  - 10.0.0.0/8\n  - ::1\n");
    assertThat(ServerConfig.read(Map.of(), file, Map.of()).listen().trustedProxies()).hasSize(2);
  }

  @Test
  void read_manyProblems_tellsAllOfThem() throws IOException {
    Path file = file("http-prot: 1\nmax-body: lots\nhttp-port: {a: 1}\nmax-batch: 5\nmax-batch: 6");
    List<String> problems =
        problems(
            () ->
                ServerConfig.read(
                    Map.of(Setting.GRPC_PORT, "70000", Setting.LOG_FORMAT, "xml"),
                    file,
                    Map.of("PENSTOCK_RESP_PROT", "s3cret", "PENSTOCK_JAVA_OPTS", "-Xmx1g")));
    assertThat(problems)
        .anyMatch(line -> line.startsWith("config line 1: http-prot (expected: one of host, "))
        .anyMatch(line -> line.startsWith("config line 3: http-port (expected: one value"))
        .anyMatch(line -> line.startsWith("config line 5: max-batch (expected: each key once)"))
        .contains(
            "PENSTOCK_RESP_PROT: set (expected: unset, or the name of a setting)",
            "max-body: lots (expected: a size like 64MB)",
            "grpc-port: 70000 (expected: a number in 0..65535)",
            "log-format: xml (expected: one of [auto, text, json])")
        .hasSize(7);
    assertThat(problems.toString()).doesNotContain("s3cret");
  }

  @Test
  void read_brokenOrMissingFile_saysSo() throws IOException {
    Path broken = file("http-port: [1");
    assertThat(problems(() -> ServerConfig.read(Map.of(), broken, Map.of())))
        .singleElement()
        .asString()
        .contains("config", "line");
    Path scalar = file("just words");
    assertThat(problems(() -> ServerConfig.read(Map.of(), scalar, Map.of()))).hasSize(1);
    Path missing = folder.resolve("missing.yaml");
    assertThat(problems(() -> ServerConfig.read(Map.of(), missing, Map.of())))
        .singleElement()
        .asString()
        .contains(missing.toString());
  }

  @ParameterizedTest
  @CsvSource({"2048B,2048", "2kB,2048", "64MB,67108864", "1 mb,1048576"})
  void size_withUnit_isBytes(String text, int bytes) {
    assertThat(flags(Map.of(Setting.MAX_BODY, text)).bounds().bodyBytes()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource({"25000ms,25", "75s,75", "10min,600", "2h,7200", "1day,86400"})
  void time_withUnit_isADuration(String text, int seconds) {
    assertThat(flags(Map.of(Setting.IDLE_TIMEOUT, text)).bounds().idleSeconds()).isEqualTo(seconds);
  }

  @Test
  void size_outOfBounds_tellsThemInUnits() {
    assertThat(problems(() -> flags(Map.of(Setting.MAX_BODY, "9GB"))))
        .containsExactly("max-body: 9GB (expected: a size like 64MB, in 1kb..64mb)");
    assertThat(problems(() -> flags(Map.of(Setting.MAX_BODY, "999999999999999GB")))).hasSize(1);
  }

  @Test
  void host_offLoopbackWithoutAuthentication_isRefusedUnlessInsecure() {
    assertThat(problems(() -> flags(Map.of(Setting.HOST, "0.0.0.0"))))
        .singleElement()
        .asString()
        .startsWith("host: 0.0.0.0 (expected: authentication")
        .contains("--insecure");
    assertThat(
            flags(Map.of(Setting.HOST, "0.0.0.0", Setting.INSECURE, "true"))
                .listen()
                .host()
                .isAnyLocalAddress())
        .isTrue();
  }

  @Test
  void host_offLoopbackWithAuthentication_isAccepted() throws IOException {
    Path keys = Files.writeString(folder.resolve("keys.yaml"), "");
    assertThat(
            flags(Map.of(Setting.HOST, "0.0.0.0", Setting.API_KEYS, keys.toString()))
                .access()
                .isOpen())
        .isFalse();
  }

  @Test
  void peers_given_areReadWithThisNodeAmongThem() {
    String three = "n1=127.0.0.1:7001,n2=127.0.0.1:7002,n3=127.0.0.1:7003";
    assertThat(flags(Map.of(Setting.PEERS, three)).peers()).hasSize(3);
    assertThat(problems(() -> flags(Map.of(Setting.PEERS, three, Setting.NODE, "n4"))))
        .containsExactly("node: n4 (expected: one of peers: " + three + ")");
    assertThat(flags(Map.of(Setting.PEERS, three + ",n4=127.0.0.1:7004")).peers()).hasSize(4);
    String ten =
        IntStream.rangeClosed(1, 10)
            .mapToObj(i -> "n" + i + "=127.0.0.1:" + (7000 + i))
            .collect(Collectors.joining(","));
    assertThat(problems(() -> flags(Map.of(Setting.PEERS, ten))))
        .singleElement()
        .asString()
        .endsWith("(expected: at most 9 nodes, not 10)");
    assertThat(problems(() -> flags(Map.of(Setting.PEERS, "n1"))))
        .singleElement()
        .asString()
        .startsWith("peers: n1 (expected: NAME=HOST:PORT");
  }

  @Test
  void peers_offLoopbackWithoutTls_areRefusedUnlessInsecure() {
    String far = "n1=192.0.2.1:7001";
    assertThat(problems(() -> flags(Map.of(Setting.PEERS, far))))
        .singleElement()
        .asString()
        .startsWith("peers: " + far + " (expected: TLS")
        .contains("--insecure");
    assertThat(flags(Map.of(Setting.PEERS, far, Setting.INSECURE, "true")).peers()).hasSize(1);
  }

  @Test
  void ports_theSame_areRefusedUnlessFree() {
    assertThat(problems(() -> flags(Map.of(Setting.GRPC_PORT, "8080"))))
        .containsExactly("grpc-port: 8080 (expected: another port than http-port: 8080)");
    assertThat(
            flags(Map.of(Setting.HTTP_PORT, "0", Setting.GRPC_PORT, "0", Setting.RESP_PORT, "0"))
                .listen()
                .respPort())
        .isZero();
  }

  @Test
  void tls_halfOfIt_isRefused() throws IOException {
    String file = file("x").toString();
    assertThat(problems(() -> flags(Map.of(Setting.TLS_CERT, file)))).hasSize(1);
    assertThat(problems(() -> flags(Map.of(Setting.TLS_CLIENT_CA, file)))).hasSize(1);
    assertThat(problems(() -> flags(Map.of(Setting.JWT_ISSUER, "me")))).hasSize(1);
  }

  private static InetAddress address(String text) throws IOException {
    return InetAddress.getAllByName(text)[0];
  }

  @Test
  void network_contains_onlyItsAddresses() throws IOException {
    Network ten = Network.parse("10.16.0.0/12");
    assertThat(ten.contains(address("10.31.255.255"))).isTrue();
    assertThat(ten.contains(address("10.32.0.0"))).isFalse();
    assertThat(ten.contains(address("::1"))).isFalse();
    assertThat(Network.parse("::/0").contains(address("fe80::1"))).isTrue();
    assertThat(Network.parse("1.2.3.4").contains(address("1.2.3.5"))).isFalse();
    assertThatThrownBy(() -> Network.parse("localhost")).hasMessageContaining("network: localhost");
    assertThatThrownBy(() -> Network.parse("1.2.3.4/33")).hasMessageContaining("expected");
  }

  @Test
  void reference_settings_areTheseAndNoOthers() throws IOException {
    String reference = Files.readString(Path.of("..", "docs", "reference", "configuration.md"));
    List<String> rows =
        Arrays.stream(Setting.values())
            .map(
                each ->
                    "| `%s` | `%s` | %s | %s |"
                        .formatted(
                            each.key(),
                            each.hint().replace("|", "\\|"),
                            each.standard() == null || each.standard().isEmpty()
                                ? ""
                                : "`" + each.standard() + "`",
                            each.description()))
            .toList();
    List<String> written =
        reference.lines().filter(line -> line.matches("\\| `[a-z-]+` \\| `.*")).toList();
    assertThat(written).containsExactlyElementsOf(rows);
  }
}
