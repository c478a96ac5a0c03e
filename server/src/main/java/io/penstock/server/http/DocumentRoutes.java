package io.penstock.server.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.penstock.core.policy.Scope;
import io.penstock.server.node.Node;
import io.penstock.server.node.Patience;
import io.penstock.server.policy.Change;
import io.penstock.server.policy.DryRun;
import io.penstock.server.policy.Expected;
import io.penstock.server.policy.InvalidPolicyException;
import io.penstock.server.policy.Kind;
import io.penstock.server.policy.Page;
import io.penstock.server.policy.PolicyStore;
import io.penstock.server.policy.ReadOnlyException;
import io.penstock.server.policy.StoreUnavailableException;
import io.penstock.server.policy.Stored;
import io.penstock.server.policy.VersionConflictException;
import io.penstock.server.policy.Written;
import io.penstock.server.security.Caller;
import io.penstock.server.security.Role;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The documents of one kind, policies or tiers, with their versions. Thread-safe. */
final class DocumentRoutes {
  private static final String AFTER = "after";
  private static final String BEFORE = "before";
  private static final String LIMIT = "limit";
  private static final String FORGIVE = "forgive";

  private static final int LIST_DEFAULT = 100;
  private static final int LIST_MAX = 1_000;
  private static final int HISTORY_DEFAULT = 10_000;
  private static final int HISTORY_MAX = 10_000;

  private final PolicyStore store;
  private final Node node;
  private final Workroom workroom;
  private final Kind kind;

  /** What a document is called by: {@code scope} or {@code name}. */
  private final String nameField;

  private final String path;

  DocumentRoutes(PolicyStore store, Node node, Workroom workroom, Kind kind) {
    boolean isPolicy = kind == Kind.POLICY;
    this.store = store;
    this.node = node;
    this.workroom = workroom;
    this.kind = kind;
    this.nameField = isPolicy ? "scope" : "name";
    this.path = isPolicy ? "/v1/policies" : "/v1/tiers";
  }

  List<Route> routes() {
    String one = path + "/{" + nameField + "}";
    List<Route> routes = new ArrayList<>();
    routes.add(Route.bare("GET", path, this::list).asking(AFTER, LIMIT));
    routes.add(Route.bare("GET", one, this::get));
    routes.add(Route.body("PUT", one, this::put).asking(FORGIVE));
    routes.add(Route.bare("DELETE", one, this::delete));
    routes.add(Route.bare("GET", one + "/history", this::history).asking(BEFORE, LIMIT));
    if (kind == Kind.POLICY) {
      routes.add(Route.body("POST", one + "/dry-run", this::tryOut));
    }
    return routes;
  }

  private void list(Exchange exchange) {
    if (kind == Kind.TIER) {
      exchange.require(Role.READ, Caller.EVERY_DOMAIN);
    } else {
      exchange.requireSomewhere(Role.READ);
    }
    int limit = exchange.query().integer(LIMIT, LIST_DEFAULT, LIST_MAX);
    String after = exchange.query().text(AFTER);
    Caller caller = exchange.caller();
    workroom.run(
        exchange,
        () -> {
          Page<Stored> page = stored(() -> store.list(kind, after, limit));
          Buffer told = JsonOutput.of(json -> page(json, caller, page));
          return back -> back.send(200, Media.JSON, told);
        });
  }

