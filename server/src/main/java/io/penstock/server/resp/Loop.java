package io.penstock.server.resp;

import io.netty.util.concurrent.FastThreadLocal;

/** What all connections of one event loop share, one after another. Confined to that loop. */
final class Loop {
  /** The most that Netty reads at once. */
  private static final int READ_BYTES = 64 << 10;

  private static final FastThreadLocal<Loop> CURRENT =
      new FastThreadLocal<>() {
        @Override
        protected Loop initialValue() {
          return new Loop();
        }
      };

  private final byte[] input = new byte[READ_BYTES];
  private final Output output = new Output(READ_BYTES);
  private final Limits limits = new Limits();

  private Loop() {}

  /** That of the calling thread. */
  static Loop current() {
    return CURRENT.get();
  }

  byte[] input() {
    return input;
  }

  /** Empty whenever no connection is at work. */
  Output output() {
    return output;
  }

  Limits limits() {
    return limits;
  }
}
