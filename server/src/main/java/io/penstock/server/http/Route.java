package io.penstock.server.http;

import java.util.Set;

/**
 * A method and a path, and what answers them. Immutable.
 *
 * @param method its name, or {@link #ANY}
 * @param path literal segments and {@code {names}}
 * @param admission who may come in, and what they may bring
 * @param query the parameters that the endpoint knows
 */
record Route(
    String method, String path, Admission admission, Set<String> query, Endpoint endpoint) {
  /** Every method; and whatever follows the path belongs to the client, and is ignored. */
  static final String ANY = "*";

  /** Who may come in, and with what body. */
  enum Admission {
    /** Everybody; a body is not read. */
    OPEN,
    /** Whoever shows who they are; a body is not read. */
    BARE,
    /** Whoever shows who they are, with a body of any type. */
    BODY,
    /** Whoever shows who they are, with a body that says it is JSON: no web page can send that. */
    JSON;

    boolean isOpen() {
      return this == OPEN;
    }

    boolean readsBody() {
      return this == BODY || this == JSON;
    }
  }

  static Route open(String method, String path, Endpoint endpoint) {
    return new Route(method, path, Admission.OPEN, Set.of(), endpoint);
  }

  static Route bare(String method, String path, Endpoint endpoint) {
    return new Route(method, path, Admission.BARE, Set.of(), endpoint);
  }

  static Route body(String method, String path, Endpoint endpoint) {
    return new Route(method, path, Admission.BODY, Set.of(), endpoint);
  }

  static Route json(String method, String path, Endpoint endpoint) {
    return new Route(method, path, Admission.JSON, Set.of(), endpoint);
  }

  /** The same with parameters in its query. */
  Route asking(String... names) {
    return new Route(method, path, admission, Set.of(names), endpoint);
  }

  /**
   * Whether a parameter that the endpoint does not know is ignored. In the own API it is a mistake,
   * and one that may change what is asked for; elsewhere it may be a gateway's, a probe's or a
   * browser's own.
   */
  boolean takesAnyQuery() {
    return takesAnyMethod() || !path.startsWith("/v1/");
  }

  boolean takesAnyMethod() {
    return method.equals(ANY);
  }
}
