package io.penstock.cluster;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.thirdparty.io.grpc.netty.GrpcSslContexts;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContext;

/**
 * How nodes know each other: each shows a certificate, and none trusts one that the other's
 * authority has not signed. Immutable; what the managers hold may change.
 */
public record PeerTls(KeyManager key, TrustManager trust) {
  GrpcTlsConfig forRaft() {
    return new GrpcTlsConfig(key, trust, /* mTlsEnabled= */ true);
  }

  SslContext forCalls() {
    try {
      return GrpcSslContexts.forClient().keyManager(key).trustManager(trust).build();
    } catch (SSLException e) {
      throw new IllegalStateException("tls: " + e.getMessage(), e);
    }
  }
}
