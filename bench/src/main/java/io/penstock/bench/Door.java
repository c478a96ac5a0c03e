package io.penstock.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** One node of a cluster, whatever product it is. Confined to one thread. */
interface Door {
  /** What a key is worth for a day. */
  int LIMIT = 2_000;

  Duration PATIENCE = Duration.ofSeconds(1);

  /** Whether the node admits one more; throws if it does not answer, or says that it cannot. */
  boolean isAdmitted(int key) throws IOException;

  static Door of(String kind, String address) throws IOException {
    return switch (kind) {
      case "Penstock" ->
          http(
              address + "/v1/check",
              "{\"domain\":\"bench\",\"descriptors\":[[{\"key\":\"strict\",\"value\":\"%d\"}]]}",
              "\"allowed\":true",
              "\"reason\":\"fail");
      case "Gubernator" ->
          http(
              address + "/v1/GetRateLimits",
              "{\"requests\":[{\"name\":\"bench\",\"unique_key\":\"%d\",\"hits\":1,\"limit\":"
                  + LIMIT
                  + ",\"duration\":86400000}]}",
              "\"UNDER_LIMIT\"",
              "\"error\":\"[^\"]");
      case "Redis" -> redis(address);
      default ->
          throw new IllegalArgumentException(
              "product: " + kind + " (expected: Penstock, Gubernator or Redis)");
    };
  }

  private static Door http(String url, String body, String admitted, String unable) {
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://" + url))
            .timeout(PATIENCE)
            .header("Content-Type", "application/json");
    String failure = "(?s).*" + unable + ".*";
    return key -> {
      try {
        String answer =
            client
                .send(
                    request.POST(BodyPublishers.ofString(body.formatted(key))).build(),
                    BodyHandlers.ofString())
                .body();
        if (answer.matches(failure)) {
          throw new IOException(answer);
        }
        return answer.contains(admitted);
      } catch (InterruptedException e) {
        throw new InterruptedIOException();
      }
    };
  }

  /** Counts in a script, as people write it. */
  private static Door redis(String address) throws IOException {
    int colon = address.indexOf(':');
    Socket socket =
        new Socket(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
    socket.setTcpNoDelay(true);
    socket.setSoTimeout((int) PATIENCE.toMillis());
    OutputStream out = socket.getOutputStream();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
    String script =
        "local n = redis.call('INCR', KEYS[1]) if n == 1 then redis.call('EXPIRE', KEYS[1], 86400)"
            + " end if n <= "
            + LIMIT
            + " then return 1 end return 0";
    return key -> {
      String name = "bench:" + key;
      out.write(
          "*4\r\n$4\r\nEVAL\r\n$%d\r\n%s\r\n$1\r\n1\r\n$%d\r\n%s\r\n"
              .formatted(script.length(), script, name.length(), name)
              .getBytes(US_ASCII));
      String answer = in.readLine();
      if (answer == null || answer.startsWith("-")) {
        socket.close();
        throw new IOException("redis: " + answer + " (expected: a number)");
      }
      return answer.equals(":1");
    };
  }
}
