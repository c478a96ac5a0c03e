package io.penstock.server.node;

import io.penstock.core.policy.Descriptor;

/**
 * How often a key is decided on by the owner of its shard, by the newest checks. Immutable.
 *
 * @param perSecond decisions, over the last few seconds at most
 * @param percent of what is decided on its shard
 */
public record KeyRate(
    int shard, String domain, Descriptor descriptor, long perSecond, int percent) {
  /** Whether it is one of those that make a shard hot. */
  public boolean hot() {
    return perSecond >= Heat.HOT_PER_SECOND;
  }
}
