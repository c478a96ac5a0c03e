package io.penstock.bench;

import io.penstock.core.Limiter;
import io.penstock.core.MemoryLimiter;
import io.penstock.core.Policy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long the collector stops the world while many keys are in use and every decision leaves
 * garbage behind: a fresh string as key and 256 bytes beside it. Without a limiter the same loop
 * shows the pauses of the machine: a worker of the collector that waits for a core stops the world.
 *
 * <p>Arguments: penstock, none or a library, keys, seconds of load, and the file of {@code
 * -Xlog:gc*}.
 */
final class GcBench {
  private static final Pattern PAUSE = Pattern.compile("Pause .* (\\d+\\.\\d+)ms$");
  private static final int GARBAGE_BYTES = 256;
  private static final int CLOCK_EVERY = 1_024;
  private static final long MAX_BYTES = 1L << 30;
  private static final double NANOS_PER_SECOND = 1e9;

  /** Where garbage is put, so that it must exist. */
  private static volatile byte[] garbage = new byte[0];

  private GcBench() {}

  public static void main(String[] arguments) throws IOException {
    int keys = Integer.parseInt(arguments[1]);
    Path log = Path.of(arguments[3]);
    Predicate<String> limiter = filled(arguments[0], keys);
    int pausesWhileFilling = pauses(log).size();
    long start = System.nanoTime();
    long decisions = load(limiter, keys, Integer.parseInt(arguments[2]));
    double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;

    List<Double> all = pauses(log);
    List<Double> underLoad = all.subList(pausesWhileFilling, all.size());
    Facts facts = new Facts();
    facts.put("limiter", arguments[0]);
    facts.put("keys", keys);
    facts.put("seconds", seconds);
    facts.put("decisions", decisions);
    facts.put("garbageBytesEach", garbage.length);
    facts.put("pauses", underLoad.size());
    facts.put("pauseMillisMax", longest(underLoad));
    facts.put("pauseMillisMaxWithFilling", longest(all));
    facts.print(System.out);
  }

  private static Predicate<String> filled(String name, int keys) {
    if (name.equals("none")) {
      return key -> true;
    }
    if (!name.equals("penstock")) {
      PeerMap<?> map = PeerMap.of(PeerMap.Library.valueOf(name), Limits.PER_KEY);
      map.fill(keys);
      return map::isAllowed;
    }
    MemoryLimiter limiter =
        Limiter.builder().policy(Policy.of(Limits.PER_KEY)).maxBytes(MAX_BYTES).build();
    Limits.fill(limiter, keys);
    return limiter::isAllowed;
  }

  private static long load(Predicate<String> limiter, int keys, int seconds) {
    KeyStream stream = new KeyStream(keys, /* seed= */ 1);
    long end = System.nanoTime() + seconds * (long) NANOS_PER_SECOND;
    long decisions = 0;
    while (System.nanoTime() < end) {
      for (int i = 0; i < CLOCK_EVERY; i++) {
        garbage = new byte[GARBAGE_BYTES];
        decisions += limiter.test(stream.nextString()) ? 1 : 0;
      }
    }
    return decisions;
  }

  private static List<Double> pauses(Path log) throws IOException {
    return Files.readAllLines(log).stream()
        .map(PAUSE::matcher)
        .filter(Matcher::find)
        .map(pause -> Double.parseDouble(pause.group(1)))
        .toList();
  }

  private static double longest(List<Double> pauses) {
    return pauses.stream().mapToDouble(pause -> pause).max().orElse(0);
  }
}
