package io.penstock.server.http;

/** What answers the requests of a route. Called on an event loop: it must not block. */
@FunctionalInterface
interface Endpoint {
  /** Answers, now or later; a {@link Refusal} that it throws is the answer. */
  void answer(Exchange exchange);
}
