package io.penstock.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The head of the page: what ran where, and how to read it. Confined to one thread. */
final class Preface {
  private static final Path PROCESSORS = Path.of("/proc/cpuinfo");
  private static final Path HUGE_PAGES = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
  private static final double GIBI = 1L << 30;

  private final Page page;
  private final @Nullable Facts run;

  Preface(Page page, @Nullable Facts run) {
    this.page = page;
    this.run = run;
  }

  void write() {
    page.title("Benchmarks");
    page.text(
        """
        Written by `bench/run`; changes by hand are lost. Ratios are what counts: peers run in the
        same run, in turn with Penstock, and nothing here is comparable across machines.
        """);
    page.row("", "");
    page.row("---", "---");
    page.row("machine", "%s, %d cores, %.0f GiB".formatted(processor(), cores(), gibibytes()));
    page.row("system", system());
    page.row("huge pages", hugePages());
    page.row("JDK", System.getProperty("java.vm.name") + " " + Runtime.version());
    if (run != null) {
      page.row("command", "`" + run.text("command") + "`");
      page.row("date", run.text("date"));
      page.row("commit", run.text("commit"));
      page.row("JVM", "`" + run.text("jvm") + "`");
      page.row("peers", run.text("peers"));
    }
    page.text(
        """
        JMH, average time, one fork per round, all rounds and iterations together. Cells are
        **minimum / median** in nanoseconds per operation: the minimum is the undisturbed cost, the
        median what one sees beside neighbours. Differences below 15 % are not findings.

        Keys are 16 ASCII bytes, made from a random index in a hot buffer as if just read off a
        socket. Who needs a `String` gets a fresh one per operation. Peers with many keys are one
        limiter per key in a `ConcurrentHashMap`; with one key, one limiter and no map, whereas
        Penstock always looks its key up. Limits are the same for all; unless it says denied, every
        check is allowed.
        """);
  }

  private static String processor() {
    return lines(PROCESSORS)
        .filter(line -> line.startsWith("model name"))
        .map(line -> line.replaceFirst(".*: ", ""))
        .findFirst()
        .orElse(System.getProperty("os.arch", "?"));
  }

  private static int cores() {
    return Runtime.getRuntime().availableProcessors();
  }

  private static double gibibytes() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize()
        / GIBI;
  }

  private static String system() {
    return System.getProperty("os.name") + " " + System.getProperty("os.version");
  }

  private static String hugePages() {
    return lines(HUGE_PAGES).findFirst().orElse("unknown");
  }

  private static Stream<String> lines(Path file) {
    if (!Files.exists(file)) {
      return Stream.empty();
    }
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}
