package io.penstock.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What nodes tell each other carries the number of its format, and another one is refused. */
class PeerFormatsTest {
  private static final Member SELF = new Member(Peer.parse("n1=h:1"), "a");
  private static final String FORMATS = "../docs/upgrading.md";

  private static byte[] newer(byte[] text) {
    return ("9" + new String(text, UTF_8).substring(1)).getBytes(UTF_8);
  }

  @ParameterizedTest
  @EnumSource
  void letter_ofAnotherFormat_isRefused(Letter.Kind kind) {
    byte[] bytes = Letter.of(kind, "rest".getBytes(UTF_8));
    assertThat(Letter.read(bytes).kind()).isEqualTo(kind);
    assertThat(Letter.read(bytes).rest()).asString(UTF_8).isEqualTo("rest");
    bytes[1] = 9;
    assertThatThrownBy(() -> Letter.read(bytes))
        .isInstanceOf(FormatException.class)
        .hasMessage("question " + kind + ": format 9 (expected: 1; another version wrote it)");
    assertThatThrownBy(() -> Letter.read(new byte[] {bytes[0]}))
        .hasMessageStartingWith("question " + kind + ": format none (expected: 1;");
  }

  @Test
  void letter_ofAnotherKind_isRefused() {
    assertThatThrownBy(() -> Letter.read(new byte[] {9, 1}))
        .isInstanceOf(FormatException.class)
        .hasMessage("question: 9 (expected: 1 to 5; another version asks)");
    assertThatThrownBy(() -> Letter.read(new byte[0])).hasMessageStartingWith("question: none");
  }

  @Test
  void hello_ofAnotherFormat_isRefused() {
    Membership membership = new Membership(new UUID(1, 2), 3, 0, List.of(SELF));
    for (Hello hello : List.of(new Hello(SELF, 7, membership), new Hello(SELF, 7, null))) {
      assertThat(Hello.read(hello.write())).isEqualTo(hello);
      assertThatThrownBy(() -> Hello.read(newer(hello.write())))
          .isInstanceOf(FormatException.class)
          .hasMessage("hello: format 9 (expected: 1; another version wrote it)");
    }
  }

  @Test
  void r19_helloOfAClusterThatHasGrown_hasANumberThatVersionsBeforeRefuse() {
    Hello hello = new Hello(SELF, 7, grown(5));
    assertThat(Hello.read(hello.write())).isEqualTo(hello);
    assertThat(new String(hello.write(), UTF_8)).startsWith("2\n").contains("/3/5 ");
    Hello spare = new Hello(SELF, 7, grown(3));
    assertThat(Hello.read(spare.write())).isEqualTo(spare);
    assertThat(new String(spare.write(), UTF_8)).startsWith("2\n").contains("/3/3 ");
    Hello before = new Hello(SELF, 7, new Membership(new UUID(1, 2), 3, 0, List.of(SELF)));
    assertThat(new String(before.write(), UTF_8)).startsWith("1\n").contains("/3 ");
  }

  /** One of three groups, which has so many now, or one of its first ones spare. */
  private static Membership grown(int groups) {
    return new Membership(new UUID(1, 2), 3, 0, List.of(SELF)).grown(groups);
  }

  @Test
  void r19_identityInAClusterThatHasGrown_hasANumberThatVersionsBeforeRefuse(@TempDir Path folder)
      throws IOException {
    Membership members = new Membership(new UUID(1, 2), 3, 0, List.of(SELF));
    Identity before = Identity.open(folder, "n1").joined(members);
    before.write(folder);
    assertThat(Files.readAllLines(folder.resolve(Identity.FILE))).startsWith("penstock-node 2");
    before.joined(members.grown(4)).write(folder);
    assertThat(Files.readAllLines(folder.resolve(Identity.FILE))).startsWith("penstock-node 3");
    assertThat(Identity.open(folder, "n1").membership()).isEqualTo(members.grown(4));
  }

  @Test
  void seating_ofAnotherFormat_isRefused() {
    Seating one = new Seating(Map.of("meta", Seating.Seat.IN), /* refusal= */ null);
    for (Seating seating : List.of(one, one.and(Seating.refused("a\nb")), Seating.NONE)) {
      assertThat(Seating.read(seating.write())).isEqualTo(seating);
      assertThatThrownBy(() -> Seating.read(newer(seating.write())))
          .isInstanceOf(FormatException.class)
          .hasMessage("seating: format 9 (expected: 1; another version wrote it)");
    }
  }

  @Test
  void identity_ofAnotherFormat_isRefusedAndLeftAlone(@TempDir Path folder) throws IOException {
    Identity identity = Identity.open(folder, "n1");
    assertThat(Identity.open(folder, "n1")).isEqualTo(identity);
    Path file = folder.resolve(Identity.FILE);
    String text = "penstock-node 9\nn1\nwhatever a later version says";
    CRC32C sum = new CRC32C();
    sum.update(text.getBytes(UTF_8));
    String whole = text + "\n" + Long.toHexString(sum.getValue()) + "\n";
    Files.writeString(file, whole);
    assertThatThrownBy(() -> Identity.open(folder, "n1"))
        .isInstanceOf(IOException.class)
        .hasMessage(file + ": format 9 (expected: 2; another version wrote it)");
    assertThat(file).hasContent(whole);
    Files.writeString(file, whole.replace("later", "LATER"));
    assertThatThrownBy(() -> Identity.open(folder, "n1")).hasMessageContaining(": damaged (");
  }

  @Test
  void formats_all_areDocumented() throws IOException {
    String documented = Files.readString(Path.of(FORMATS));
    for (Letter.Kind kind : Letter.Kind.values()) {
      assertThat(documented).contains("| `" + kind + "` | " + kind.format().number() + " |");
    }
    assertThat(documented)
        .contains("| `Hello` | " + Hello.FORMAT.number() + " |")
        .contains("| `Hello` | " + Hello.GROWN.number() + " |")
        .contains("| node.txt | " + Identity.GROWN + " |")
        .contains("| `Seating` | " + Seating.FORMAT.number() + " |")
        .contains("| `Parcel` | " + Parcel.FORMAT + " |")
        .contains("| node.txt | " + Identity.FORMAT + " |");
  }
}
