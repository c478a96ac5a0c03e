package io.penstock.server.policy;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Law L9: what an older version has written is read. */
class PolicyStoreFormatTest {
  private static final Instant WRITTEN = Instant.parse("2026-11-15T12:00:00Z");
  private static final String TIER = "{\"limits\":[\"10/s\"]}";
  private static final String MOVED = "{\"tier\":\"free\",\"override\":{\"shadow\":true}}";

  @TempDir Path folder;

  private Path old(int format) throws IOException {
    Path file = folder.resolve("policies.db");
    String name = "/format-" + format + "/policies.db";
    try (InputStream old = getClass().getResourceAsStream(name)) {
      Files.copy(Objects.requireNonNull(old), file);
    }
    return file;
  }

  private static void assertRead(PolicyStore store) {
    List<Change> read = new ArrayList<>();
    store.forEachCurrent(read::add);
    assertThat(read)
        .containsExactly(
            new Change(Kind.TIER, "free", 1, 1, WRITTEN, "anna", TIER, ""),
            new Change(Kind.POLICY, "api/user", 2, 3, WRITTEN, "bert", MOVED, "86400000000000:7"));
    assertThat(store.history(Kind.POLICY, "api/gone", Change.NEVER, 9).items())
        .extracting(Change::version)
        .containsExactly(2L, 1L);
    assertThat(store.revision()).isEqualTo(5);
  }

  @Test
  void open_fileOfFormat1_isReadAndBroughtToTheFormatOfNow() throws IOException, SQLException {
    Path file = old(1);
    try (PolicyStore store = PolicyStore.open(file, () -> Instant.EPOCH)) {
      assertRead(store);
      assertThat(store.appliedIndex()).isZero();
      assertThat(store.secret()).isNull();
      store.put(Kind.TIER, "free", TIER, new Expected.Version(1), "anna");
    }
    try (Connection connection = new Database(file).connect();
        Statement statement = connection.createStatement();
        ResultSet format = statement.executeQuery("PRAGMA user_version")) {
      assertThat(format.getInt(1)).isEqualTo(Database.FORMAT);
    }
  }

  @Test
  void replica_fileOfFormat2_isRead() throws IOException {
    Path file = old(2);
    Proposer nobody =
        write -> {
          throw StoreUnavailableException.unanswered(/* cause= */ null);
        };
    try (PolicyStore store = PolicyStore.replica(file, () -> Instant.EPOCH, nobody)) {
      assertRead(store);
      assertThat(store.appliedIndex()).isEqualTo(6);
      assertThat(store.secret()).asString(US_ASCII).isEqualTo("0123456789abcdef");
    }
  }

  @Test
  void format_ofNow_isDocumented() throws IOException {
    assertThat(Files.readString(Path.of("../docs/upgrading.md")))
        .contains("| `policies.db` | " + Database.FORMAT + " |")
        .contains("| `policies.db` | " + Database.GROWN + " |");
  }

  @Test
  void open_fileOfANewerFormat_isRefusedAndLeftAlone() throws IOException, SQLException {
    Path file = folder.resolve("policies.db");
    PolicyStore.open(file, () -> Instant.EPOCH).close();
    try (Connection connection = new Database(file).connect();
        Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA user_version = " + (Database.GROWN + 1));
    }
    byte[] before = Files.readAllBytes(file);
    assertThatThrownBy(() -> PolicyStore.open(file, () -> Instant.EPOCH))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(file + ": format 5 (expected: at most 4");
    assertThat(file).hasBinaryContent(before);
  }
}
