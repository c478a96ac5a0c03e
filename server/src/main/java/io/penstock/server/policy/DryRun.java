package io.penstock.server.policy;

import io.penstock.core.FailMode;
import io.penstock.core.Limiter;
import io.penstock.core.Policy;
import io.penstock.core.policy.Descriptor;
import io.penstock.core.policy.Entry;
import io.penstock.core.policy.Scope;
import io.penstock.core.policy.ScopeIndex;
import io.penstock.core.policy.Terms;
import io.penstock.core.state.KeyHash;
import io.penstock.server.policy.RecentChecks.Recent;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tries a proposed policy on the checks of the last minutes. Confined to the thread that asks.
 *
 * <p>Every key starts with nothing used, each descriptor is decided by itself, and slots that are
 * held are freed only when their lease ends, since nobody remembers when they were released.
 */
public final class DryRun {
  private static final int TOP_KEYS = 10;
  private static final long BYTES_MAX = 64L << 20;
  private static final KeyHash ANY_SECRET = new KeyHash(0, 0);

  /**
   * What the policy would have done. Immutable.
   *
   * @param checks how many of those remembered it would have decided
   * @param denied how many of them it would have denied
   * @param spanMillis how long ago the oldest one was, seen from the newest
   * @param topKeys whom it would have denied most
   * @param notRemembered how many checks of the same time, at whatever scope, were too long to be
   *     remembered
   */
  public record Forecast(
      long checks, long denied, long spanMillis, List<KeyForecast> topKeys, long notRemembered) {
    /** This and what it would have done to the checks that others remember. */
    public Forecast and(Forecast other) {
      return new Forecast(
          checks + other.checks,
          denied + other.denied,
          Math.max(spanMillis, other.spanMillis),
          top(Stream.concat(topKeys.stream(), other.topKeys.stream())),
          notRemembered + other.notRemembered);
    }
  }

  /** What it would have done to one key. Immutable. */
  public record KeyForecast(String key, long checks, long denied) {}

  private final Scope scope;
  private final Sharing sharing;
  private final boolean blocked;
  private final @Nullable Limiter limiter;
  private final Map<String, ScopeIndex<Boolean>> rivals = new HashMap<>();
  private final Map<Descriptor, long[]> tallies = new HashMap<>();
  private long nowNanos;

  private DryRun(Scope scope, Terms terms) {
    this.scope = scope;
    this.sharing = Sharing.of(scope, terms.share());
    this.blocked = terms.enabled() && terms.blocked();
    Policy policy = terms.policy();
    this.limiter =
        policy == null || !terms.enabled()
            ? null
            : Limiter.builder()
                .policy(policy.withFailMode(FailMode.OPEN))
                .clock(() -> nowNanos)
                .maxBytes(BYTES_MAX)
                .build();
  }

  /** Tries terms at a scope; those of a shadow policy as if it were none. */
  public static Forecast of(Scope scope, Terms terms, RecentChecks recent) {
    DryRun run = new DryRun(scope, terms);
    List<Recent> applying = recent.all().stream().filter(run::applies).toList();
    applying.forEach(run::replay);
    return run.forecast(applying, recent.tooLong());
  }

  /** Whether the proposed policy would win against the one that applied. */
  private boolean applies(Recent check) {
    String rival = check.scope() == null ? scope.toString() : check.scope();
    ScopeIndex<Boolean> both = rivals.computeIfAbsent(rival, this::against);
    return Boolean.TRUE.equals(both.find(check.domain(), check.descriptor()));
  }

  private ScopeIndex<Boolean> against(String rival) {
    ScopeIndex<Boolean> none = ScopeIndex.empty(ANY_SECRET);
    return none.with(Scope.parse(rival), Boolean.FALSE).with(scope, Boolean.TRUE);
  }

  private void replay(Recent check) {
    nowNanos = Math.max(nowNanos, check.timeNanos());
    Descriptor counted = sharing.key(check.descriptor());
    boolean allowed =
        limiter == null
            ? !blocked || check.cost() <= 0
            : limiter.tryAcquire(key(counted), check.cost()).allowed();
    if (check.cost() > 0) {
      long[] tally = tallies.computeIfAbsent(check.descriptor(), descriptor -> new long[2]);
      tally[0]++;
      tally[1] += allowed ? 0 : 1;
    }
  }

  /** The entries as one text in which none can be mistaken for others. */
  private static String key(Descriptor descriptor) {
    StringBuilder key = new StringBuilder();
    for (Entry entry : descriptor.entries()) {
      key.append(entry.key().length()).append(':').append(entry.key());
      key.append(entry.value().length()).append(':').append(entry.value());
    }
    return key.toString();
  }

  private Forecast forecast(List<Recent> applying, long notRemembered) {
    List<KeyForecast> keys =
        tallies.entrySet().stream()
            .map(e -> new KeyForecast(shown(e.getKey()), e.getValue()[0], e.getValue()[1]))
            .toList();
    long span =
        applying.isEmpty()
            ? 0
            : applying.get(applying.size() - 1).timeNanos() - applying.get(0).timeNanos();
    return new Forecast(
        keys.stream().mapToLong(KeyForecast::checks).sum(),
        keys.stream().mapToLong(KeyForecast::denied).sum(),
        TimeUnit.NANOSECONDS.toMillis(span),
        top(keys.stream().filter(key -> key.denied() > 0)),
        notRemembered);
  }

  private static List<KeyForecast> top(Stream<KeyForecast> keys) {
    return keys.sorted(
            Comparator.comparingLong(KeyForecast::denied)
                .reversed()
                .thenComparing(KeyForecast::key))
        .limit(TOP_KEYS)
        .toList();
  }

  private static String shown(Descriptor descriptor) {
    return descriptor.entries().stream()
        .map(entry -> entry.key() + "=" + entry.value())
        .collect(Collectors.joining(", "));
  }
}
