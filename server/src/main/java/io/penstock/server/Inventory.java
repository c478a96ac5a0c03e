package io.penstock.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which files a data folder held before a start, and what is lost because others are missing or
 * damaged. Thread-safe.
 */
final class Inventory {
  /*
   * A first start makes the journal, then the policies, then the secret, and may be ended between
   * them: so what has nothing in it is not missed beside a journal without a frame.
   */
  private static final Pattern JOURNAL = Pattern.compile("journal-(\\d{1,18})\\.log");
  private static final Pattern SNAPSHOT = Pattern.compile("snapshot-(\\d{1,18})\\.bin");
  private static final long EMPTY_JOURNAL_BYTES = 64;

  private final List<String> losses = new CopyOnWriteArrayList<>();

  private Inventory(Path folder) throws IOException {
    NavigableSet<Long> journals = numbers(folder, JOURNAL);
    NavigableSet<Long> snapshots = numbers(folder, SNAPSHOT);
    boolean secret = Files.exists(folder.resolve(SecretFile.NAME));
    Path store = folder.resolve(Server.POLICIES_NAME);
    boolean policies = Files.exists(store);
    boolean counters = !snapshots.isEmpty() || isUsed(folder, journals);
    if (!secret && counters) {
      losses.add(
          SecretFile.NAME
              + " is missing: what keys have used, blocks and overrides cannot be found again and"
              + " are lost");
    }
    if (!policies && (secret || counters)) {
      losses.add(Server.POLICIES_NAME + " is missing: policies and their history are lost");
    } else if (policies && (secret || counters) && Files.size(store) == 0) {
      losses.add(Server.POLICIES_NAME + " is empty: policies and their history are lost");
    } else if (isLogLost(folder)) {
      losses.add(
          Server.POLICIES_NAME + "-wal is missing: the last changes of policies may be lost");
    }
    if (snapshots.isEmpty() && journals.isEmpty()) {
      if (secret || policies) {
        losses.add("journal and snapshot are missing: what keys have used is lost");
      }
    } else if (snapshots.isEmpty() && journals.first() > 1) {
      losses.add("the snapshot is missing: what keys had used before it is lost");
    } else if (snapshots.isEmpty() && (secret || policies) && isEmptied(folder, journals)) {
      losses.add("the journal is empty: what keys have used is lost");
    } else if (!snapshots.isEmpty() && !journals.contains(snapshots.last())) {
      losses.add("the journal is missing: what keys have used since the snapshot is lost");
    }
  }

  /** Looks at a folder, which need not be there. */
  static Inventory of(Path folder) throws IOException {
    return new Inventory(folder);
  }

  private static boolean isUsed(Path folder, NavigableSet<Long> journals) throws IOException {
    return !journals.isEmpty()
        && (journals.last() > 1
            || Files.size(folder.resolve("journal-1.log")) > EMPTY_JOURNAL_BYTES);
  }

  /** Whether no journal has as much as the head that each begins with, synced before all else. */
  private static boolean isEmptied(Path folder, NavigableSet<Long> journals) throws IOException {
    for (long number : journals) {
      if (Files.size(folder.resolve("journal-" + number + ".log")) >= EMPTY_JOURNAL_BYTES) {
        return false;
      }
    }
    return true;
  }

  /** SQLite makes the index of its log after the log, and deletes it before. */
  private static boolean isLogLost(Path folder) {
    return Files.exists(folder.resolve(Server.POLICIES_NAME + "-shm"))
        && !Files.exists(folder.resolve(Server.POLICIES_NAME + "-wal"));
  }

  private static NavigableSet<Long> numbers(Path folder, Pattern names) throws IOException {
    NavigableSet<Long> numbers = new TreeSet<>();
    if (Files.isDirectory(folder)) {
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : (Iterable<Path>) files::iterator) {
          Matcher name = names.matcher(file.getFileName().toString());
          if (name.matches()) {
            numbers.add(Long.valueOf(name.group(1)));
          }
        }
      }
    }
    return numbers;
  }

  /** Notes what is lost because a file is there and damaged. */
  void addDamage(String name, String loss) {
    losses.add(name + " was damaged: " + loss);
  }

  /** Notes what is lost; null if nothing is. */
  void add(@Nullable String loss) {
    if (loss != null) {
      losses.add(loss);
    }
  }

  /** What is lost, in one text; null if nothing is. */
  @Nullable String loss() {
    return losses.isEmpty() ? null : String.join("; ", losses);
  }
}
