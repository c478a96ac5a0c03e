package io.penstock.server.http;

import static io.penstock.server.http.RawSocket.LAST;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.config.ServerConfig.Tls;
import io.penstock.server.security.Certificates;
import io.penstock.server.security.FileWatch;
import io.penstock.server.security.Gatekeeper;
import io.penstock.server.security.TlsConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.net.SocketFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One read of TLS may hold many records, and each of them becomes a read of its own. */
class HttpTlsTest {
  private static final Pattern REMAINING =
      Pattern.compile("\\{\"allowed\":true,\"remaining\":(\\d+)");

  private static SocketFactory client;
  private static FileWatch watch;
  private static Rig rig;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    Certificates own = Certificates.make(folder, "own");
    client = own.client(/* own= */ null).getSocketFactory();
    Tls files =
        new Tls(
            own.writeCertificate(folder.resolve("cert.pem")),
            own.writeKey(folder.resolve("key.pem")),
            /* clientCa= */ null);
    watch = new FileWatch();
    TlsConfig tls = Objects.requireNonNull(TlsConfig.of(files, watch));
    rig = new Rig(folder, Gatekeeper.open(), Rig.settings(tls));
    rig.policy("api/strict", "{\"limits\":[\"100/hour\"],\"consistency\":\"strict\"}");
  }

  @AfterAll
  static void stop() throws Exception {
    rig.close();
    watch.close();
  }

  private static String check(String value) {
    String body = Rig.body("api", "strict", value, /* cost= */ 1);
    return "POST /v1/check HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n%s"
        .formatted(body.length(), body);
  }

  private static List<Integer> remaining(String answers) {
    return REMAINING
        .matcher(answers)
        .results()
        .map(found -> Integer.parseInt(found.group(1)))
        .toList();
  }

  @Test
  void check_strictInManyRecords_areAnsweredInOrder() throws Exception {
    try (RawSocket socket = new RawSocket(client, rig.front.port())) {
      for (int i = 0; i < 25; i++) {
        socket.send(check("order").repeat(4));
      }
      String answers = socket.send(LAST).readToEnd();

      assertThat(remaining(answers))
          .isEqualTo(IntStream.iterate(99, left -> left - 1).limit(100).boxed().toList());
    }
  }

  @Test
  void check_strictOfAClientThatSendsNoMore_isAnsweredBeforeTheEnd() throws Exception {
    for (int i = 0; i < 20; i++) {
      try (RawSocket socket = new RawSocket(client, rig.front.port())) {
        String answers = socket.send(check("half")).endSending().readToEnd();

        assertThat(remaining(answers)).containsExactly(99 - i);
      }
    }
  }
}
