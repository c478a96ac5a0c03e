package io.penstock.server.policy;

/**
 * Decides which counters the limits of a document read, before it is stored: so they read the same
 * ones after a restart. Thread-safe. Knows every change that was stored before.
 */
public interface CounterPlan {
  /** The counters, as a text that is stored with the document and told with its change. */
  String counters(Kind kind, String name, String document);
}
