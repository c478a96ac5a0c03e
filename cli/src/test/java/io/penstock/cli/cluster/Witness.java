package io.penstock.cli.cluster;

import io.penstock.cli.cluster.Attempt.Kind;
import io.penstock.cli.cluster.Attempt.Span;
import io.penstock.cli.cluster.Attempt.Verdict;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Asks nodes for one unit at a time, and notes all that it was told. Thread-safe. */
final class Witness {
  private final Nodes nodes;
  private final String consistency;
  private final Queue<Attempt> history = new ConcurrentLinkedQueue<>();

  /** Of keys whose policy is of a consistency: another one is never to be told. */
  Witness(Nodes nodes, String consistency) {
    this.nodes = nodes;
    this.consistency = consistency;
  }

  Attempt ask(int node, String key, @Nullable String id) {
    long sent = System.nanoTime();
    Reply reply = nodes.check(node, key, /* cost= */ 1, id);
    long heard = System.nanoTime();
    Verdict verdict = Verdict.of(reply, consistency);
    if (verdict.kind() == Kind.WRONG) {
      System.out.println("node " + node + " said of " + key + ": " + reply);
    }
    Attempt attempt = new Attempt(key, id, node, new Span(sent, heard), verdict);
    history.add(attempt);
    return attempt;
  }

  /** Looks at a key until an owner has said what it is. */
  Reply look(int node, String key) {
    return Nodes.until(
        () -> nodes.check(node, key, /* cost= */ 0, /* requestId= */ null),
        reply -> reply.isDecided(consistency));
  }

  /** Everything that it was told, as far as it was. */
  List<Attempt> history() {
    return List.copyOf(history);
  }

  /** What each key that was asked for has used by now, by whichever node is asked. */
  Map<String, Long> used(long capacity) {
    Set<String> keys = new TreeSet<>();
    history.forEach(attempt -> keys.add(attempt.key()));
    Map<String, Long> used = new HashMap<>();
    for (String key : keys) {
      used.put(key, capacity - look(used.size() % Nodes.COUNT, key).remaining());
    }
    return used;
  }
}
