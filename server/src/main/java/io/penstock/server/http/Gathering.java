package io.penstock.server.http;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The answers to a batch, which may come on several threads: the last of them sends all.
 * Thread-safe.
 */
final class Gathering {
  private final Exchange exchange;
  private final AtomicReferenceArray<JsonOutput.Writing> answers;
  private final AtomicInteger missing;

  Gathering(Exchange exchange, int size) {
    this.exchange = exchange;
    this.answers = new AtomicReferenceArray<>(size);
    this.missing = new AtomicInteger(size);
  }

  void put(int index, JsonOutput.Writing answer) {
    answers.set(index, answer);
    if (missing.decrementAndGet() == 0) {
      exchange.resume(this::send);
    }
  }

  private void send(Exchange back) {
    back.json(
        200,
        json -> {
          json.writeStartObject();
          json.writeArrayFieldStart("answers");
          for (int i = 0; i < answers.length(); i++) {
            answers.get(i).to(json);
          }
          json.writeEndArray();
          json.writeEndObject();
        });
  }
}
