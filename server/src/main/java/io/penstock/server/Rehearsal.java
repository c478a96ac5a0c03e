package io.penstock.server;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.penstock.api.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitRequest;
import io.penstock.api.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.penstock.server.config.ServerConfig;
import io.penstock.server.config.Setting;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A server that is asked a little on every protocol and ends: the launcher lets the JVM write down
 * which classes that took, so that the next start is short.
 */
public final class Rehearsal {
  private static final int CHECKS = 300;
  private static final String QUESTION =
      "{\"domain\":\"demo\",\"descriptors\":[[{\"key\":\"user\",\"value\":\"%d\"}]]}";

  private Rehearsal() {}

  /** Runs it, on free ports and in a folder that is gone afterwards. */
  public static void run() throws IOException, InterruptedException {
    Path data = Files.createTempDirectory("penstock-rehearsal-");
    Map<Setting, String> flags =
        Map.of(
            Setting.HTTP_PORT, "0",
            Setting.GRPC_PORT, "0",
            Setting.RESP_PORT, "0",
            Setting.DATA, data.toString());
    try (Server server = new Server(ServerConfig.read(flags, /* config= */ null, Map.of()))) {
      server.start();
      askHttp(server.addresses().url());
      askResp(server.addresses().respPort());
      askGrpc(server.addresses().grpcPort());
    } finally {
      delete(data);
    }
  }

  private static void askHttp(String url) throws IOException, InterruptedException {
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    for (int i = 0; i < CHECKS; i++) {
      HttpRequest check =
          HttpRequest.newBuilder(URI.create(url + "/v1/check"))
              .POST(BodyPublishers.ofString(QUESTION.formatted(i)))
              .build();
      client.send(check, BodyHandlers.ofString());
    }
    for (String path : new String[] {"/readyz", "/healthz", "/v1/policies"}) {
      client.send(HttpRequest.newBuilder(URI.create(url + path)).build(), BodyHandlers.ofString());
    }
  }

  private static void askResp(int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      InputStream answers = socket.getInputStream();
      for (int i = 0; i < CHECKS; i++) {
        String commands =
            "CL.THROTTLE user:%1$d 15 30 60\r\nPENSTOCK.CHECK demo user %1$d\r\n".formatted(i);
        socket.getOutputStream().write(commands.getBytes(StandardCharsets.US_ASCII));
        answers.read(new byte[1 << 10]);
      }
      socket.getOutputStream().write("QUIT\r\n".getBytes(StandardCharsets.US_ASCII));
      answers.readAllBytes();
    }
  }

  private static void askGrpc(int port) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    try {
      RateLimitServiceGrpc.RateLimitServiceBlockingStub envoy =
          RateLimitServiceGrpc.newBlockingStub(channel);
      for (int i = 0; i < CHECKS; i++) {
        RateLimitDescriptor.Entry entry =
            RateLimitDescriptor.Entry.newBuilder().setKey("user").setValue("" + i).build();
        envoy.shouldRateLimit(
            RateLimitRequest.newBuilder()
                .setDomain("demo")
                .addDescriptors(RateLimitDescriptor.newBuilder().addEntries(entry))
                .build());
      }
    } finally {
      channel.shutdownNow();
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path each : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
        Files.delete(each);
      }
    }
  }
}
