package io.penstock.server.security;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;

/**
 * A certificate chain with its private key. Immutable.
 *
 * @param alias tells it from the one before, while a handshake asks for its parts one by one
 */
record Identity(String alias, List<X509Certificate> chain, PrivateKey key) {
  /** Reads both, and makes sure that they belong together. */
  static Identity of(byte[] certificates, byte[] key) {
    List<X509Certificate> chain = Pem.certificates(certificates);
    Identity identity =
        new Identity(
            chain.get(0).getSerialNumber().toString(16).toLowerCase(Locale.ROOT)
                + "-"
                + Integer.toHexString(chain.hashCode()),
            List.copyOf(chain),
            Pem.privateKey(key));
    if (!identity.isOfOnePiece()) {
      throw new IllegalArgumentException("key: of another certificate (expected: of this one)");
    }
    return identity;
  }

  private boolean isOfOnePiece() {
    String algorithm = key.getAlgorithm();
    String scheme =
        algorithm.equals("EdDSA")
            ? "EdDSA"
            : "SHA256with" + (algorithm.equals("EC") ? "ECDSA" : algorithm);
    try {
      Signature signature = Signature.getInstance(scheme);
      signature.initSign(key);
      signature.update(new byte[] {1});
      byte[] signed = signature.sign();
      signature.initVerify(chain.get(0).getPublicKey());
      signature.update(new byte[] {1});
      return signature.verify(signed);
    } catch (GeneralSecurityException differ) {
      return false;
    }
  }

  X509Certificate[] array() {
    return chain.toArray(X509Certificate[]::new);
  }

  @Override
  public String toString() {
    return "Identity " + alias;
  }
}
