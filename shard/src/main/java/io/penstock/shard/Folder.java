package io.penstock.shard;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files of a shard and their names. Thread-safe. */
final class Folder {
  private static final System.Logger LOG = System.getLogger(Folder.class.getName());
  private static final Pattern JOURNAL = Pattern.compile("journal-(\\d{1,18})\\.log");
  private static final Pattern SNAPSHOT = Pattern.compile("snapshot-(\\d{1,18})\\.bin");
  private static final Pattern DRAFT = Pattern.compile("snapshot-(\\d{1,18})\\.draft");

  /** Opens a new file for writing: the file system, or what a test puts in its place. */
  interface Opener {
    FileChannel open(Path path) throws IOException;
  }

  static final Opener FILES =
      path -> FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

  private final Path path;
  private final Opener opener;
  private final BooleanSupplier isInPlace;

  /**
   * The folder at a path.
   *
   * @param isInPlace whether that is still the same one: nothing is made or deleted in another
   */
  Folder(Path path, Opener opener, BooleanSupplier isInPlace) {
    this.path = path;
    this.opener = opener;
    this.isInPlace = isInPlace;
  }

  Path path() {
    return path;
  }

  Path journal(long number) {
    return path.resolve("journal-" + number + ".log");
  }

  Path snapshot(long number) {
    return path.resolve("snapshot-" + number + ".bin");
  }

  private Path draft(long number) {
    return path.resolve("snapshot-" + number + ".draft");
  }

  NavigableSet<Long> journals() throws IOException {
    return numbers(JOURNAL);
  }

  NavigableSet<Long> snapshots() throws IOException {
    return numbers(SNAPSHOT);
  }

  private NavigableSet<Long> numbers(Pattern pattern) throws IOException {
    NavigableSet<Long> numbers = new TreeSet<>();
    try (Stream<Path> files = Files.list(path)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Matcher name = pattern.matcher(file.getFileName().toString());
        if (name.matches()) {
          numbers.add(Long.parseLong(name.group(1)));
        }
      }
    }
    return numbers;
  }

  private void checkPlace() throws IOException {
    if (!isInPlace.getAsBoolean()) {
      throw new IOException("not where it was: put it back, or restart");
    }
  }

  /** Throws if the folder, or the journal being written, is not at its path any more. */
  void checkPlace(FileIdentity journal) throws IOException {
    checkPlace();
    if (!journal.isInPlace()) {
      throw new IOException("a journal was deleted or moved away");
    }
  }

  /** A new journal with its header, durable by name. */
  FrameFile createJournal(Header header) throws IOException {
    checkPlace();
    try {
      FrameFile file = FrameFile.create(opener.open(journal(header.number())), header);
      file.sync();
      sync();
      return file;
    } catch (IOException e) {
      deleteJournal(header.number());
      throw e;
    }
  }

  /** Deletes a journal that never counted. */
  void deleteJournal(long number) {
    try {
      checkPlace();
      Files.deleteIfExists(journal(number));
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "a useless file stays", e);
    }
  }

  /** A new snapshot that does not count until {@link #publish}. */
  FrameFile createDraft(Header header) throws IOException {
    checkPlace();
    Files.deleteIfExists(draft(header.number()));
    return FrameFile.create(opener.open(draft(header.number())), header);
  }

  /** Makes a draft, whole and synced, the snapshot of its number. */
  void publish(long number) throws IOException {
    checkPlace();
    try {
      Files.move(draft(number), snapshot(number), StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      throw new IOException(path + ": cannot rename within the folder", e);
    }
    sync();
  }

  private void sync() throws IOException {
    try (FileChannel folder = FileChannel.open(path, StandardOpenOption.READ)) {
      folder.force(/* metaData= */ true);
    }
  }

  /** Deletes what a published snapshot makes superfluous. */
  void deleteBefore(long number) throws IOException {
    checkPlace();
    for (long old : snapshots().headSet(number)) {
      Files.deleteIfExists(snapshot(old));
    }
    for (long old : journals().headSet(number)) {
      Files.deleteIfExists(journal(old));
    }
  }

  void deleteDrafts() throws IOException {
    checkPlace();
    for (long number : numbers(DRAFT)) {
      Files.deleteIfExists(draft(number));
    }
  }
}
