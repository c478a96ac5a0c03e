package io.penstock.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import io.penstock.api.v1.CheckRequest;
import io.penstock.api.v1.PenstockGrpc;
import io.penstock.server.config.ServerConfig;
import io.penstock.server.config.Setting;
import io.penstock.server.security.Certificates;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A whole server that asks its clients for certificates, and real clients on every port. */
class MutualTlsTest {
  private static final int ATTEMPTS = 400;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(25);

  @TempDir static Path folder;

  private static Certificates first;
  private static Certificates known;
  private static Certificates stranger;
  private static Server server;

  /** A client of each protocol: whether it gets an answer, showing a certificate or none. */
  enum Client {
    HTTP {
      @Override
      boolean isAnswered(Certificates trusted, @Nullable Certificates own) throws Exception {
        HttpClient client = HttpClient.newBuilder().sslContext(trusted.client(own)).build();
        URI uri = URI.create(server.addresses().url() + "/readyz");
        try {
          return client
                  .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                  .statusCode()
              == 200;
        } catch (IOException refused) {
          return false;
        }
      }
    },
    GRPC {
      @Override
      boolean isAnswered(Certificates trusted, @Nullable Certificates own) throws Exception {
        SslContextBuilder tls =
            GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK)
                .trustManager(trusted.writeCertificate(folder.resolve("trusted.pem")).toFile());
        if (own != null) {
          tls.keyManager(
              own.writeCertificate(folder.resolve("own.pem")).toFile(),
              own.writeKey(folder.resolve("own.key")).toFile());
        }
        ManagedChannel channel =
            NettyChannelBuilder.forAddress("127.0.0.1", server.addresses().grpcPort())
                .sslContext(tls.build())
                .build();
        CheckRequest.Builder check = CheckRequest.newBuilder().setDomain("none");
        check.addDescriptorsBuilder().addEntriesBuilder().setKey("a").setValue("b");
        try {
          return PenstockGrpc.newBlockingStub(channel).check(check.build()).getAllowed();
        } catch (StatusRuntimeException refused) {
          return false;
        } finally {
          channel.shutdownNow();
        }
      }
    },
    RESP {
      @Override
      boolean isAnswered(Certificates trusted, @Nullable Certificates own) throws Exception {
        int port = server.addresses().respPort();
        try (Socket socket =
            trusted.client(own).getSocketFactory().createSocket("127.0.0.1", port)) {
          socket.setSoTimeout(20_000);
          socket.getOutputStream().write("PING\r\nQUIT\r\n".getBytes(US_ASCII));
          return new String(socket.getInputStream().readAllBytes(), US_ASCII).startsWith("+PONG");
        } catch (IOException refused) {
          return false;
        }
      }
    };

    abstract boolean isAnswered(Certificates trusted, @Nullable Certificates own) throws Exception;
  }

  @BeforeAll
  static void start() throws Exception {
    first = Certificates.make(folder, "first");
    known = Certificates.make(folder, "known");
    stranger = Certificates.make(folder, "stranger");
    show(first);
    Map<Setting, String> flags =
        Map.of(
            Setting.HTTP_PORT, "0",
            Setting.GRPC_PORT, "0",
            Setting.RESP_PORT, "0",
            Setting.DATA, folder.resolve("data").toString(),
            Setting.TLS_CERT, folder.resolve("cert.pem").toString(),
            Setting.TLS_KEY, folder.resolve("key.pem").toString(),
            Setting.TLS_CLIENT_CA, known.writeCertificate(folder.resolve("ca.pem")).toString());
    server = new Server(ServerConfig.read(flags, /* config= */ null, Map.of()));
    server.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static void show(Certificates certificates) throws Exception {
    certificates.writeCertificate(folder.resolve("cert.pem"));
    certificates.writeKey(folder.resolve("key.pem"));
  }

  @ParameterizedTest
  @EnumSource
  void client_ofTheAuthority_isServedAndNobodyElse(Client client) throws Exception {
    awaitAnswer(client, first);
    assertThat(client.isAnswered(first, /* own= */ null)).isFalse();
    assertThat(client.isAnswered(first, stranger)).isFalse();
    assertThat(client.isAnswered(stranger, known)).as("client trusts the server").isFalse();
    assertThat(client.isAnswered(first, known)).isTrue();
  }

  @Test
  void readyLines_withTheFilesOfAClient_workAsPrinted() throws Exception {
    awaitAnswer(Client.HTTP, first);
    List<String> lines = server.addresses().readyLines();
    assertThat(run(lines.get(1))).startsWith("{\"allowed\":");
    assertThat(run(lines.get(2))).startsWith("{\"policies\":");
    assertThat(lines.get(3)).contains("$CERT and $CERT_KEY", folder.resolve("ca.pem").toString());
  }

  private static String run(String line) throws Exception {
    ProcessBuilder shell = new ProcessBuilder("sh", "-c", line.substring("try: ".length()));
    Path cert = known.writeCertificate(folder.resolve("client.pem"));
    shell.environment().put("CERT", cert.toString());
    shell.environment().put("CERT_KEY", known.writeKey(folder.resolve("client.key")).toString());
    Process process = shell.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String output = new String(process.getInputStream().readAllBytes(), US_ASCII);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return output;
  }

  @Test
  void handshake_afterTheFilesWereReplaced_showsTheNewCertificate() throws Exception {
    Certificates second = Certificates.make(folder, "second");
    show(second);
    try {
      for (Client client : List.of(Client.values())) {
        awaitAnswer(client, second);
        assertThat(client.isAnswered(first, known)).as("the old one on " + client).isFalse();
        assertThat(client.isAnswered(second, stranger)).isFalse();
      }
    } finally {
      show(first);
    }
  }

  /** The server looks at its files twice a second. */
  private static void awaitAnswer(Client client, Certificates trusted) throws Exception {
    for (int i = 0; i < ATTEMPTS && !client.isAnswered(trusted, known); i++) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    assertThat(client.isAnswered(trusted, known)).as(client + " is answered").isTrue();
  }
}
