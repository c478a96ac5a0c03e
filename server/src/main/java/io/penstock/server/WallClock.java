package io.penstock.server;

import java.time.Instant;
import java.time.InstantSource;

/** The time of day, for what people read; decisions have the shard's clock. Immutable. */
final class WallClock implements InstantSource {
  @Override
  public Instant instant() {
    return Instant.now();
  }
}
