package io.penstock.server.cluster;

import io.penstock.server.node.Asker;
import io.penstock.server.node.UnavailableException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Tells whoever asked what became of an order, and why if nothing did. */
final class Report {
  private Report() {}

  static <T> void tell(CompletionStage<T> order, Asker<T> done) {
    var unused =
        order.whenComplete(
            (answer, failure) -> {
              Throwable cause =
                  failure instanceof CompletionException wrapped ? wrapped.getCause() : failure;
              if (cause == null) {
                done.accept(answer);
              } else if (cause instanceof IllegalArgumentException refusal) {
                done.fail(refusal);
              } else {
                done.fail(new UnavailableException(String.valueOf(cause.getMessage())));
              }
            });
  }
}
