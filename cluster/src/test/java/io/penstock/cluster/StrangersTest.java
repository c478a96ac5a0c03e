package io.penstock.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.core.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who calls a node without being one of its cluster, on real ports. */
@Timeout(120)
class StrangersTest {
  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final Duration ANSWER_MAX = Duration.ofSeconds(20);
  private static final byte[] HELLO = Letter.of(Letter.Kind.HELLO, new byte[0]);

  @TempDir Path folder;

  private static byte[] ask(@Nullable PeerTls tls, Peer peer, byte[] question) throws Exception {
    try (Calls calls = new Calls(Clock.system(), tls)) {
      return calls
          .ask(peer, question, ANSWER_MAX)
          .toCompletableFuture()
          .get(2 * ANSWER_MAX.toSeconds(), TimeUnit.SECONDS);
    }
  }

  private KeyStore certificate(String name) throws Exception {
    Path file = folder.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "it",
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                new String(PASSWORD))
            .redirectErrorStream(true)
            .start();
    String printed = new String(keytool.getInputStream().readAllBytes(), UTF_8);
    assertThat(keytool.waitFor()).as(printed).isZero();
    return KeyStore.getInstance(file.toFile(), PASSWORD);
  }

  /** Shows one certificate, and trusts those who show another. */
  private static PeerTls tls(KeyStore shown, KeyStore trusted) throws Exception {
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(shown, PASSWORD);
    KeyStore only = KeyStore.getInstance("PKCS12");
    only.load(null, null);
    only.setCertificateEntry("it", trusted.getCertificate("it"));
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(only);
    return new PeerTls(keys.getKeyManagers()[0], trust.getTrustManagers()[0]);
  }

  /** A node that is alone: the others of its list are not there. */
  private Raft open(Peer peer, PeerTls tls) throws IOException {
    return open(peer, tls, peer, free("n2"), free("n3"));
  }

  private static Peer free(String name) {
    return new Peer(name, "127.0.0.1", Trio.freePort());
  }

  private Raft open(Peer peer, @Nullable PeerTls tls, Peer... all) throws IOException {
    RaftOptions options =
        new RaftOptions(
            peer.name(),
            List.of(all),
            folder.resolve(peer.name()),
            Clock.system(),
            InstantSource.system(),
            tls);
    return Raft.open(
        options,
        Map.of(),
        (founded, first, groups) -> List.of(),
        CompletableFuture::completedFuture);
  }

  @Test
  void node_withoutTheRightCertificate_isRefused() throws Exception {
    KeyStore ours = certificate("ours");
    KeyStore theirs = certificate("theirs");
    PeerTls right = tls(ours, ours);
    Peer peer = free("n1");
    try (Raft node = open(peer, right)) {
      assertThat(node.cluster()).as("it need not belong to one to be asked").isNull();
      assertThat(Hello.read(ask(right, peer, HELLO)).self().peer().name()).isEqualTo("n1");
      assertThatThrownBy(() -> ask(tls(theirs, ours), peer, HELLO)).as("another's").isNotNull();
      assertThatThrownBy(() -> ask(/* tls= */ null, peer, HELLO)).as("none").isNotNull();
      assertThatThrownBy(() -> ask(tls(ours, theirs), peer, HELLO))
          .as("whoever calls does not trust it")
          .isNotNull();
    }
  }

  /** At the first start, when nobody belongs to anything yet. */
  @Test
  void trouble_certificateThatOthersDoNotTrust_isNamedOnBothSides() throws Exception {
    KeyStore ours = certificate("ours");
    KeyStore theirs = certificate("theirs");
    Peer first = free("n1");
    Peer second = free("n2");
    Peer third = free("n3");
    try (Raft right = open(first, tls(ours, ours), first, second, third);
        Raft wrong = open(second, tls(theirs, ours), first, second, third);
        Raft plain = open(third, /* tls= */ null, first, second, third)) {
      Trio.await(() -> String.valueOf(right.trouble()).contains("n2 [tls: "));
      Trio.await(() -> String.valueOf(right.trouble()).contains("n3 [tls: "));
      Trio.await(() -> String.valueOf(wrong.trouble()).contains("n1 [tls: "));
      assertThat(right.trouble()).startsWith("cluster: not joined yet ");
      assertThat(plain.trouble()).startsWith("cluster: not joined yet ");
    }
  }

  @Test
  void node_ofAnotherCluster_isRefused() throws Exception {
    try (Trio trio = new Trio(folder)) {
      for (Trio.Node node : trio.nodes) {
        node.start();
      }
      Trio.Node owner = trio.owner();
      Peer peer = trio.peer(owner);
      UUID own = UUID.fromString(String.valueOf(owner.raft().cluster()));
      Membership ours = new Membership(own, 1, 0, List.of());
      Membership theirs = new Membership(UUID.randomUUID(), 1, 0, List.of());
      String refusal = "cluster: " + theirs.cluster() + " (expected: " + own + ")";
      byte[] text = "?".getBytes(UTF_8);

      byte[] answer = ask(null, peer, Letter.forward(ours, text));
      assertThat(answer).as("the desk of a trio answers what it is asked").isEqualTo(text);
      assertThatThrownBy(() -> ask(null, peer, Letter.forward(theirs, text)))
          .hasMessageContaining(refusal);
      assertThatThrownBy(() -> ask(null, peer, Letter.proposal(theirs, Trio.GROUP, text)))
          .hasMessageContaining(refusal);
      Knock knock = new Knock(Knock.Wish.ASK, new Member(peer, "1"), /* isReady= */ false);
      assertThatThrownBy(() -> ask(null, peer, Letter.knock(theirs, knock)))
          .hasMessageContaining(refusal);
    }
  }

  @Test
  void r24_nodeOnTheDataOfAnotherCluster_saysSoAndIsNoPartOfThisOne() throws Exception {
    try (Trio here = new Trio(folder.resolve("here"));
        Trio there = new Trio(folder.resolve("there"))) {
      here.start();
      there.start();
      Trio.await(() -> here.nodes.stream().allMatch(Trio.Node::isWell));
      Trio.await(() -> there.nodes.stream().allMatch(Trio.Node::isWell));
      String ours = String.valueOf(here.owner().raft().cluster());
      String theirs = String.valueOf(there.owner().raft().cluster());
      there.nodes.forEach(Trio.Node::stop);
      Trio.Node wrong = here.nodes.get(2);
      wrong.wipe();
      Files.move(there.nodes.get(2).folder(), wrong.folder());
      wrong.start();

      String trouble =
          "data: of cluster %s (expected: that of cluster %s, as the nodes that answer;"
              .formatted(theirs, ours);
      Trio.await(() -> String.valueOf(wrong.raft().trouble()).startsWith(trouble));
      assertThat(wrong.raft().absence()).startsWith(trouble);
      assertThat(wrong.raft().isEstranged()).isTrue();
      Raft right = here.nodes.get(0).raft();
      Trio.await(() -> String.valueOf(right.trouble()).startsWith("nodes of another cluster: n3 "));
      assertThat(right.absence()).isNull();
      assertThat(right.isEstranged()).isFalse();
    }
  }
}
