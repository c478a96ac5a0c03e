package io.penstock.server.node;

/**
 * How much is decided on a shard by its owner. Immutable.
 *
 * @param perSecond decisions, over the last few seconds
 * @param hot whether that is far more than on the others
 */
public record ShardRate(int shard, long perSecond, boolean hot) {}