  /** A caller sees the documents of its domains; {@code next} goes on after all of them. */
  private void page(JsonGenerator json, Caller caller, Page<Stored> page) throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart(kind == Kind.POLICY ? "policies" : "tiers");
    for (Stored stored : page.items()) {
      if (caller.may(Role.READ, domain(stored.name()))) {
        document(json, stored);
      }
    }
    json.writeEndArray();
    if (page.hasMore()) {
      json.writeStringField("next", page.last().name());
    }
    json.writeEndObject();
  }

  private void get(Exchange exchange) {
    String name = name(exchange, Role.READ);
    workroom.run(
        exchange,
        () -> {
          Stored stored = stored(() -> store.get(kind, name));
          return back -> send(back, name, stored);
        });
  }

  private void send(Exchange exchange, String name, @Nullable Stored stored) {
    if (stored == null) {
      throw missing(name);
    }
    String tag = Precondition.tag(stored.version());
    exchange.with(HttpHeaders.ETAG, tag);
    if (Precondition.isKnown(exchange, tag)) {
      exchange.send(304);
    } else {
      exchange.json(200, json -> document(json, stored));
    }
  }

  private void put(Exchange exchange) {
    String name = name(exchange, Role.ADMIN);
    Expected expected = Precondition.ofPut(exchange);
    String document = exchange.bodyText();
    boolean forgives = exchange.query().flag(FORGIVE);
    String by = exchange.caller().name();
    workroom.run(
        exchange,
        () -> {
          Supplier<Written> put = () -> store.put(kind, name, document, expected, by);
          Written written = stored(() -> Patience.write(node, kind, name, forgives, put));
          return back -> send(back, name, written, expected instanceof Expected.Absent);
        });
  }

  private void tryOut(Exchange exchange) {
    String name = name(exchange, Role.READ);
    String document = exchange.bodyText();
    workroom.run(
        exchange,
        () -> {
          DryRun.Forecast outcome = stored(() -> forecast(name, document));
          return back -> back.json(200, json -> DryRunJson.write(json, outcome));
        });
  }

  /** What the store would refuse is not tried either. */
  private DryRun.Forecast forecast(String name, String document) {
    store.check(kind, name, document);
    return Patience.answer(done -> node.tryOut(name, document, done));
  }

  private void send(Exchange exchange, String name, Written written, boolean isNew) {
    exchange.with(HttpHeaders.ETAG, Precondition.tag(written.version()));
    exchange.json(
        isNew ? 201 : 200,
        json -> {
          json.writeStartObject();
          json.writeStringField(nameField, name);
          json.writeNumberField("version", written.version());
          json.writeArrayFieldStart("warnings");
          for (String warning : written.warnings()) {
            json.writeString(warning);
          }
          json.writeEndArray();
          json.writeEndObject();
        });
  }

  private void delete(Exchange exchange) {
    String name = name(exchange, Role.ADMIN);
    Expected expected = Precondition.ofDelete(exchange);
    String by = exchange.caller().name();
    workroom.run(
        exchange,
        () -> {
          stored(() -> store.delete(kind, name, expected, by));
          return back -> back.send(204);
        });
  }

  private void history(Exchange exchange) {
    String name = name(exchange, Role.READ);
    int limit = exchange.query().integer(LIMIT, HISTORY_DEFAULT, HISTORY_MAX);
    long before = exchange.query().number(BEFORE, Change.NEVER, Change.NEVER);
    workroom.run(
        exchange,
        () -> {
          Page<Change> page = stored(() -> store.history(kind, name, before, limit));
          if (page.items().isEmpty() && !everWas(name)) {
            throw missing(name);
          }
          Buffer told = JsonOutput.of(json -> history(json, page));
          return back -> back.send(200, Media.JSON, told);
        });
  }

  private boolean everWas(String name) {
    Page<Change> latest = stored(() -> store.history(kind, name, Change.NEVER, /* limit= */ 1));
    return !latest.items().isEmpty();
  }

  private static void history(JsonGenerator json, Page<Change> page) throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("history");
    for (Change change : page.items()) {
      json.writeStartObject();
      json.writeNumberField("version", change.version());
      json.writeStringField("at", change.at().toString());
      json.writeStringField("by", change.by());
      json.writeFieldName("policy");
      json.writeRawValue(String.valueOf(change.document()));
      json.writeEndObject();
    }
    json.writeEndArray();
    if (page.hasMore()) {
      json.writeNumberField("next", page.last().version());
    }
    json.writeEndObject();
  }

  private void document(JsonGenerator json, Stored stored) throws IOException {
    json.writeStartObject();
    json.writeStringField(nameField, stored.name());
    json.writeNumberField("version", stored.version());
    json.writeFieldName("policy");
    json.writeRawValue(stored.document());
    json.writeEndObject();
  }

  /** The name in the path, if the caller has the role in its domain. */
  private String name(Exchange exchange, Role role) {
    String name = exchange.value(0, nameField);
    exchange.require(role, domain(name));
    return name;
  }

  /** A scope begins with its domain; a tier belongs to all of them. */
  private String domain(String name) {
    return kind == Kind.TIER ? Caller.EVERY_DOMAIN : Scope.domainOf(name);
  }

  private Refusal missing(String name) {
    return Refusal.of(404, nameField + ": " + name + " (expected: one that exists)");
  }

  /** Tells what the store says in the words of HTTP. */
  private static <T extends @Nullable Object> T stored(Supplier<T> call) {
    try {
      return call.get();
    } catch (InvalidPolicyException e) {
      throw Refusal.document(e.problems());
    } catch (VersionConflictException e) {
      throw Refusal.of(412, String.valueOf(e.getMessage()));
    } catch (ReadOnlyException e) {
      throw Refusal.of(409, String.valueOf(e.getMessage()));
    } catch (StoreUnavailableException e) {
      throw Refusal.of(503, String.valueOf(e.getMessage()));
    }
  }
}
