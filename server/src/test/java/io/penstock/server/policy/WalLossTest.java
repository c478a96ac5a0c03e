package io.penstock.server.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a store tells of a log that lacks what was answered, and of one that was cut short. */
class WalLossTest {
  @TempDir Path folder;

  private Path file(String name) {
    return folder.resolve(name);
  }

  private static PolicyStore open(Path file) {
    return PolicyStore.open(file, () -> Instant.EPOCH);
  }

  private static void put(PolicyStore store, int number) {
    String json = "{\"limits\":[\"1/s\"]}";
    store.put(Kind.POLICY, "api/user=" + number, json, new Expected.Absent(), "anna");
  }

  private static List<String> names(PolicyStore store) {
    List<String> names = new ArrayList<>();
    store.forEachCurrent(change -> names.add(change.name()));
    return names;
  }

  /** Copies the files of a store in use, as a killed process leaves them. */
  private Path killed(Path live) throws IOException {
    Files.copy(live, file("left.db"));
    Files.copy(file(live.getFileName() + "-wal"), file("left.db-wal"));
    return file("left.db");
  }

  /** The same with the index of the log, which is memory that the process shared. */
  private Path killedWithIndex(Path live) throws IOException {
    Files.copy(file(live.getFileName() + "-shm"), file("left.db-shm"));
    return killed(live);
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(1).nextBytes(bytes);
    return bytes;
  }

  @Test
  void loss_unfinishedTransaction_isNone() throws IOException {
    try (PolicyStore live = open(file("live.db"))) {
      put(live, 0);
      Files.copy(file("live.db-shm"), file("left.db-shm"));
      put(live, 1);
      Path left = killed(file("live.db"));
      byte[] log = Files.readAllBytes(file("left.db-wal"));
      Files.write(file("left.db-wal"), Arrays.copyOf(log, log.length - 10));
      try (PolicyStore again = open(left)) {
        assertThat(names(again)).containsExactly("api/user=0");
        assertThat(again.loss()).isNull();
      }
    }
  }

  @Test
  void loss_logCutShortBehindWhatWasAnswered_isToldWithPages() throws IOException {
    try (PolicyStore live = open(file("live.db"))) {
      put(live, 0);
      put(live, 1);
      Path left = killedWithIndex(file("live.db"));
      byte[] log = Files.readAllBytes(file("left.db-wal"));
      Files.write(file("left.db-wal"), Arrays.copyOf(log, log.length - 10));
      try (PolicyStore again = open(left)) {
        assertThat(names(again)).containsExactly("api/user=0");
        assertThat(again.loss())
            .matches("discarded the last changes: of its log \\d+ of \\d+ pages can be read");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void loss_logOverwritten_isTold(boolean withIndex) throws IOException {
    try (PolicyStore live = open(file("live.db"))) {
      put(live, 0);
      Path left = withIndex ? killedWithIndex(file("live.db")) : killed(file("live.db"));
      Files.write(file("left.db-wal"), random((int) Files.size(file("left.db-wal"))));
      try (PolicyStore again = open(left)) {
        assertThat(names(again)).isEmpty();
        assertThat(again.loss()).contains("the last changes");
      }
    }
  }

  @Test
  void loss_overwrittenLogThatTheDatabaseHas_isNone() throws IOException, SQLException {
    try (PolicyStore live = open(file("live.db"))) {
      put(live, 0);
      try (Connection connection = new Database(file("live.db")).connect();
          Statement statement = connection.createStatement()) {
        statement.execute("PRAGMA wal_checkpoint(PASSIVE)");
      }
      Path left = killedWithIndex(file("live.db"));
      Files.write(file("left.db-wal"), random(100_000));
      try (PolicyStore again = open(left)) {
        assertThat(names(again)).containsExactly("api/user=0");
        assertThat(again.loss()).isNull();
      }
    }
  }
}
