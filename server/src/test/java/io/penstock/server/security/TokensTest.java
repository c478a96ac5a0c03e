package io.penstock.server.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokensTest {
  private static final byte[] SECRET = "0123456789abcdef0123456789abcdef".getBytes(UTF_8);
  private static final String CLAIMS =
      "{\"sub\":\"ann\",\"iss\":\"me\",\"aud\":[\"x\",\"penstock\"],\"exp\":1000,\"nbf\":500,"
          + "\"roles\":{\"api\":[\"check\",\"unheard-of\"]}}";

  private static KeyPair rsa;
  private static KeyPair ed;

  private long now = 700;
  private final InstantSource clock = () -> Instant.ofEpochSecond(now);

  @BeforeAll
  static void makeKeys() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    rsa = generator.generateKeyPair();
    ed = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
  }

  private static String text(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static String unsigned(String head, String claims) {
    return text(head.getBytes(UTF_8)) + "." + text(claims.getBytes(UTF_8));
  }

  private static String hmac(byte[] secret, String head, String claims) throws Exception {
    return hmac(secret, unsigned(head, claims));
  }

  private static String signed(String headAndClaims) throws Exception {
    return hmac(SECRET, headAndClaims);
  }

  private static String hmac(byte[] secret, String headAndClaims) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret, "HmacSHA256"));
    return headAndClaims + "." + text(mac.doFinal(headAndClaims.getBytes(UTF_8)));
  }

  private static String sign(String scheme, PrivateKey key, String head) throws Exception {
    Signature signature = Signature.getInstance(scheme);
    signature.initSign(key);
    String signed = unsigned(head, CLAIMS);
    signature.update(signed.getBytes(UTF_8));
    return signed + "." + text(signature.sign());
  }

  private Tokens secret() {
    return new Tokens(
        List.of(TokenKey.Secret.of(SECRET)), new Tokens.Demands("me", "penstock"), clock);
  }

  private Tokens set() {
    return new Tokens(
        TokenKey.Public.parseSet(jwks().getBytes(UTF_8)), new Tokens.Demands(null, null), clock);
  }

  private static String jwks() {
    RSAPublicKey key = (RSAPublicKey) rsa.getPublic();
    return """
        {"keys":[
          {"kty":"EC","crv":"P-256","x":"AA","y":"AA"},
          {"kty":"RSA","use":"enc","n":"AA","e":"AQAB"},
          {"kty":"RSA","kid":"r","n":"%s","e":"%s","alg":"RS256"},
          {"kty":"OKP","kid":"e","crv":"Ed25519","x":"%s"}]}
        """
        .formatted(
            text(unsigned(key.getModulus())), text(unsigned(key.getPublicExponent())), text(ed()));
  }

  private static byte[] unsigned(BigInteger number) {
    byte[] bytes = number.toByteArray();
    return bytes[0] == 0 ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes;
  }

  private static byte[] ed() {
    EdECPublicKey key = (EdECPublicKey) ed.getPublic();
    byte[] big = key.getPoint().getY().toByteArray();
    byte[] little = new byte[32];
    for (int i = 0; i < Math.min(32, big.length); i++) {
      little[i] = big[big.length - 1 - i];
    }
    little[31] |= key.getPoint().isXOdd() ? (byte) 0x80 : 0;
    return little;
  }

  private static @Nullable String name(@Nullable Caller caller) {
    return caller == null ? null : caller.name();
  }

  @Test
  void find_signedWithTheSecret_isItsSubjectWithItsRoles() throws Exception {
    Caller ann = requireNonNull(secret().find(hmac(SECRET, "{\"alg\":\"HS256\"}", CLAIMS)));
    assertThat(ann.name()).isEqualTo("ann");
    assertThat(ann.may(Role.CHECK, "api")).isTrue();
    assertThat(ann.may(Role.READ, "api")).isFalse();
    assertThat(ann.may(Role.CHECK, "billing")).isFalse();
  }

  @Test
  void find_signedWithAKeyOfTheSet_isItsSubject() throws Exception {
    Tokens set = set();
    String byRsa = sign("SHA256withRSA", rsa.getPrivate(), "{\"alg\":\"RS256\",\"kid\":\"r\"}");
    assertThat(name(set.find(byRsa))).isEqualTo("ann");
    assertThat(name(set.find(sign("Ed25519", ed.getPrivate(), "{\"alg\":\"EdDSA\"}"))))
        .isEqualTo("ann");
    assertThat(set.find(sign("Ed25519", ed.getPrivate(), "{\"alg\":\"EdDSA\",\"kid\":\"r\"}")))
        .isNull();
  }

  @Test
  void find_publicKeyAsHmacSecret_isNobody() throws Exception {
    String head = "{\"alg\":\"HS256\",\"kid\":\"r\"}";
    assertThat(set().find(hmac(rsa.getPublic().getEncoded(), head, CLAIMS))).isNull();
    assertThat(set().find(hmac(jwks().getBytes(UTF_8), head, CLAIMS))).isNull();
    String wrongAlg = sign("SHA256withRSA", rsa.getPrivate(), "{\"alg\":\"EdDSA\",\"kid\":\"r\"}");
    assertThat(set().find(wrongAlg)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"alg\":\"none\"}",
        "{\"alg\":\"None\"}",
        "{\"alg\":\"hs256\"}",
        "{\"alg\":\"HS512\"}",
        "{\"alg\":null}",
        "{}",
        "[]",
        "",
        "{\"alg\":\"HS256\",\"crit\":[\"exp\"]}",
        "{\"alg\":\"none\",\"alg\":\"HS256\"}"
      })
  void find_anotherHead_isNobody(String head) throws Exception {
    assertThat(secret().find(hmac(SECRET, head, CLAIMS))).isNull();
    assertThat(secret().find(unsigned(head, CLAIMS) + ".")).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"sub\":\"ann\",\"iss\":\"me\",\"aud\":\"penstock\"}",
        "{\"sub\":\"ann\",\"iss\":\"me\",\"aud\":\"penstock\",\"exp\":\"1000\"}",
        "{\"sub\":\"ann\",\"iss\":\"me\",\"aud\":\"penstock\",\"exp\":1000,\"nbf\":\"x\"}",
        "{\"sub\":\"ann\",\"iss\":\"you\",\"aud\":\"penstock\",\"exp\":1000}",
        "{\"sub\":\"ann\",\"iss\":\"me\",\"aud\":\"other\",\"exp\":1000}",
        "{\"sub\":\"ann\",\"iss\":\"me\",\"exp\":1000}",
        "{\"sub\":\"ann\",\"iss\":\"me\",\"aud\":\"penstock\",\"exp\":1000} {}",
        "not json"
      })
  void find_claimsThatDoNotSuffice_isNobody(String claims) throws Exception {
    assertThat(secret().find(hmac(SECRET, "{\"alg\":\"HS256\"}", claims))).isNull();
  }

  @Test
  void find_outsideItsTime_isNobodyEvenIfItWasKnown() throws Exception {
    Tokens tokens = secret();
    String token = hmac(SECRET, "{\"alg\":\"HS256\"}", CLAIMS);
    now = 469;
    assertThat(tokens.find(token)).isNull();
    now = 470;
    assertThat(name(tokens.find(token))).isEqualTo("ann");
    now = 1029;
    assertThat(name(tokens.find(token))).isEqualTo("ann");
    now = 1030;
    assertThat(tokens.find(token)).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "9223372036854775807, 0, ann",
    "1e300, 0, ann",
    "1e999, -1e999, ann",
    "99999999999999999999, -99999999999999999999, ann",
    "1000.5, -9223372036854775808, ann",
    "9223372036854775807, 9223372036854775807, ",
    "1e300, 1e300, ",
    "-9223372036854775808, 0, ",
    "-99999999999999999999, 0, ",
    "-1e300, -1e300, "
  })
  void find_timesBeyondALong_areFarOff(String until, String from, @Nullable String found)
      throws Exception {
    String claims = CLAIMS.replace("1000", until).replace("500", from);
    assertThat(name(secret().find(hmac(SECRET, "{\"alg\":\"HS256\"}", claims)))).isEqualTo(found);
  }

  @Test
  void find_changedOrCut_isNobody() throws Exception {
    String token = hmac(SECRET, "{\"alg\":\"HS256\"}", CLAIMS);
    String other = unsigned("{\"alg\":\"HS256\"}", CLAIMS.replace("check", "admin"));
    for (String wrong :
        List.of(
            "",
            ".",
            "..",
            "a.b.c",
            token + ".",
            token.substring(0, token.length() - 2),
            other + token.substring(token.lastIndexOf('.')),
            token + "x".repeat(10_000),
            hmac(
                "another-secret-of-thirty-two-bytes".getBytes(UTF_8),
                "{\"alg\":\"HS256\"}",
                CLAIMS))) {
      assertThat(secret().find(wrong)).as(wrong).isNull();
    }
  }

  /** RFC 7515: no part of a token is padded. */
  @Test
  void find_paddedPart_isNobody() throws Exception {
    String head = "{\"alg\":\"HS256\"} ";
    String paddedHead = Base64.getUrlEncoder().encodeToString(head.getBytes(UTF_8));
    String claims = CLAIMS + " ".repeat((4 - CLAIMS.length() % 3) % 3);
    String paddedClaims = Base64.getUrlEncoder().encodeToString(claims.getBytes(UTF_8));
    String plainHead = paddedHead.replace("=", "");
    String plainClaims = paddedClaims.replace("=", "");
    assertThat(paddedHead).endsWith("=");
    assertThat(paddedClaims).endsWith("=");
    assertThat(name(secret().find(signed(plainHead + "." + plainClaims)))).isEqualTo("ann");
    assertThat(secret().find(signed(paddedHead + "." + plainClaims))).isNull();
    assertThat(secret().find(signed(plainHead + "." + paddedClaims))).isNull();
    assertThat(secret().find(signed(plainHead + "." + plainClaims) + "=")).isNull();
  }

  @Test
  void keys_tooWeakOrNone_areRefused() {
    assertThatThrownBy(() -> TokenKey.Secret.of("short-secret\n".getBytes(UTF_8)))
        .hasMessage("secret: 12 bytes (expected: at least 32)");
    for (String set :
        List.of(
            "{\"keys\":[]}",
            "{}",
            "x",
            "{\"keys\":[{\"kty\":\"oct\"}]}",
            "{\"keys\":[{\"kty\":\"RSA\",\"n\":\"_____w\",\"e\":\"AQAB\"}]}")) {
      assertThatThrownBy(() -> TokenKey.Public.parseSet(set.getBytes(UTF_8)))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(TokenKey.Secret.of(SECRET).toString()).isEqualTo("Secret");
  }
}
