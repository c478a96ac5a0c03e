package io.penstock.server.security;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads certificates and private keys from PEM text. */
final class Pem {
  private static final Pattern PRIVATE_KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]*)-----END PRIVATE KEY-----");

  private Pem() {}

  static List<X509Certificate> certificates(byte[] pem) {
    List<X509Certificate> certificates = new ArrayList<>();
    try {
      for (Certificate each :
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(pem))) {
        certificates.add((X509Certificate) each);
      }
    } catch (CertificateException broken) {
      throw new IllegalArgumentException(
          "certificate: cannot be read (expected: X.509 in PEM)", broken);
    }
    if (certificates.isEmpty()) {
      throw new IllegalArgumentException("certificate: none (expected: at least one, PEM)");
    }
    return certificates;
  }

  static PrivateKey privateKey(byte[] pem) {
    Matcher found = PRIVATE_KEY.matcher(new String(pem, StandardCharsets.ISO_8859_1));
    if (!found.find()) {
      throw new IllegalArgumentException(
          "key: no PRIVATE KEY (expected: unencrypted PKCS#8, as `openssl pkcs8 -topk8 -nodes`"
              + " writes it)");
    }
    byte[] encoded = Base64.getMimeDecoder().decode(found.group(1));
    for (String algorithm : List.of("RSA", "EC", "EdDSA")) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
      } catch (InvalidKeySpecException another) {
        // The encoding names its algorithm, but only the right factory reads it.
      } catch (GeneralSecurityException missing) {
        throw new IllegalStateException(missing);
      }
    }
    throw new IllegalArgumentException("key: cannot be read (expected: RSA, EC or Ed25519)");
  }
}
