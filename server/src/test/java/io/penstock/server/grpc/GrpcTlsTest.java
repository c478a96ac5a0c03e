package io.penstock.server.grpc;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import io.penstock.server.config.ServerConfig.Tls;
import io.penstock.server.security.Certificates;
import io.penstock.server.security.FileWatch;
import io.penstock.server.security.TlsConfig;
import java.net.InetAddress;
import java.nio.file.Path;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GrpcTlsTest {
  @TempDir Path folder;

  @Test
  void tls_clientThatTrusts_isServedAndPlainTextIsNot() throws Exception {
    Certificates own = Certificates.make(folder, "server");
    Path cert = own.writeCertificate(folder.resolve("cert.pem"));
    Path key = own.writeKey(folder.resolve("key.pem"));
    try (FileWatch watch = new FileWatch()) {
      TlsConfig tls = requireNonNull(TlsConfig.of(new Tls(cert, key, /* clientCa= */ null), watch));
      try (LiveFront live = LiveFront.at(folder, /* socket= */ null, tls.grpc())) {
        SslContext trusting =
            GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK)
                .trustManager(cert.toFile())
                .build();
        assertThat(GrpcFrontTest.reason(live.secure(trusting))).isEqualTo("no-policy");
        assertThat(GrpcFrontTest.refused(() -> GrpcFrontTest.reason(live.channel())))
            .isEqualTo(Status.Code.UNAVAILABLE);
      }
    }
  }

  @Test
  void tls_clientThatSpeaksOnlyAnotherProtocol_isTurnedAway() throws Exception {
    Certificates own = Certificates.make(folder, "server");
    Path cert = own.writeCertificate(folder.resolve("cert.pem"));
    Path key = own.writeKey(folder.resolve("key.pem"));
    try (FileWatch watch = new FileWatch()) {
      TlsConfig tls = requireNonNull(TlsConfig.of(new Tls(cert, key, /* clientCa= */ null), watch));
      try (LiveFront live = LiveFront.at(folder, /* socket= */ null, tls.grpc())) {
        assertThat(negotiated(own, live.front.port(), "h2")).isEqualTo("h2");
        assertThatThrownBy(() -> negotiated(own, live.front.port(), "http/1.1"))
            .isInstanceOf(SSLException.class);
      }
    }
  }

  private static String negotiated(Certificates server, int port, String protocol)
      throws Exception {
    try (SSLSocket socket =
        (SSLSocket)
            server
                .client(null)
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), port)) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {protocol});
      socket.setSSLParameters(parameters);
      socket.setSoTimeout(10_000);
      socket.startHandshake();
      return socket.getApplicationProtocol();
    }
  }
}
