package io.penstock.server.resp;

import io.netty.util.concurrent.FastThreadLocal;
import java.util.Arrays;

/** What all connections of one event loop share, one after another. Confined to that loop. */
final class Loop {
  /** The most that Netty reads at once. */
  private static final int READ_BYTES = 64 << 10;

  /** Enough for the ways to memory to overlap, and few enough for the nearest cache. */
  private static final int REQUESTS = 16;

  private static final FastThreadLocal<Loop> CURRENT =
      new FastThreadLocal<>() {
        @Override
        protected Loop initialValue() {
          return new Loop();
        }
      };

  /** Takes what is read only to bring memory near, so that no compiler leaves the read out. */
  long touched;

  private final byte[] input = new byte[READ_BYTES];
  private final Output output = new Output(READ_BYTES);
  private final Limits limits = new Limits();
  private final Request[] requests = new Request[REQUESTS];

  private Loop() {
    Arrays.setAll(requests, i -> new Request());
  }

  /** That of the calling thread. */
  static Loop current() {
    return CURRENT.get();
  }

  byte[] input() {
    return input;
  }

  /** Drops what an error has kept another connection from sending: it is nobody else's. */
  void begin() {
    output.cut(0);
  }

  /** Empty when a connection begins its work, and when it has ended it. */
  Output output() {
    return output;
  }

  /** Places for commands that are looked at together before they are run in turn. */
  Request[] requests() {
    return requests;
  }

  Limits limits() {
    return limits;
  }
}
