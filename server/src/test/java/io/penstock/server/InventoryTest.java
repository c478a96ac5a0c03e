package io.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of a data folder in which files are missing. */
class InventoryTest {
  private static final byte[] USED = new byte[65];

  @TempDir Path folder;

  private @Nullable String loss(String... names) throws IOException {
    Path held = Files.createTempDirectory(folder, "held");
    for (String name : names) {
      Files.write(held.resolve(name), USED);
    }
    return Inventory.of(held).loss();
  }

  @Test
  void loss_allThereOrNothingYet_isNone() throws IOException {
    assertThat(Inventory.of(folder.resolve("not-there")).loss()).isNull();
    assertThat(loss("lock")).isNull();
    assertThat(loss("journal-1.log", "policies.db", "secret.bin")).isNull();
    assertThat(
            loss("snapshot-3.bin", "journal-3.log", "journal-4.log", "policies.db", "secret.bin"))
        .isNull();
  }

  @Test
  void loss_firstStartCutShort_isNone() throws IOException {
    Files.write(folder.resolve("journal-1.log"), new byte[64]);
    assertThat(Inventory.of(folder).loss()).isNull();
    Files.write(folder.resolve("policies.db"), USED);
    assertThat(Inventory.of(folder).loss()).isNull();
  }

  @Test
  void loss_secretMissing_saysWhatCannotBeFound() throws IOException {
    assertThat(loss("journal-1.log", "policies.db")).startsWith("secret.bin is missing: what keys");
    assertThat(loss("snapshot-2.bin", "journal-2.log", "policies.db")).startsWith("secret.bin is");
  }

  @Test
  void loss_policiesMissing_isSaid() throws IOException {
    assertThat(loss("journal-1.log", "secret.bin"))
        .isEqualTo("policies.db is missing: policies and their history are lost");
  }

  @Test
  void loss_policiesEmpty_isSaid() throws IOException {
    Files.write(folder.resolve("journal-1.log"), new byte[64]);
    Files.createFile(folder.resolve("policies.db"));
    assertThat(Inventory.of(folder).loss()).as("a first start that was cut short").isNull();
    Files.write(folder.resolve("secret.bin"), USED);
    assertThat(Inventory.of(folder).loss())
        .isEqualTo("policies.db is empty: policies and their history are lost");
  }

  /** SQLite makes both after its database, and deletes the log last. */
  @Test
  void loss_logOfThePoliciesMissing_isSaid() throws IOException {
    assertThat(loss("journal-1.log", "policies.db", "policies.db-shm", "secret.bin"))
        .isEqualTo("policies.db-wal is missing: the last changes of policies may be lost");
    assertThat(
            loss(
                "journal-1.log", "policies.db", "policies.db-shm", "policies.db-wal", "secret.bin"))
        .isNull();
    assertThat(loss("journal-1.log", "policies.db", "policies.db-wal", "secret.bin")).isNull();
  }

  @Test
  void loss_countersMissing_saysWhichAreLost() throws IOException {
    assertThat(loss("policies.db", "secret.bin"))
        .isEqualTo("journal and snapshot are missing: what keys have used is lost");
    assertThat(loss("journal-3.log", "policies.db", "secret.bin"))
        .startsWith("the snapshot is missing");
    assertThat(loss("snapshot-3.bin", "policies.db", "secret.bin"))
        .startsWith("the journal is missing");
  }

  /** A first start syncs the head of its journal before it makes the others. */
  @Test
  void loss_journalsEmptied_isSaid() throws IOException {
    Files.createFile(folder.resolve("journal-1.log"));
    assertThat(Inventory.of(folder).loss()).as("a first start that was cut short").isNull();
    Files.write(folder.resolve("policies.db"), USED);
    assertThat(Inventory.of(folder).loss())
        .isEqualTo("the journal is empty: what keys have used is lost");
    Files.write(folder.resolve("secret.bin"), USED);
    Files.write(folder.resolve("journal-2.log"), new byte[63]);
    assertThat(Inventory.of(folder).loss())
        .isEqualTo("the journal is empty: what keys have used is lost");
    Files.write(folder.resolve("journal-1.log"), new byte[64]);
    assertThat(Inventory.of(folder).loss()).as("a later start that was cut short").isNull();
    Files.delete(folder.resolve("journal-1.log"));
    assertThat(Inventory.of(folder).loss()).startsWith("the snapshot is missing");
  }
}
