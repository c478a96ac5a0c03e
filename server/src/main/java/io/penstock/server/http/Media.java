package io.penstock.server.http;

import io.vertx.core.http.HttpHeaders;

/** Types and fields that are sent with every other answer, encoded once. */
final class Media {
  static final CharSequence JSON = HttpHeaders.createOptimized("application/json");
  static final CharSequence PROBLEM = HttpHeaders.createOptimized("application/problem+json");
  static final CharSequence TEXT = HttpHeaders.createOptimized("text/plain; charset=utf-8");

  static final CharSequence CONTENT_TYPE_OPTIONS =
      HttpHeaders.createOptimized("x-content-type-options");
  static final CharSequence NOSNIFF = HttpHeaders.createOptimized("nosniff");

  private Media() {}
}
