package io.penstock.server.cluster;

import io.penstock.core.Clock;
import io.penstock.server.node.PolicyDesk;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** What the errands of a node have in common. Thread-safe. */
final class Dispatch {
  /** After that, the node that was asked has forgotten the question. */
  private static final Duration CANCEL_MAX = Duration.ofNanos(Undoing.KEPT_NANOS);

  private final String name;
  private final Owners owners;
  private final Link link;
  private final PolicyDesk policies;
  private final Clock clock;
  private final Timeouts timeouts;
  private final Tally tally = new Tally();
  private final Denials denials = new Denials();
  private final long origin = new SecureRandom().nextLong();
  private final AtomicLong sent = new AtomicLong();

  Dispatch(String name, Owners owners, Link link, PolicyDesk policies, Clock clock) {
    this.name = name;
    this.owners = owners;
    this.link = link;
    this.policies = policies;
    this.clock = clock;
    this.timeouts = new Timeouts(clock);
  }

  /** Of this node. */
  String name() {
    return name;
  }

  Owners owners() {
    return owners;
  }

  Link link() {
    return link;
  }

  PolicyDesk policies() {
    return policies;
  }

  Clock clock() {
    return clock;
  }

  Timeouts timeouts() {
    return timeouts;
  }

  /** What was denied of late, of checks over several groups. */
  Denials denials() {
    return denials;
  }

  Tally tally() {
    return tally;
  }

  /** The number of the next delivery. */
  long number() {
    return sent.incrementAndGet();
  }

  /** A question to the owner of a group, as a delivery with a number of its own. */
  byte[] sealed(Question<?> question, long number, int group, int millisLeft) {
    return QuestionCodec.write(
        new Delivery<>(origin, number, group, millisLeft, policies.revision(), question));
  }

  /** Has a node undo what it decides on a delivery; whether that arrives, nobody asks. */
  void cancel(String node, long number) {
    try {
      var unused = link.ask(node, new Cancel(origin, number).write(), CANCEL_MAX);
    } catch (RuntimeException e) {
      tally.failure();
    }
  }
}
