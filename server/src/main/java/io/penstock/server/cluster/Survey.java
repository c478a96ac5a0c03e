package io.penstock.server.cluster;

import io.penstock.core.policy.Descriptor;
import io.penstock.core.policy.Entry;
import io.penstock.server.node.Heat;
import io.penstock.server.node.KeyRate;
import io.penstock.server.node.ShardRate;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks nodes how much they decide, and which keys that is for; tells others the same of this one.
 * Thread-safe.
 */
final class Survey {
  static final int FORMAT = 1;

  /** Who owns which shard is told at once after this, whoever is silent. */
  private static final Duration ANSWER_MAX = Duration.ofMillis(250);

  private final String name;
  private final Supplier<@Nullable Heat> heat;
  private final Link link;

  /**
   * Of a node.
   *
   * @param heat what it decides; null as long as it cannot
   */
  Survey(String name, Supplier<@Nullable Heat> heat, Link link) {
    this.name = name;
    this.heat = heat;
    this.link = link;
  }

  /** How much nodes decide on their shards; without those that do not answer. */
  CompletionStage<Map<String, List<ShardRate>>> rates(Collection<String> nodes) {
    return asked(nodes, NodeOrder.Wish.RATES, Survey::rate);
  }

  /** Which keys that is for. */
  CompletionStage<Map<String, List<KeyRate>>> keys(Collection<String> nodes) {
    return asked(nodes, NodeOrder.Wish.KEYS, Survey::key);
  }

  private <T> CompletionStage<Map<String, List<T>>> asked(
      Collection<String> nodes, NodeOrder.Wish wish, Function<Unpacking, T> reading) {
    Map<String, List<T>> told = new ConcurrentHashMap<>();
    CompletableFuture<?>[] all =
        nodes.stream()
            .map(
                node ->
                    asked(node, wish)
                        .thenAccept(bytes -> told.put(node, read(bytes, reading)))
                        .handle((done, failure) -> failure == null)
                        .toCompletableFuture())
            .toArray(CompletableFuture<?>[]::new);
    return CompletableFuture.allOf(all).thenApply(done -> Map.copyOf(told));
  }

  private CompletionStage<byte[]> asked(String node, NodeOrder.Wish wish) {
    return node.equals(name)
        ? answer(wish)
        : link.ask(node, NodeOrder.of(wish).write(), ANSWER_MAX);
  }

  /** What this node tells; its keys not on the thread of whoever asks, which has more to carry. */
  CompletionStage<byte[]> answer(NodeOrder.Wish wish) {
    Heat own = heat.get();
    if (wish == NodeOrder.Wish.KEYS && own != null) {
      return CompletableFuture.supplyAsync(() -> written(own.keys(), Survey::write));
    }
    List<ShardRate> rates = own == null ? List.of() : own.shards();
    return CompletableFuture.completedFuture(written(rates, Survey::write));
  }

  private static <T> byte[] written(List<T> told, BiConsumer<T, Packing> each) {
    return new Packing().number(FORMAT).list(told, each).done();
  }

  static <T> List<T> read(byte[] bytes, Function<Unpacking, T> reading) {
    Unpacking in = new Unpacking(bytes);
    in.format(FORMAT);
    List<T> told = in.list("told", reading);
    in.end();
    return told;
  }

  private static void write(ShardRate rate, Packing out) {
    out.whole(rate.shard()).wide(rate.perSecond()).truth(rate.hot());
  }

  static ShardRate rate(Unpacking in) {
    return new ShardRate(in.whole("shard"), in.wide("perSecond"), in.truth("hot"));
  }

  private static void write(KeyRate key, Packing out) {
    out.whole(key.shard()).text(key.domain()).list(key.descriptor().entries(), Survey::write);
    out.wide(key.perSecond()).whole(key.percent());
  }

  private static void write(Entry entry, Packing out) {
    out.text(entry.key()).text(entry.value());
  }

  private static KeyRate key(Unpacking in) {
    int shard = in.whole("shard");
    String domain = in.text("domain");
    List<Entry> entries =
        in.list("entries", from -> new Entry(from.text("key"), from.text("value")));
    long perSecond = in.wide("perSecond");
    return new KeyRate(shard, domain, new Descriptor(entries), perSecond, in.whole("percent"));
  }
}
