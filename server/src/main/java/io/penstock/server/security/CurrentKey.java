package io.penstock.server.security;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Shows the certificate that the files hold now, so that a new one needs no restart. Thread-safe. A
 * handshake first chooses an alias and then asks for its key and chain: the identity before is kept
 * for those that chose it.
 */
final class CurrentKey extends X509ExtendedKeyManager {
  private record Pair(Identity now, Identity before) {}

  private final Supplier<Identity> source;
  private volatile Pair pair;

  CurrentKey(Supplier<Identity> source) {
    this.source = source;
    this.pair = new Pair(source.get(), source.get());
  }

  private Identity now() {
    Identity newest = source.get();
    Pair seen = pair;
    if (!seen.now().equals(newest)) {
      pair = new Pair(newest, seen.now());
    }
    return newest;
  }

  private @Nullable Identity by(@Nullable String alias) {
    Pair seen = pair;
    return seen.now().alias().equals(alias)
        ? seen.now()
        : seen.before().alias().equals(alias) ? seen.before() : null;
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    Identity now = now();
    return keyType.equals(now.key().getAlgorithm()) ? now.alias() : null;
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return chooseEngineServerAlias(keyType, issuers, /* engine= */ null);
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(@Nullable String alias) {
    Identity identity = by(alias);
    return identity == null ? null : identity.array();
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(@Nullable String alias) {
    Identity identity = by(alias);
    return identity == null ? null : identity.key();
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    String alias = chooseEngineServerAlias(keyType, issuers, /* engine= */ null);
    return alias == null ? null : new String[] {alias};
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return null;
  }

  /** A node of a cluster shows the same certificate where it asks. */
  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    Identity now = now();
    return Arrays.asList(keyTypes).contains(now.key().getAlgorithm()) ? now.alias() : null;
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return chooseEngineClientAlias(keyTypes, issuers, /* engine= */ null);
  }
}
