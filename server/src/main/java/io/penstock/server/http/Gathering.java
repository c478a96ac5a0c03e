package io.penstock.server.http;

import io.penstock.server.node.Answer;
import io.penstock.server.node.Asker;
import io.penstock.server.node.RefundRefusedException;
import io.penstock.server.node.UnavailableException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;

/**
 * The answers to a batch, which may come on several threads: the last of them sends all.
 * Thread-safe.
 */
final class Gathering {
  private static final byte[] BEGIN = JsonBytes.piece("{\"answers\":[");
  private static final byte[] NEXT = JsonBytes.piece(",");
  private static final byte[] END = JsonBytes.piece("]}");

  private final Exchange exchange;
  private final AtomicReferenceArray<Consumer<JsonBytes>> answers;
  private final AtomicInteger missing;

  Gathering(Exchange exchange, int size) {
    this.exchange = exchange;
    this.answers = new AtomicReferenceArray<>(size);
    this.missing = new AtomicInteger(size);
  }

  /** Whoever waits for one of the answers. */
  Asker<Answer> asker(int index) {
    return Asker.of(
        answer -> put(index, json -> AnswerJson.write(json, answer)), cause -> fail(index, cause));
  }

  /** One that is refused does not keep the others from being answered; a mistake does. */
  void fail(int index, RuntimeException cause) {
    if (cause instanceof RefundRefusedException || cause instanceof UnavailableException) {
      Refusal refusal = Lane.refusal(cause);
      put(index, json -> json.raw(ProblemJson.of(refusal).getBytes()));
    } else {
      exchange.fail(cause);
    }
  }

  private void put(int index, Consumer<JsonBytes> answer) {
    answers.set(index, answer);
    if (missing.decrementAndGet() == 0) {
      exchange.resume(this::send);
    }
  }

  private void send(Exchange back) {
    back.bytes(
        json -> {
          json.raw(BEGIN);
          for (int i = 0; i < answers.length(); i++) {
            if (i > 0) {
              json.raw(NEXT);
            }
            answers.get(i).accept(json);
          }
          json.raw(END);
        });
  }
}
