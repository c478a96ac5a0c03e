package io.penstock.server.http;

import io.penstock.core.policy.Descriptor;
import io.penstock.core.policy.Entry;
import io.penstock.server.Bounds;
import io.penstock.server.fields.RateLimitFields;
import io.penstock.server.node.Answer;
import io.penstock.server.node.Asked;
import io.penstock.server.node.CheckRequest;
import io.penstock.server.node.Node;
import io.penstock.server.ops.Decisions;
import io.penstock.server.security.Role;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Answers a gateway that asks about a request of its client: 200 to let it pass, 429 if not.
 * Thread-safe.
 *
 * <p>Domain and entries come from the gateway's own configuration. What follows them, the query and
 * the body may be the client's, and are not looked at.
 */
final class ForwardAuth {
  private static final String TYPE =
      "https://iana.org/assignments/http-problem-types#quota-exceeded";

  private final Node node;
  private final Decisions decisions;
  private final Bounds bounds;
  private final ClientAddress address;
  private final boolean resetIsUnixTime;
  private final InstantSource clock;

  ForwardAuth(Backends backends, HttpSettings settings) {
    this.node = backends.node();
    this.decisions = backends.metrics().decisions("forward-auth");
    this.bounds = settings.bounds();
    this.address = new ClientAddress(settings.trustedProxies());
    this.resetIsUnixTime = settings.resetIsUnixTime();
    this.clock = backends.clock();
  }

  List<Route> routes() {
    return List.of(Route.bare(Route.ANY, "/v1/forward-auth/{domain}/{entries}", this::answer));
  }

  private void answer(Exchange exchange) {
    String domain = Refusal.bounded("domain", exchange.value(0, "domain"), 1, bounds.keyLength());
    exchange.require(Role.CHECK, domain);
    List<HeaderEntry> wanted = HeaderEntry.parse(exchange.value(1, "entries"), bounds);
    List<Entry> entries = new ArrayList<>(wanted.size());
    for (HeaderEntry each : wanted) {
      String value = each.value(exchange.request(), address, bounds.valueLength());
      if (value != null) {
        entries.add(new Entry(each.key(), value));
      }
    }
    if (entries.isEmpty()) {
      exchange.send(200);
      return;
    }
    Asked asked = new Asked(new Descriptor(entries), /* cost= */ 1, /* given= */ null);
    CheckRequest check =
        new CheckRequest(domain, List.of(asked), /* requestId= */ null, /* mayRefund= */ false);
    node.check(check, decisions.watch(check, exchange::header, exchange.asker(this::send)));
  }

  private void send(Exchange exchange, Answer answer) {
    if (RateLimitFields.areDue(answer)) {
      long reset = RateLimitFields.resetSeconds(answer);
      long now = resetIsUnixTime ? clock.instant().getEpochSecond() : 0;
      exchange
          .with(RateLimitFields.POLICY, RateLimitFields.policy(answer))
          .with(RateLimitFields.STATE, RateLimitFields.state(answer))
          .with("X-RateLimit-Limit", Long.toString(answer.limit()))
          .with("X-RateLimit-Remaining", Long.toString(answer.remaining()))
          .with("X-RateLimit-Reset", Long.toString(now + reset));
    }
    if (answer.allowed()) {
      exchange.send(200);
    } else {
      deny(exchange, answer);
    }
  }

  private static void deny(Exchange exchange, Answer answer) {
    long seconds = RateLimitFields.retryAfterSeconds(answer);
    exchange.with(RateLimitFields.RETRY_AFTER, Long.toString(seconds));
    exchange.send(
        429,
        Media.PROBLEM,
        JsonOutput.of(
            json -> {
              json.writeStartObject();
              json.writeStringField("type", TYPE);
              json.writeStringField("title", "Too Many Requests");
              json.writeNumberField("status", 429);
              json.writeStringField("detail", "reason: " + answer.why().text());
              json.writeArrayFieldStart("violated-policies");
              for (String name : RateLimitFields.violated(answer)) {
                json.writeString(name);
              }
              json.writeEndArray();
              json.writeEndObject();
            }));
  }
}
