package io.penstock.server.security;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.EdECPoint;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.RSAPublicKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A key that signs tokens, bound to the one algorithm it is made for: a public key can never be
 * taken for the secret of an HMAC, whatever the head of a token says. Immutable.
 */
sealed interface TokenKey {
  String algorithm();

  /** Its name in the key set; empty if it has none. */
  String id();

  boolean verifies(byte[] signed, byte[] signature) throws GeneralSecurityException;

  /** A secret for HS256. */
  record Secret(SecretKeySpec secret) implements TokenKey {
    private static final int BYTES_MIN = 32;

    static Secret of(byte[] content) {
      // An editor ends the file with a line break that nobody means.
      String text = new String(content, StandardCharsets.ISO_8859_1).strip();
      byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
      if (bytes.length < BYTES_MIN) {
        throw new IllegalArgumentException(
            "secret: " + bytes.length + " bytes (expected: at least " + BYTES_MIN + ")");
      }
      return new Secret(new SecretKeySpec(bytes, "HmacSHA256"));
    }

    @Override
    public String algorithm() {
      return "HS256";
    }

    @Override
    public String id() {
      return "";
    }

    @Override
    public boolean verifies(byte[] signed, byte[] signature) throws GeneralSecurityException {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(secret);
      return MessageDigest.isEqual(mac.doFinal(signed), signature);
    }

    @Override
    public String toString() {
      return "Secret";
    }
  }

  /** A public key for RS256 or EdDSA. */
  record Public(String algorithm, String id, PublicKey key) implements TokenKey {
    private static final int RSA_BITS_MIN = 2_048;
    private static final int ED25519_BYTES = 32;

    @Override
    public boolean verifies(byte[] signed, byte[] signature) throws GeneralSecurityException {
      Signature verifier =
          Signature.getInstance(algorithm.equals("RS256") ? "SHA256withRSA" : "Ed25519");
      verifier.initVerify(key);
      verifier.update(signed);
      try {
        return verifier.verify(signature);
      } catch (SignatureException malformed) {
        return false;
      }
    }

    /** Reads a JSON Web Key Set; keys for other purposes are passed over. */
    static List<TokenKey> parseSet(byte[] json) {
      List<TokenKey> keys = new ArrayList<>();
      try {
        for (JsonNode key : new ObjectMapper().readTree(json).path("keys")) {
          boolean signs = key.path("use").asText("sig").equals("sig");
          String algorithm = key.path("alg").asText();
          if (signs && isRsa(key) && List.of("", "RS256").contains(algorithm)) {
            keys.add(new Public("RS256", key.path("kid").asText(), rsa(key)));
          } else if (signs && isEd25519(key) && List.of("", "EdDSA").contains(algorithm)) {
            keys.add(new Public("EdDSA", key.path("kid").asText(), ed25519(key)));
          }
        }
      } catch (JsonProcessingException broken) {
        int line = broken.getLocation() == null ? 0 : broken.getLocation().getLineNr();
        throw new IllegalArgumentException(
            "jwks: no JSON at line " + line + " (expected: a set of keys, RFC 7517)", broken);
      } catch (InvalidKeyException known) {
        throw new IllegalArgumentException("jwks: " + known.getMessage(), known);
      } catch (IOException | GeneralSecurityException | RuntimeException odd) {
        throw new IllegalArgumentException(
            "jwks: a key that cannot be read (expected: RSA or Ed25519, RFC 7517)", odd);
      }
      if (keys.isEmpty()) {
        throw new IllegalArgumentException("jwks: no key (expected: RSA or Ed25519, to sign)");
      }
      return keys;
    }

    private static boolean isRsa(JsonNode key) {
      return key.path("kty").asText().equals("RSA");
    }

    private static boolean isEd25519(JsonNode key) {
      return key.path("kty").asText().equals("OKP") && key.path("crv").asText().equals("Ed25519");
    }

    private static PublicKey rsa(JsonNode key) throws GeneralSecurityException {
      RSAPublicKey made =
          (RSAPublicKey)
              KeyFactory.getInstance("RSA")
                  .generatePublic(
                      new RSAPublicKeySpec(
                          new BigInteger(1, bytes(key, "n")), new BigInteger(1, bytes(key, "e"))));
      if (made.getModulus().bitLength() < RSA_BITS_MIN) {
        throw new InvalidKeyException(
            "n: " + made.getModulus().bitLength() + " bits (expected: >= " + RSA_BITS_MIN + ")");
      }
      return made;
    }

    /** The point is written little-endian, the oddness of x in its last bit (RFC 8032). */
    private static PublicKey ed25519(JsonNode key) throws GeneralSecurityException {
      byte[] x = bytes(key, "x");
      if (x.length != ED25519_BYTES) {
        throw new InvalidKeyException("x: " + x.length + " bytes (expected: 32)");
      }
      byte[] bigEndian = new byte[x.length];
      for (int i = 0; i < x.length; i++) {
        bigEndian[i] = x[x.length - 1 - i];
      }
      boolean odd = bigEndian[0] < 0;
      bigEndian[0] &= 0x7f;
      EdECPoint point = new EdECPoint(odd, new BigInteger(1, bigEndian));
      return KeyFactory.getInstance("Ed25519")
          .generatePublic(new EdECPublicKeySpec(NamedParameterSpec.ED25519, point));
    }

    private static byte[] bytes(JsonNode key, String field) {
      return Base64.getUrlDecoder().decode(key.path(field).asText());
    }
  }
}
