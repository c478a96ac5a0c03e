package io.penstock.server.cluster;

import io.penstock.server.node.ShardRate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The line of the log that says which shards are hot now, or no longer: at most one a minute, and
 * in the end what is so. Confined to one thread.
 */
final class HeatLine {
  private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final String advice;
  private Set<Integer> told = Set.of();
  private @Nullable Long toldNanos;

  /**
   * The line of a node.
   *
   * @param advice what to do about a hot shard
   */
  HeatLine(String advice) {
    this.advice = advice;
  }

  /** What is to be said of the shards that are hot at some time; null if nothing is. */
  @Nullable String of(List<ShardRate> hot, long nowNanos) {
    Set<Integer> now = hot.stream().map(ShardRate::shard).collect(Collectors.toSet());
    Long before = toldNanos;
    boolean isQuiet = before != null && nowNanos - before < QUIET_NANOS;
    if (now.equals(told) || isQuiet) {
      return null;
    }
    List<String> parts = new ArrayList<>();
    Set<Integer> cooled = new TreeSet<>(told);
    cooled.removeAll(now);
    List<String> heated =
        hot.stream()
            .filter(each -> !told.contains(each.shard()))
            .map(each -> each.shard() + " (" + each.perSecond() + " decisions/s)")
            .toList();
    if (!heated.isEmpty()) {
      parts.add("hot shards: " + String.join(", ", heated) + "; " + advice);
    }
    if (!cooled.isEmpty()) {
      parts.add("no longer hot: " + cooled.toString().replaceAll("[\\[\\]]", ""));
    }
    told = now;
    toldNanos = nowNanos;
    return String.join("; ", parts);
  }
}
