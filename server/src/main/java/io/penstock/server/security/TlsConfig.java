package io.penstock.server.security;

import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.penstock.cluster.PeerTls;
import io.penstock.server.config.ServerConfig.Tls;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.TrustOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * TLS for each of the three stacks, from the same files, always as they are now. Thread-safe. With
 * an authority for clients, a client must show a certificate that it signed.
 */
public final class TlsConfig {
  private static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

  private record Material(Identity identity, @Nullable X509ExtendedTrustManager trust) {}

  private final CurrentKey key;
  private final @Nullable CurrentTrust trust;

  private TlsConfig(CurrentKey key, @Nullable CurrentTrust trust) {
    this.key = key;
    this.trust = trust;
  }

  /**
   * Reads the files; null if TLS is off.
   *
   * @throws IllegalArgumentException if a file is wrong
   */
  public static @Nullable TlsConfig of(Tls tls, FileWatch watch) {
    Path cert = tls.cert();
    Path privateKey = tls.key();
    if (cert == null || privateKey == null) {
      return null;
    }
    List<Path> files = new ArrayList<>(List.of(cert, privateKey));
    if (tls.clientCa() != null) {
      files.add(tls.clientCa());
    }
    WatchedFiles<Material> material = watch.add(WatchedFiles.open(files, TlsConfig::parse));
    CurrentKey key = new CurrentKey(() -> material.value().identity());
    X509ExtendedTrustManager first = material.value().trust();
    return new TlsConfig(
        key,
        first == null
            ? null
            : new CurrentTrust(
                () -> {
                  X509ExtendedTrustManager now = material.value().trust();
                  return now == null ? first : now;
                }));
  }

  private static Material parse(List<byte[]> contents) {
    return new Material(
        Identity.of(contents.get(0), contents.get(1)),
        contents.size() < 3 ? null : CurrentTrust.of(Pem.certificates(contents.get(2))));
  }

  /** Puts TLS into the options of the HTTP server. */
  public HttpServerOptions addTo(HttpServerOptions options) {
    options
        .setSsl(true)
        .setEnabledSecureTransportProtocols(Set.copyOf(PROTOCOLS))
        .setKeyCertOptions(KeyCertOptions.wrap(key));
    if (trust != null) {
      options
          .setClientAuth(io.vertx.core.http.ClientAuth.REQUIRED)
          .setTrustOptions(TrustOptions.wrap(trust));
    }
    return options;
  }

  /** For the nodes of a cluster, which know each other by the authority of clients. */
  public PeerTls peers() {
    if (trust == null) {
      throw new IllegalStateException("tls-client-ca: none (expected: a file, in a cluster)");
    }
    return new PeerTls(key, trust);
  }

  /** For the Redis protocol. */
  public SslContext netty() {
    return built(builder());
  }

  /** For gRPC: as HTTP/2 asks for it. */
  public SslContext grpc() {
    return built(
        builder()
            .ciphers(Http2SecurityUtil.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
            .applicationProtocolConfig(
                new ApplicationProtocolConfig(
                    Protocol.ALPN,
                    SelectorFailureBehavior.FATAL_ALERT,
                    SelectedListenerFailureBehavior.ACCEPT,
                    ApplicationProtocolNames.HTTP_2)));
  }

  private SslContextBuilder builder() {
    SslContextBuilder builder =
        SslContextBuilder.forServer(key).sslProvider(SslProvider.JDK).protocols(PROTOCOLS);
    return trust == null ? builder : builder.trustManager(trust).clientAuth(ClientAuth.REQUIRE);
  }

  private static SslContext built(SslContextBuilder builder) {
    try {
      return builder.build();
    } catch (SSLException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
