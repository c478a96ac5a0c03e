package io.penstock.server.http;

import io.penstock.server.node.Asker;
import io.penstock.server.security.Caller;
import io.penstock.server.security.Role;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One request and its one answer. Confined to the event loop of its connection. */
final class Exchange {
  private static final byte[] EMPTY = {};

  private final HttpServerRequest request;
  private final Lane lane;
  private List<String> values = List.of();
  private Query query = Query.NONE;
  private Caller caller;
  private byte[] body = EMPTY;

  /** Whether a client that waited with its body was asked for it. */
  private boolean invited;

  Exchange(HttpServerRequest request, Lane lane, Caller caller) {
    this.request = request;
    this.lane = lane;
    this.caller = caller;
  }

  void setValues(List<String> values) {
    this.values = values;
  }

  void setQuery(Query query) {
    this.query = query;
  }

  Query query() {
    return query;
  }

  void setCaller(Caller caller) {
    this.caller = caller;
  }

  HttpServerRequest request() {
    return request;
  }

  Caller caller() {
    return caller;
  }

  /** What stands for a name of the path, decoded. */
  String value(int index, String name) {
    return Percent.decode(name, values.get(index));
  }

  @Nullable String header(CharSequence name) {
    return request.getHeader(name);
  }

  /** A field that is a list, of as many lines as it has; null if it has none. */
  @Nullable String list(CharSequence name) {
    List<String> lines = request.headers().getAll(name);
    return lines.isEmpty() ? null : String.join(", ", lines);
  }

  byte[] body() {
    return body;
  }

  /** The body as text. */
  String bodyText() {
    String text = Utf8.decode(body);
    if (text == null) {
      throw Refusal.field("body", "bytes that are not UTF-8", "JSON in UTF-8");
    }
    return text;
  }

  void setBody(byte[] body) {
    this.body = body;
  }

  /** Goes on only if the caller has a role in a domain. */
  void require(Role role, String domain) {
    require(caller, role, domain);
  }

  /** Goes on only if the caller has a role in any domain. */
  void requireSomewhere(Role role) {
    if (!caller.maySomewhere(role)) {
      throw Refusal.of(403, "role " + role.text() + " is missing in every domain");
    }
  }

  static void require(Caller caller, Role role, String domain) {
    if (!caller.may(role, domain)) {
      throw Refusal.of(403, "role " + role.text() + " in domain " + domain + " is missing");
    }
  }

  /**
   * Asks for the body if the client waits to be asked. Whoever waits and is not asked may send it
   * or not, and nobody could tell it from a next request: so the connection ends with the answer.
   */
  void invite() {
    if (isHeldBack()) {
      invited = true;
      request.response().writeContinue();
    }
  }

  private boolean isHeldBack() {
    return !invited
        && request.version() == HttpVersion.HTTP_1_1
        && header(HttpHeaders.EXPECT) != null
        && (header(HttpHeaders.CONTENT_LENGTH) != null
            || header(HttpHeaders.TRANSFER_ENCODING) != null);
  }

  /** Adds a field to the answer that is sent next. */
  Exchange with(CharSequence name, CharSequence value) {
    request.response().putHeader(name, value);
    return this;
  }

  void json(int status, JsonOutput.Writing writing) {
    send(status, Media.JSON, JsonOutput.of(writing));
  }

  /** Sends an answer that is written as bytes. */
  void bytes(Consumer<JsonBytes> writing) {
    JsonBytes json = new JsonBytes();
    writing.accept(json);
    send(200, Media.JSON, Buffer.buffer(json.length()).appendBytes(json.bytes(), 0, json.length()));
  }

  /** Sends the answer. It may have been given up by the client, which is no failure. */
  void send(int status, CharSequence type, Buffer content) {
    HttpServerResponse response = request.response();
    if (response.ended() || response.closed()) {
      return;
    }
    response.setStatusCode(status);
    response.putHeader(HttpHeaders.CONTENT_TYPE, type);
    response.putHeader(Media.CONTENT_TYPE_OPTIONS, Media.NOSNIFF);
    end(response, content);
  }

  private void end(HttpServerResponse response, Buffer content) {
    if (isHeldBack()) {
      response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
      response.end(content).onComplete(sent -> request.connection().close());
    } else {
      response.end(content);
    }
  }

  /** Sends an answer without content. */
  void send(int status) {
    HttpServerResponse response = request.response();
    if (!response.ended() && !response.closed()) {
      end(response.setStatusCode(status), Buffer.buffer());
    }
  }

  void refuse(Refusal refusal) {
    send(refusal.status(), Media.PROBLEM, ProblemJson.of(refusal));
  }

  /** Whoever waits to answer this exchange: goes on here with what comes, or refuses. */
  <T> Asker<T> asker(BiConsumer<Exchange, T> rest) {
    return Asker.of(answer -> resume(back -> rest.accept(back, answer)), this::fail);
  }

  /** Refuses this exchange, on whatever thread this is called. */
  void fail(RuntimeException cause) {
    resume(back -> lane.fail(back, cause));
  }

  /** Does the rest where this exchange lives, on whatever thread this is called. */
  void resume(Endpoint rest) {
    if (lane.isHere()) {
      lane.answer(this, rest);
    } else {
      lane.execute(() -> lane.answer(this, rest));
    }
  }
}
