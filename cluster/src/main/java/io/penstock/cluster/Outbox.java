package io.penstock.cluster;

import io.penstock.core.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;
import org.apache.ratis.thirdparty.io.grpc.stub.CallStreamObserver;
import org.jspecify.annotations.Nullable;

/**
 * What is to be sent on a stream. Whatever comes while a parcel is under way goes together into the
 * next one: no timer holds anything back, and an idle stream sends at once. Thread-safe.
 */
final class Outbox {
  /** More than this does not wait: the other end is too slow, or gone. */
  static final int WAITING_BYTES_MAX = 16 << 20;

  private record Waiting(Slip slip, long untilNanos) {}

  private final CallStreamObserver<byte[]> stream;
  private final Executor writer;
  private final Clock clock;
  private final Traffic.Count count;
  private final LongConsumer dropped;
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private long waitingBytes;
  private int holds;
  private boolean scheduled;
  private boolean writing;

  /**
   * An empty one.
   *
   * @param writer writes what others put here: not on their threads, so that it goes together
   */
  Outbox(CallStreamObserver<byte[]> stream, Executor writer, Clock clock, Traffic.Count count) {
    this(stream, writer, clock, count, number -> {});
  }

  /**
   * The same for somebody who waits for what becomes of each slip.
   *
   * @param dropped told the numbers of those that are never sent, as their time is over
   */
  Outbox(
      CallStreamObserver<byte[]> stream,
      Executor writer,
      Clock clock,
      Traffic.Count count,
      LongConsumer dropped) {
    this.stream = stream;
    this.writer = writer;
    this.clock = clock;
    this.count = count;
    this.dropped = dropped;
  }

  /**
   * Sends a slip, unless it has to wait longer than until then. False if too much waits already.
   */
  boolean put(Slip slip, long untilNanos) {
    synchronized (this) {
      int bytes = Parcel.bytes(slip);
      if (waitingBytes + bytes > WAITING_BYTES_MAX) {
        return false;
      }
      waiting.add(new Waiting(slip, untilNanos));
      waitingBytes += bytes;
      if (scheduled || holds > 0) {
        return true;
      }
      scheduled = true;
    }
    writer.execute(this::flush);
    return true;
  }

  /** Until {@link #release}, what is put goes together. */
  synchronized void hold() {
    holds++;
  }

  /** Sends what was held, on this thread. */
  void release() {
    synchronized (this) {
      holds--;
    }
    flush();
  }

  /** Sends what waits, as far as the stream takes it; to be called when it takes more. */
  void flush() {
    synchronized (this) {
      scheduled = false;
      if (writing) {
        return;
      }
      writing = true;
    }
    for (byte[] parcel = next(); parcel != null; parcel = next()) {
      write(parcel);
    }
  }

  private byte @Nullable [] next() {
    List<Slip> slips = new ArrayList<>();
    List<Slip> late = new ArrayList<>();
    synchronized (this) {
      if (!waiting.isEmpty() && stream.isReady()) {
        fill(slips, late, clock.nanos());
      }
      writing = !slips.isEmpty();
    }
    late.forEach(slip -> dropped.accept(slip.number()));
    if (slips.isEmpty()) {
      return null;
    }
    count.add(slips.size());
    return Parcel.write(slips);
  }

  private void fill(List<Slip> slips, List<Slip> late, long nowNanos) {
    long bytes = 0;
    while (bytes < Parcel.FULL_BYTES) {
      Waiting first = waiting.poll();
      if (first == null) {
        return;
      }
      waitingBytes -= Parcel.bytes(first.slip);
      if (first.untilNanos >= nowNanos) {
        slips.add(first.slip);
        bytes += Parcel.bytes(first.slip);
      } else {
        late.add(first.slip);
      }
    }
  }

  private void write(byte[] parcel) {
    try {
      stream.onNext(parcel);
    } catch (RuntimeException over) {
      /* Whoever reads the stream is told of its end. */
      synchronized (this) {
        waiting.clear();
        waitingBytes = 0;
      }
    }
  }
}
