package io.penstock.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.core.Algorithm;
import io.penstock.core.Check;
import io.penstock.core.Decision;
import io.penstock.core.Limit;
import io.penstock.core.Limiter;
import io.penstock.core.Policy;
import io.penstock.core.Reason;
import io.penstock.core.Reservation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A limiter whose keys are on servers: each call is a request by HTTP, to one after the other. */
final class RemoteLimiter implements Limiter {
  private final Wire wire;
  private final ShiftedTime.Shift time;
  private final String name;
  private final List<Limit> known = new CopyOnWriteArrayList<>();
  private volatile Policy policy;
  private volatile long version;

  /**
   * A new limiter.
   *
   * @param name its own among all on these servers
   */
  RemoteLimiter(Wire wire, ShiftedTime.Shift time, String name, Policy policy) {
    this.wire = wire;
    this.time = time;
    this.name = name;
    this.policy = policy;
    update(policy);
  }

  @Override
  public Decision tryAcquire(String key, long cost) {
    time.step();
    return decision(wire.decided("/v1/check", List.of(new Check(this, key, cost)), ""));
  }

  String name() {
    return name;
  }

  private Decision decision(JsonNode answer) {
    long capacity = answer.path("limit").asLong(policy.limits().get(0).capacity());
    Limit limit = known.get(0);
    for (Limit each : known) {
      limit = each.capacity() == capacity ? each : limit;
    }
    List<Limit> now = policy.limits();
    for (Limit each : now) {
      limit = each.capacity() == capacity ? each : limit;
    }
    return new Decision(
        answer.path("allowed").asBoolean(),
        Reason.valueOf(answer.path("reason").asText().toUpperCase(Locale.ROOT)),
        answer.path("remaining").asLong(),
        nanos(answer, "retryAfterMs"),
        nanos(answer, "resetAfterMs"),
        nanos(answer, "waitMs"),
        limit,
        answer.path("policyVersion").asLong(),
        List.of());
  }

  private static long nanos(JsonNode answer, String field) {
    long millis = answer.path(field).asLong();
    return millis < 0 ? Decision.NEVER : TimeUnit.MILLISECONDS.toNanos(millis);
  }

  @Override
  public Decision tryAcquireTogether(List<Check> checks) {
    time.step();
    JsonNode answer = wire.decided("/v1/check", checks, "");
    List<Decision> parts = new ArrayList<>();
    Decision deciding = null;
    for (int i = 0; i < checks.size(); i++) {
      RemoteLimiter limiter = (RemoteLimiter) checks.get(i).limiter();
      JsonNode part = answer.path("results").get(i);
      parts.add(limiter.decision(part));
      if (part.path("policy").equals(answer.path("policy"))) {
        deciding = limiter.decision(answer);
      }
    }
    Decision told = deciding == null ? decision(answer) : deciding;
    return new Decision(
        told.allowed(),
        told.reason(),
        told.remaining(),
        told.retryAfterNanos(),
        told.resetAfterNanos(),
        told.waitNanos(),
        told.limit(),
        told.policyVersion(),
        parts);
  }

  @Override
  public Reservation reserve(String key, long cost) {
    if (cost < 0) {
      tryAcquire(key, cost);
    }
    long estimate = Math.max(0, cost);
    time.step();
    boolean holds = policy.limits().stream().anyMatch(RemoteLimiter::isHeld) && estimate > 0;
    JsonNode answer =
        wire.decided(
            holds ? "/v1/acquire" : "/v1/reserve",
            List.of(new Check(this, key, estimate)),
            holds ? "" : ",\"ttlMs\":86400000");
    return new Held(decision(answer), answer.path(holds ? "leaseId" : "reservationId").asText());
  }

  private static boolean isHeld(Limit limit) {
    return Policy.of(limit).algorithmOf(limit) == Algorithm.CONCURRENCY;
  }

  /** What is taken under an id. */
  private final class Held implements Reservation {
    private final Decision decision;
    private final String id;

    Held(Decision decision, String id) {
      this.decision = decision;
      this.id = id;
    }

    @Override
    public Decision decision() {
      return decision;
    }

    @Override
    public void commit(long cost) {
      if (!allowed()) {
        throw new IllegalStateException("denied");
      }
      time.step();
      wire.isDone("/v1/reservations/" + id + "/commit", "{\"cost\":" + cost + "}");
    }

    @Override
    public void cancel() {
      if (allowed()) {
        time.step();
        wire.isDone("/v1/reservations/" + id + "/cancel", "");
      }
    }

    @Override
    public boolean renew() {
      time.step();
      return wire.isDone("/v1/leases/" + id + "/renew", "");
    }
  }

  @Override
  public Reservation reserve(String key, long cost, Duration timeout) throws InterruptedException {
    return new RemoteWait(this, time.clock(), key, cost).reserve(timeout.toNanos());
  }

  @Override
  public CompletionStage<Decision> tryAcquireAsync(String key, long cost, Duration timeout) {
    return new RemoteWait(this, time.clock(), key, cost).reserveLater(timeout.toNanos());
  }

  @Override
  public void reset(String key) {
    resetAll(List.of(key));
  }

  /** Forgets what several keys have used, by one request. */
  void resetAll(List<String> keys) {
    time.step();
    wire.order("/v1/keys/reset", keys.stream().map(key -> new Check(this, key, 0)).toList(), "");
  }

  @Override
  public void block(String key, Instant until) {
    order("/v1/keys/block", key, ",\"until\":\"" + time.of(until) + "\"");
  }

  @Override
  public void override(String key, Policy other, Instant until) {
    known.addAll(0, other.limits());
    String more = ",\"limits\":" + Wire.limits(other) + ",\"until\":\"" + time.of(until) + "\"";
    order("/v1/keys/override", key, more);
  }

  private void order(String path, String key, String more) {
    time.step();
    wire.order(path, List.of(new Check(this, key, 0)), more);
  }

  @Override
  public void update(Policy next) {
    time.step();
    known.addAll(0, next.limits());
    version = wire.put(name, next, version);
    policy = next;
  }

  @Override
  public Policy policy() {
    return policy;
  }

  @Override
  public long policyVersion() {
    return version;
  }
}
