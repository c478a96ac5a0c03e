package io.penstock.cli.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** The wall clock of one node's process: it can be off, and be stepped while that runs. */
final class FakeClock {
  private static final String LIBRARY = "libfaketimeMT.so.1";

  /** Where packages put libraries; another folder can be named. */
  private static final Path ROOT = Path.of(System.getProperty("penstock.faketime", "/usr/lib"));

  private final Path library;
  private final Path file;

  private FakeClock(Path library, Path file) {
    this.library = library;
    this.file = file;
  }

  /**
   * A clock that is right so far; without libfaketime the test that wants it is skipped.
   *
   * @param file by which its process is told what to say
   */
  static FakeClock at(Path file) throws IOException {
    Path found =
        library().orElseGet(() -> Assumptions.abort("no " + LIBRARY + " here: not below " + ROOT));
    FakeClock clock = new FakeClock(found, file);
    clock.step(Duration.ZERO);
    return clock;
  }

  static boolean isPossible() throws IOException {
    return library().isPresent();
  }

  private static Optional<Path> library() throws IOException {
    try (Stream<Path> found =
        Files.find(ROOT, /* maxDepth= */ 3, (path, about) -> path.endsWith(LIBRARY))) {
      return found.findFirst();
    }
  }

  /*
   * The monotonic clock stays as it is, as it does when a wall clock is stepped. Without the fix
   * that is switched off here the library takes the end of a timed wait for a time of the other
   * clock: every wait in the JVM ends at once, and its threads spin.
   */
  Map<String, String> environment() {
    return Map.of(
        "LD_PRELOAD", library.toString(),
        "FAKETIME_TIMESTAMP_FILE", file.toString(),
        "FAKETIME_NO_CACHE", "1",
        "FAKETIME_DONT_FAKE_MONOTONIC", "1",
        "FAKETIME_FORCE_MONOTONIC_FIX", "0");
  }

  /** From now on it is so far ahead of the clock of this machine. */
  void step(Duration ahead) throws IOException {
    Path next = Files.writeString(file.resolveSibling(file.getFileName() + ".next"), text(ahead));
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static String text(Duration ahead) {
    return "%+d\n".formatted(ahead.toSeconds());
  }
}
