package io.penstock.server.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.penstock.server.security.Gatekeeper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tools that come with Redis. */
class RedisCliIT {
  @TempDir Path folder;

  private RespServer server;
  private Path socket;

  @BeforeEach
  void start() throws IOException {
    for (String tool : List.of("redis-cli", "redis-benchmark")) {
      assumeThat(Path.of("/usr/bin", tool))
          .as(tool + " of Debian's redis-tools is not installed")
          .matches(Files::isExecutable);
    }
    socket = folder.resolve("resp.sock");
    server =
        RespServer.start(
            RespClient.local().withSocket(socket),
            Nodes.inMemory(),
            Gatekeeper.open(),
            new RespStats());
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private String run(String input, String tool, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("/usr/bin/" + tool));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return output;
  }

  private String cli(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("-p", "" + server.port()));
    all.addAll(List.of(arguments));
    return run("", "redis-cli", all.toArray(String[]::new));
  }

  @Test
  void cli_eachProtocolAndSocket_isAnswered() throws Exception {
    String[] throttle = {"CL.THROTTLE", "k", "9", "1", "60"};
    assertThat(cli(throttle)).isEqualTo("0\n10\n9\n-1\n60\n");
    assertThat(cli("-3", "DEL", "k")).isEqualTo("1\n");
    assertThat(cli("-3", "COMMAND", "DOCS")).contains("cl.throttle");
    assertThat(cli("COMMAND")).contains("penstock.check");
    assertThat(run("", "redis-cli", "-s", socket.toString(), "PING")).isEqualTo("PONG\n");
    assertThat(cli("--no-auth-warning", "-a", "secret", "PING")).contains("AUTH", "PONG");
  }

  @Test
  void cli_pipeOfCommands_isAnsweredToTheLast() throws Exception {
    String commands = RespClient.array("CL.THROTTLE", "k", "9", "1", "60").repeat(10_000);

    assertThat(run(commands, "redis-cli", "-p", "" + server.port(), "--pipe"))
        .contains("errors: 0, replies: 10000");
  }

  @Test
  void benchmark_manyConnectionsPipelined_runsToTheEnd() throws Exception {
    assertThat(
            run(
                "",
                "redis-benchmark",
                "-p",
                "" + server.port(),
                "-c",
                "50",
                "-P",
                "16",
                "-n",
                "20000",
                "-q",
                "CL.THROTTLE",
                "k:__rand_int__",
                "9",
                "1",
                "60"))
        .contains("requests per second")
        .doesNotContain("Error from server: ERR wrong");
  }
}
