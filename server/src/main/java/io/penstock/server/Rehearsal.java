package io.penstock.server;

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
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
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

  /** Frames of HTTP/2: types and flags. */
  private static final int DATA = 0;

  private static final int HEADERS = 1;
  private static final int SETTINGS = 4;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;

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

  private static void askGrpc(int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      ByteBuffer frames = ByteBuffer.allocate(1 << 10);
      frames.put("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      frame(frames, SETTINGS, /* flags= */ 0, /* streamId= */ 0, new byte[0]);
      for (int i = 0; i < CHECKS; i++) {
        frame(frames, HEADERS, END_HEADERS, 2 * i + 1, envoyHead());
        frame(frames, DATA, END_STREAM, 2 * i + 1, envoyMessage("" + i));
        socket.getOutputStream().write(frames.array(), 0, frames.position());
        socket.getInputStream().read(new byte[1 << 10]);
        frames.clear();
      }
    }
  }

  private static void frame(ByteBuffer out, int type, int flags, int streamId, byte[] content) {
    out.put((byte) 0).putShort((short) content.length).put((byte) type).put((byte) flags);
    out.putInt(streamId).put(content);
  }

  /** POST, http, and two fields that are written out. */
  private static byte[] envoyHead() {
    String path = RateLimitServiceGrpc.getShouldRateLimitMethod().getFullMethodName();
    ByteBuffer head = ByteBuffer.allocate(path.length() + 32);
    head.put((byte) 0x83).put((byte) 0x86).put((byte) 0x04).put((byte) (path.length() + 1));
    head.put((byte) '/').put(path.getBytes(StandardCharsets.US_ASCII));
    byte[] type = "application/grpc".getBytes(StandardCharsets.US_ASCII);
    head.put((byte) 0x0F).put((byte) 0x10).put((byte) type.length).put(type);
    return Arrays.copyOf(head.array(), head.position());
  }

  private static byte[] envoyMessage(String user) {
    RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain("demo");
    request.addDescriptorsBuilder().addEntriesBuilder().setKey("user").setValue(user);
    byte[] message = request.build().toByteArray();
    return ByteBuffer.allocate(5 + message.length)
        .put((byte) 0)
        .putInt(message.length)
        .put(message)
        .array();
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path each : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
        Files.delete(each);
      }
    }
  }
}
