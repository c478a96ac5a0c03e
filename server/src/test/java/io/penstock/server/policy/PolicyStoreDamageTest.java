package io.penstock.server.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a store keeps of files that were torn, cut or scribbled on while nobody looked. */
class PolicyStoreDamageTest {
  private static final InstantSource CLOCK = () -> Instant.ofEpochMilli(1_700_000_000_000L);
  private static final int PAGE_BYTES = 4_096;

  @TempDir Path folder;

  private Path file(String name) {
    return folder.resolve(name);
  }

  private static PolicyStore open(Path file) {
    return PolicyStore.open(file, CLOCK);
  }

  private static void put(PolicyStore store, int number) {
    store.put(
        Kind.POLICY, "api/user=" + number, json(number), new Expected.Absent(), /* by= */ "anna");
  }

  private static String json(int number) {
    return "{\"limits\":[\"" + (1_000 + number) + "/s\"]}";
  }

  private static List<String> names(PolicyStore store) {
    List<String> names = new ArrayList<>();
    store.forEachCurrent(change -> names.add(change.name()));
    return names;
  }

  private static Stored stored(PolicyStore store, String scope) {
    return Objects.requireNonNull(store.get(Kind.POLICY, scope));
  }

  private List<Path> asides() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(path -> path.getFileName().toString().contains(".damaged-")).toList();
    }
  }

  /** Copies the files of a store in use, as a killed process leaves them. */
  private Path killed(Path live) throws IOException {
    Path left = file("left.db");
    Files.copy(live, left);
    Files.copy(file(live.getFileName() + "-wal"), file("left.db-wal"));
    return left;
  }

  @Test
  void open_killedWhileInUse_hasEverythingAnswered() throws IOException {
    try (PolicyStore live = open(file("live.db"))) {
      for (int i = 0; i < 3; i++) {
        put(live, i);
      }
      Path left = killed(file("live.db"));
      assertThat(WalTail.lostBytes(file("left.db-wal"))).isZero();
      try (PolicyStore again = open(left)) {
        assertThat(names(again)).containsExactly("api/user=0", "api/user=1", "api/user=2");
      }
    }
  }

  @Test
  void open_tornLog_keepsWhatIsWholeAndKnowsWhatIsLost() throws IOException {
    try (PolicyStore live = open(file("live.db"))) {
      for (int i = 0; i < 3; i++) {
        put(live, i);
      }
      Path left = killed(file("live.db"));
      Path log = file("left.db-wal");
      byte[] bytes = Files.readAllBytes(log);
      Files.write(log, Arrays.copyOf(bytes, bytes.length - 10));
      assertThat(WalTail.lostBytes(log)).isPositive();
      try (PolicyStore again = open(left)) {
        assertThat(names(again)).containsExactly("api/user=0", "api/user=1");
        put(again, 2);
        assertThat(names(again)).hasSize(3);
      }
    }
  }

  @Test
  void lostBytes_logWithChangedLetterOrNoHeader_areCounted() throws IOException {
    try (PolicyStore live = open(file("live.db"))) {
      put(live, 0);
      killed(file("live.db"));
    }
    Path log = file("left.db-wal");
    byte[] bytes = Files.readAllBytes(log);
    byte[] changed = bytes.clone();
    changed[bytes.length - 100] ^= 1;
    Files.write(log, changed);
    assertThat(WalTail.lostBytes(log)).isBetween(1L, (long) bytes.length);
    bytes[3] ^= 0x40;
    Files.write(log, bytes);
    assertThat(WalTail.lostBytes(log)).isEqualTo(bytes.length);
    Files.write(log, new byte[0]);
    assertThat(WalTail.lostBytes(log)).isZero();
  }

  @Test
  void open_fileThatIsNoDatabase_isMovedAside() throws IOException {
    byte[] garbage =
        "no database at all, only words\n".repeat(500).getBytes(StandardCharsets.UTF_8);
    Files.write(file("policies.db"), garbage);
    try (PolicyStore store = open(file("policies.db"))) {
      assertThat(names(store)).isEmpty();
      put(store, 1);
    }
    assertThat(asides())
        .singleElement()
        .satisfies(path -> assertThat(path).hasBinaryContent(garbage));
    try (PolicyStore store = open(file("policies.db"))) {
      assertThat(names(store)).containsExactly("api/user=1");
    }
    assertThat(asides()).hasSize(1);
  }

  private Path filled(int documents) {
    Path file = file("policies.db");
    try (PolicyStore store = open(file)) {
      for (int i = 0; i < documents; i++) {
        put(store, i);
      }
    }
    return file;
  }

  @Test
  void open_brokenPage_keepsTheRowsOfTheOthers() throws IOException {
    int documents = 400;
    Path file = filled(documents);
    byte[] bytes = Files.readAllBytes(file);
    int at = indexOf(bytes, json(200)) / PAGE_BYTES * PAGE_BYTES;
    Arrays.fill(bytes, at, at + PAGE_BYTES, (byte) 0x5a);
    Files.write(file, bytes);
    try (PolicyStore store = open(file)) {
      assertThat(names(store))
          .hasSizeBetween(documents - 100, documents - 1)
          .contains("api/user=0", "api/user=399")
          .doesNotContain("api/user=200");
      assertThat(store.get(Kind.POLICY, "api/user=200")).isNull();
      put(store, 200);
      assertThat(stored(store, "api/user=399").document()).isEqualTo(json(399));
      assertThat(store.revision()).isEqualTo(documents + 1);
    }
    assertThat(asides()).isNotEmpty();
  }

  @Test
  void open_fileCutShort_keepsWhatIsLeft() throws IOException {
    Path file = filled(400);
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
    try (PolicyStore store = open(file)) {
      store.put(Kind.POLICY, "api/new", json(1), new Expected.Absent(), "anna");
      assertThat(names(store)).hasSizeGreaterThan(100).contains("api/user=0", "api/new");
    }
    assertThat(asides()).isNotEmpty();
  }

  @Test
  void open_headerOverwritten_keepsEveryRow() throws IOException {
    Path file = filled(400);
    byte[] bytes = Files.readAllBytes(file);
    Arrays.fill(bytes, 0, 300, (byte) 0x5a);
    Files.write(file, bytes);
    try (PolicyStore store = open(file)) {
      assertThat(names(store)).hasSize(400);
      assertThat(asides()).hasSize(1);
      assertThat(store.revision()).isEqualTo(400);
      store.put(Kind.POLICY, "api/user=7", json(8), new Expected.Version(1), "anna");
      assertThat(store.history(Kind.POLICY, "api/user=7", Change.NEVER, 9).items()).hasSize(2);
    }
  }

  @Test
  void open_damagedWithItsLog_keepsWhatIsOnlyThereToo() throws IOException {
    try (PolicyStore live = open(file("live.db"))) {
      String large = "{\"limits\":[\"1/s\"]" + " ".repeat(20_000) + "}";
      live.put(Kind.POLICY, "api/large", large, new Expected.Absent(), "anna");
      for (int i = 0; i < 100; i++) {
        put(live, i);
      }
      live.put(Kind.POLICY, "api/user=5", json(6), new Expected.Any(), "anna");
      live.delete(Kind.POLICY, "api/user=6", new Expected.Any(), "anna");
      Path left = killed(file("live.db"));
      byte[] garbage = new byte[PAGE_BYTES];
      Arrays.fill(garbage, (byte) 0x5a);
      Files.write(left, garbage);
      List<String> rows = new ArrayList<>();
      try (DamagedPages pages = DamagedPages.open(left)) {
        for (int number = 1; number <= pages.last(); number++) {
          LeafPage.rows(pages, number).forEach(row -> rows.add(row.change().name()));
        }
      }
      assertThat(rows).hasSize(103).contains("api/large");
      try (PolicyStore store = open(left)) {
        assertThat(names(store)).hasSize(100).contains("api/large").doesNotContain("api/user=6");
        assertThat(stored(store, "api/user=5")).hasToString(stored(live, "api/user=5").toString());
        assertThat(stored(store, "api/large").document()).isEqualTo(large);
      }
    }
  }

  @Test
  void get_changedLetter_isNotBelieved() throws IOException {
    Path file = filled(3);
    byte[] bytes = Files.readAllBytes(file);
    int at = indexOf(bytes, json(1));
    bytes[at + "{\"limits\":[\"".length()] = '9';
    Files.write(file, bytes);
    try (PolicyStore store = open(file)) {
      assertThat(names(store)).containsExactly("api/user=0", "api/user=2");
      assertThat(store.get(Kind.POLICY, "api/user=1")).isNull();
      assertThat(store.list(Kind.POLICY, "api/user=0", 1).items())
          .extracting(Stored::name)
          .containsExactly("api/user=2");
      put(store, 1);
      assertThat(stored(store, "api/user=1").version()).isEqualTo(2);
    }
  }

  @Test
  void open_crashBetweenRepairAndTakeOver_goesOn() throws IOException {
    Path file = filled(3);
    Files.move(file, file("policies.db.repaired"));
    Files.write(file, new byte[] {1, 2, 3});
    Files.write(file("policies.db-wal"), new byte[] {4, 5, 6});
    try (PolicyStore store = open(file)) {
      assertThat(names(store)).hasSize(3);
    }
    assertThat(asides()).hasSize(2);
  }

  private static int indexOf(byte[] bytes, String text) {
    int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf(text);
    assertThat(at).isPositive();
    return at;
  }
}
