package io.penstock.server.config;

/**
 * A value as somebody gave it. Immutable.
 *
 * @param origin who: {@code flag}, {@code environment}, {@code file} or {@code default}
 */
record Given(String text, String origin) {}
