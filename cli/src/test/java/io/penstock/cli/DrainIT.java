package io.penstock.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.penstock.api.v1.CheckRequest;
import io.penstock.api.v1.PenstockGrpc;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged server is told to end while clients come and ask on every port. */
class DrainIT {
  private static final Pattern READY =
      Pattern.compile(".*HTTP http://\\S+:(\\d+), gRPC \\S+:(\\d+), Redis protocol \\S+:(\\d+).*");
  private static final int CLIENTS_THAT_COME = 6;
  private static final int ROUNDS = 3;

  @TempDir Path folder;

  /** Something a client does again and again, until the server is gone. */
  private interface Asking {
    void ask() throws IOException;
  }

  @Test
  void serve_endedUnderLoad_logsNothingButItsEnd() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Path log = folder.resolve("log-" + round);
      Process server = begin(log);
      try {
        endUnderLoad(server, log);
      } finally {
        server.destroyForcibly();
      }
    }
  }

  private Process begin(Path log) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-jar",
            System.getProperty("penstock.jar", "penstock.jar"),
            "serve",
            "--http-port=0",
            "--grpc-port=0",
            "--resp-port=0",
            "--data=data");
    builder.environment().keySet().removeIf(name -> name.startsWith("PENSTOCK_"));
    return builder.directory(folder.toFile()).redirectError(log.toFile()).start();
  }

  private static void endUnderLoad(Process server, Path log) throws Exception {
    BufferedReader out = server.inputReader(StandardCharsets.UTF_8);
    String line = String.valueOf(out.readLine());
    Matcher ready = READY.matcher(line);
    assertThat(ready.matches()).as(line + "\n" + Files.readString(log)).isTrue();
    int http = Integer.parseInt(ready.group(1));
    int grpc = Integer.parseInt(ready.group(2));
    int resp = Integer.parseInt(ready.group(3));
    CountDownLatch busy = new CountDownLatch(1_000);
    List<CompletableFuture<Void>> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS_THAT_COME; i++) {
      clients.add(begin(() -> askHttp(http), busy));
    }
    clients.add(begin(() -> askGrpc(grpc), busy));
    clients.add(begin(() -> askResp(resp), busy));
    assertThat(busy.await(60, TimeUnit.SECONDS)).as("clients are answered").isTrue();
    server.destroy();
    assertThat(server.waitFor(15, TimeUnit.SECONDS)).as("ends within 15 s").isTrue();
    assertThat(server.exitValue()).isEqualTo(143);
    for (CompletableFuture<Void> client : clients) {
      client.get(30, TimeUnit.SECONDS);
    }
    assertThat(Files.readString(log))
        .contains("\"message\":\"ended\"")
        .doesNotContain("\"exception\"", "\"warning\"", "\"error\"");
  }

  private static CompletableFuture<Void> begin(Asking asking, CountDownLatch answers) {
    CompletableFuture<Void> ended = new CompletableFuture<>();
    Runnable work =
        () -> {
          try {
            while (true) {
              asking.ask();
              answers.countDown();
            }
          } catch (IOException | StatusRuntimeException gone) {
            ended.complete(null);
          }
        };
    Thread thread = new Thread(work, "client");
    thread.setDaemon(true);
    thread.start();
    return ended;
  }

  /** Comes anew each time: what comes while the port closes is what is hard. */
  private static void askHttp(int port) throws IOException {
    exchange(port, "GET /readyz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "HTTP/1.1 ");
  }

  private static void askResp(int port) throws IOException {
    exchange(port, "CL.THROTTLE k 15 30 60\r\n".repeat(500) + "QUIT\r\n", "*5\r\n");
  }

  private static void exchange(int port, String request, String begins) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(request.getBytes(US_ASCII));
      InputStream answer = socket.getInputStream();
      if (!new String(answer.readAllBytes(), US_ASCII).startsWith(begins)) {
        throw new IOException("not answered");
      }
    }
  }

  private static void askGrpc(int port) {
    CheckRequest.Builder check = CheckRequest.newBuilder().setDomain("demo");
    check.addDescriptorsBuilder().addEntriesBuilder().setKey("user").setValue("1");
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    try {
      for (int i = 0; i < 20; i++) {
        var unused = PenstockGrpc.newBlockingStub(channel).check(check.build());
      }
    } finally {
      channel.shutdownNow();
    }
  }
}
