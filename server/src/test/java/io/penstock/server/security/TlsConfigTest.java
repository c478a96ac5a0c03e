package io.penstock.server.security;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.penstock.server.config.ServerConfig.Tls;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsConfigTest {
  private static Certificates first;
  private static Certificates second;
  private static Certificates client;

  @TempDir Path folder;

  private final FileWatch watch = new FileWatch();
  private Path cert;
  private Path key;
  private Path clientCa;

  @BeforeAll
  static void make(@TempDir Path folder) throws Exception {
    first = Certificates.make(folder, "first");
    second = Certificates.make(folder, "second");
    client = Certificates.make(folder, "client");
  }

  @BeforeEach
  void write() throws Exception {
    cert = first.writeCertificate(folder.resolve("cert.pem"));
    key = first.writeKey(folder.resolve("key.pem"));
    clientCa = client.writeCertificate(folder.resolve("ca.pem"));
  }

  private TlsConfig tls(@Nullable Path ca) {
    return requireNonNull(TlsConfig.of(new Tls(cert, key, ca), watch));
  }

  /** The engines of the two stacks that are not HTTP. */
  private static List<Supplier<SSLEngine>> engines(TlsConfig tls) {
    var netty = tls.netty();
    var grpc = tls.grpc();
    return List.of(
        () -> netty.newEngine(UnpooledByteBufAllocator.DEFAULT),
        () -> grpc.newEngine(UnpooledByteBufAllocator.DEFAULT));
  }

  /** Shakes hands in memory; throws what the side that refuses throws. */
  private static void shakeHands(SSLEngine server, SSLContext context) throws SSLException {
    SSLEngine other = context.createSSLEngine("localhost", 443);
    other.setUseClientMode(true);
    ByteBuffer toServer = ByteBuffer.allocate(1 << 16);
    ByteBuffer toClient = ByteBuffer.allocate(1 << 16);
    server.beginHandshake();
    other.beginHandshake();
    for (int turn = 0; turn < 100 && !(isDone(server) && isDone(other)); turn++) {
      step(other, toServer, toClient);
      step(server, toClient, toServer);
    }
    // In TLS 1.3 a client is done before the server has looked at its certificate.
    step(server, toClient, toServer);
    assertThat(isDone(server) && isDone(other)).isTrue();
  }

  private static boolean isDone(SSLEngine engine) {
    return engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
  }

  private static void step(SSLEngine engine, ByteBuffer out, ByteBuffer in) throws SSLException {
    in.flip();
    engine.unwrap(in, ByteBuffer.allocate(1 << 16));
    in.compact();
    for (Runnable task = engine.getDelegatedTask();
        task != null;
        task = engine.getDelegatedTask()) {
      task.run();
    }
    if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
      engine.wrap(ByteBuffer.allocate(0), out);
    }
  }

  @Test
  void of_noCertificate_isOff() {
    assertThat(TlsConfig.of(new Tls(null, null, null), watch)).isNull();
  }

  @Test
  void engines_newCertificateInTheFiles_isShownWithoutARestart() throws Exception {
    for (Supplier<SSLEngine> engine : engines(tls(null))) {
      write();
      watch.poll();
      shakeHands(engine.get(), first.client(null));
      second.writeCertificate(cert);
      watch.poll();
      assertThat(watch.trouble()).contains("key: of another certificate");
      shakeHands(engine.get(), first.client(null));
      second.writeKey(key);
      watch.poll();
      assertThat(watch.trouble()).isNull();
      shakeHands(engine.get(), second.client(null));
      assertThatThrownBy(() -> shakeHands(engine.get(), first.client(null)))
          .isInstanceOf(SSLException.class);
    }
  }

  @Test
  void engines_clientAuthority_refuseOthers() throws Exception {
    for (Supplier<SSLEngine> engine : engines(tls(clientCa))) {
      shakeHands(engine.get(), first.client(client));
      assertThatThrownBy(() -> shakeHands(engine.get(), first.client(null)))
          .isInstanceOf(SSLException.class);
      assertThatThrownBy(() -> shakeHands(engine.get(), first.client(second)))
          .isInstanceOf(SSLException.class);
    }
  }

  @Test
  void http_clientAuthority_refusesOthers() throws Exception {
    Vertx vertx = Vertx.vertx();
    try {
      HttpServer server =
          vertx
              .createHttpServer(tls(clientCa).addTo(new HttpServerOptions().setHost("127.0.0.1")))
              .requestHandler(request -> request.response().end("hello"))
              .listen(0)
              .await();
      URI uri = URI.create("https://127.0.0.1:" + server.actualPort() + "/");
      assertThat(get(uri, first.client(client))).isEqualTo("hello");
      assertThatThrownBy(() -> get(uri, first.client(null))).isInstanceOf(IOException.class);
      second.writeCertificate(cert);
      second.writeKey(key);
      watch.poll();
      assertThat(get(uri, second.client(client))).isEqualTo("hello");
    } finally {
      vertx.close().await();
    }
  }

  private static String get(URI uri, SSLContext context) throws Exception {
    return HttpClient.newBuilder()
        .sslContext(context)
        .build()
        .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
        .body();
  }

  @Test
  void of_filesThatAreNotPem_areRefusedWithoutTheirText() throws Exception {
    Files.writeString(key, "-----BEGIN RSA PRIVATE KEY-----\nc2VjcmV0\n");
    assertThatThrownBy(() -> tls(null))
        .hasMessageContaining("PKCS#8")
        .hasMessageNotContaining("c2VjcmV0");
    first.writeKey(key);
    assertThatCode(() -> tls(null)).doesNotThrowAnyException();
    Files.writeString(cert, "nothing");
    assertThatThrownBy(() -> tls(null)).hasMessageContaining("certificate");
  }
}
