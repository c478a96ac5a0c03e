package io.penstock.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.core.Clock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.thirdparty.io.grpc.stub.ClientCallStreamObserver;
import org.apache.ratis.thirdparty.io.grpc.stub.ClientResponseObserver;
import org.jspecify.annotations.Nullable;

/**
 * Questions to another node on one stream, until it breaks: then nobody knows what became of those
 * without an answer (R4). Answers come in any order. Thread-safe.
 */
final class QuestionStream implements ClientResponseObserver<byte[], byte[]> {
  static final int OUTSTANDING_MAX = 1 << 14;

  /** A node that answers nothing for so long, though it was asked, is asked on another stream. */
  static final long SILENT_NANOS_MAX = TimeUnit.SECONDS.toNanos(2);

  private static final long NOBODY_WAITS = -1;

  private record Pending(CompletableFuture<byte[]> answer, long askedNanos, long untilNanos) {}

  private final Executor writer;
  private final Clock clock;
  private final Traffic traffic;
  private final Map<Long, Pending> outstanding = new LinkedHashMap<>();
  private @Nullable ClientCallStreamObserver<byte[]> stream;
  private @Nullable Outbox outbox;
  private long asked;
  private long silentSinceNanos = NOBODY_WAITS;
  private @Nullable IOException broken;

  QuestionStream(Executor writer, Clock clock, Traffic traffic) {
    this.writer = writer;
    this.clock = clock;
    this.traffic = traffic;
  }

  @Override
  public synchronized void beforeStart(ClientCallStreamObserver<byte[]> started) {
    Outbox sending = new Outbox(started, writer, clock, traffic.questions(), this::forgetUnsent);
    started.setOnReadyHandler(sending::flush);
    stream = started;
    outbox = sending;
  }

  /** Asks; the answer, or a failure if there is none or this stream takes no more questions. */
  synchronized CompletableFuture<byte[]> ask(byte[] question, Duration timeout) {
    Outbox sending = outbox;
    long nowNanos = clock.nanos();
    long untilNanos = nowNanos + timeout.toNanos();
    if (broken != null || sending == null) {
      return CompletableFuture.failedFuture(broken == null ? refused("not started") : broken);
    }
    if (outstanding.size() >= OUTSTANDING_MAX) {
      forgetThoseNobodyWaitsFor(nowNanos);
    }
    asked++;
    if (outstanding.size() >= OUTSTANDING_MAX
        || !sending.put(Slip.letter(asked, question), untilNanos)) {
      return CompletableFuture.failedFuture(refused(outstanding.size() + " outstanding"));
    }
    CompletableFuture<byte[]> answer = new CompletableFuture<>();
    outstanding.put(asked, new Pending(answer, nowNanos, untilNanos));
    traffic.asked(1);
    silentSinceNanos = silentSinceNanos == NOBODY_WAITS ? nowNanos : silentSinceNanos;
    return answer;
  }

  private static IOException refused(String why) {
    return new IOException("questions: " + why + " (expected: fewer than " + OUTSTANDING_MAX + ")");
  }

  /** Their time is over: their answers, if they come, are read by nobody. */
  private void forgetThoseNobodyWaitsFor(long nowNanos) {
    int before = outstanding.size();
    outstanding.values().removeIf(each -> each.untilNanos < nowNanos);
    traffic.asked(outstanding.size() - before);
  }

  /** It was never asked: that there is no answer says nothing of the other node (R20). */
  private synchronized void forgetUnsent(long number) {
    if (outstanding.remove(number) != null) {
      traffic.asked(-1);
    }
    Iterator<Pending> others = outstanding.values().iterator();
    silentSinceNanos =
        others.hasNext() ? Math.max(silentSinceNanos, others.next().askedNanos) : NOBODY_WAITS;
  }

  /** Whether the other node has answered nothing for long, though it was asked. */
  synchronized boolean isSilent() {
    return silentSinceNanos != NOBODY_WAITS && clock.nanos() - silentSinceNanos > SILENT_NANOS_MAX;
  }

  synchronized boolean isBroken() {
    return broken != null;
  }

  @Override
  public void onNext(byte[] parcel) {
    List<Slip> slips;
    try {
      slips = Parcel.read(parcel);
    } catch (IllegalArgumentException e) {
      end(e);
      return;
    }
    List<Pending> answered = new ArrayList<>(slips.size());
    synchronized (this) {
      for (Slip slip : slips) {
        answered.add(outstanding.remove(slip.number()));
      }
      silentSinceNanos = outstanding.isEmpty() ? NOBODY_WAITS : clock.nanos();
    }
    for (int i = 0; i < slips.size(); i++) {
      tell(answered.get(i), slips.get(i));
    }
  }

  private void tell(@Nullable Pending pending, Slip slip) {
    if (pending == null) {
      return;
    }
    traffic.asked(-1);
    if (slip.isFailure()) {
      pending.answer.completeExceptionally(new IOException(new String(slip.text(), UTF_8)));
    } else {
      pending.answer.complete(slip.text());
    }
  }

  @Override
  public void onError(Throwable cause) {
    over(cause);
  }

  @Override
  public void onCompleted() {
    over(new IOException("stream: ended"));
  }

  /** Gives up the stream, and with it whatever has no answer yet. */
  void end(Throwable cause) {
    ClientCallStreamObserver<byte[]> started;
    synchronized (this) {
      started = stream;
    }
    over(cause);
    if (started != null) {
      started.cancel("given up", cause);
    }
  }

  private void over(Throwable cause) {
    List<Pending> lost;
    IOException why = new IOException(String.valueOf(cause.getMessage()), cause);
    synchronized (this) {
      if (broken != null) {
        return;
      }
      broken = why;
      lost = List.copyOf(outstanding.values());
      outstanding.clear();
    }
    traffic.asked(-lost.size());
    lost.forEach(each -> each.answer.completeExceptionally(why));
  }
}
