package io.penstock.server.http;

/**
 * A method and a path, and what answers them. Immutable.
 *
 * @param method its name, or {@link #ANY}
 * @param path literal segments and {@code {names}}
 * @param admission who may come in, and what they may bring
 */
record Route(String method, String path, Admission admission, Endpoint endpoint) {
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
    return new Route(method, path, Admission.OPEN, endpoint);
  }

  static Route bare(String method, String path, Endpoint endpoint) {
    return new Route(method, path, Admission.BARE, endpoint);
  }

  static Route body(String method, String path, Endpoint endpoint) {
    return new Route(method, path, Admission.BODY, endpoint);
  }

  static Route json(String method, String path, Endpoint endpoint) {
    return new Route(method, path, Admission.JSON, endpoint);
  }

  boolean takesAnyMethod() {
    return method.equals(ANY);
  }
}
