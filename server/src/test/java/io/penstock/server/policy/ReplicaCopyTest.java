package io.penstock.server.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stores that follow one log and take over copies of each other. */
class ReplicaCopyTest {
  private static final Expected ABSENT = new Expected.Absent();
  private static final Expected ANY = new Expected.Any();
  private static final Instant NOW = Instant.ofEpochMilli(1_700_000_000_123L);
  private static final String TEN = "{\"limits\":[\"10/s\"]}";

  @TempDir Path folder;

  private final List<byte[]> log = new ArrayList<>();
  private final List<Change> heard = new ArrayList<>();
  private PolicyStore store;

  @BeforeEach
  void open() {
    store = open("policies.db");
  }

  private PolicyStore open(String name) {
    PolicyStore opened = PolicyStore.replica(folder.resolve(name), () -> NOW, this::propose);
    opened.planBy((kind, document, json) -> "");
    opened.onChange(heard::add);
    return opened;
  }

  private byte[] propose(byte[] write) {
    log.add(write);
    return store.apply(log.size(), write);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private Written put(String scope, String json, Expected expected) {
    return store.put(Kind.POLICY, scope, json, expected, "anna");
  }

  private void run(String command) throws SQLException {
    try (Connection connection = new Database(folder.resolve("policies.db")).connect();
        Statement statement = connection.createStatement()) {
      statement.execute(command);
    }
  }

  @Test
  void load_copyOfAnother_isTakenOverAndTold() throws Exception {
    store.proposeSecret(new byte[16]);
    store.put(Kind.TIER, "gold", TEN, ABSENT, "anna");
    put("api/a", "{\"tier\":\"gold\"}", ABSENT);
    Path copy = folder.resolve("copy");
    try (PolicyStore other = open("other.db")) {
      for (int i = 1; i <= 3; i++) {
        other.apply(i, log.get(i - 1));
      }
      put("api/a", TEN, ANY);
      store.delete(Kind.TIER, "gold", ANY, "bert");
      assertThat(store.save(copy)).isEqualTo(5);
      byte[] before = Files.readAllBytes(copy);
      heard.clear();
      assertThat(other.load(copy)).isTrue();
      assertThat(heard).extracting(Change::name).containsExactly("api/a", "gold");
      assertThat(other.appliedIndex()).isEqualTo(5);
      assertThat(other.secret()).isEqualTo(new byte[16]);
      assertThat(other.history(Kind.POLICY, "api/a", Change.NEVER, 9).items())
          .isEqualTo(store.history(Kind.POLICY, "api/a", Change.NEVER, 9).items());
      assertThat(other.load(copy)).as("nothing new").isFalse();
      assertThat(heard).hasSize(2);
      assertThat(copy).hasBinaryContent(before);
    }
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left.map(path -> path.getFileName().toString()))
          .noneMatch(name -> name.contains("incoming") || name.contains("draft"));
    }
  }

  /** The secret of a cluster is in them. */
  @Test
  void store_andItsCopies_canBeReadByTheirOwnerOnly() throws Exception {
    store.proposeSecret(new byte[16]);
    store.save(folder.resolve("copy"));
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files)
          .hasSizeGreaterThan(2)
          .allSatisfy(
              file ->
                  assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                      .as(file.toString())
                      .isEqualTo("rw-------"));
    }
  }

  @Test
  void load_afterAFailure_goesOnBehindIt() throws SQLException {
    put("api/a", TEN, ABSENT);
    run("CREATE TRIGGER full BEFORE INSERT ON change BEGIN SELECT RAISE(ABORT, 'full'); END");
    assertThatThrownBy(() -> put("api/a", TEN, ANY)).isInstanceOf(StoreUnavailableException.class);
    run("DROP TRIGGER full");
    Path copy = folder.resolve("copy");
    try (PolicyStore other = open("other.db")) {
      other.apply(1, log.get(0));
      other.apply(2, log.get(1));
      other.save(copy);
    }
    assertThat(store.load(copy)).isTrue();
    assertThat(store.trouble()).isNull();
    assertThat(put("api/a", TEN, new Expected.Version(2)).version()).isEqualTo(3);
  }

  @Test
  void load_damagedCopy_isRefusedAndChangesNothing() throws Exception {
    put("api/user", TEN, ABSENT);
    Path copy = folder.resolve("copy");
    try (PolicyStore other = open("other.db")) {
      other.apply(1, log.get(0));
      other.apply(2, log.get(0));
      other.save(copy);
    }
    byte[] whole = Files.readAllBytes(copy);
    String changed = new String(whole, StandardCharsets.ISO_8859_1).replace("anna", "anne");
    for (byte[] bytes :
        List.of(
            new byte[0],
            "no database at all".repeat(99).getBytes(StandardCharsets.US_ASCII),
            changed.getBytes(StandardCharsets.ISO_8859_1))) {
      Files.write(copy, bytes);
      assertThatThrownBy(() -> store.load(copy))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("damaged");
      assertThat(store.appliedIndex()).isEqualTo(1);
    }
    Files.write(copy, whole);
    assertThat(store.load(copy)).isTrue();
  }
}
