package io.penstock.server.node;

import io.penstock.core.policy.Descriptor;

/** Finds what applies to the descriptors of checks. Thread-safe. */
final class Subjects {
  private final PolicyBook book;
  private final Keys keys;
  private final KeyOrders orders;

  Subjects(PolicyBook book, Keys keys, KeyOrders orders) {
    this.book = book;
    this.keys = keys;
    this.orders = orders;
  }

  /** What applies to a descriptor at an instant. */
  Subject of(String domain, Asked asked, long nowNanos) {
    Descriptor descriptor = asked.descriptor();
    long hash = keys.of(domain, descriptor);
    Placed placed = book.find(domain, descriptor);
    long counted = keys.counted(domain, descriptor, hash, placed);
    return new Subject(domain, asked, counted, placed, orders.at(hash, counted, nowNanos));
  }

  /** The hash under which a key is counted: its own, or that of all who share a counter. */
  long counted(String domain, Descriptor descriptor) {
    return keys.counted(
        domain, descriptor, keys.of(domain, descriptor), book.find(domain, descriptor));
  }
}
