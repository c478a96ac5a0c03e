package io.penstock.server.http;

/**
 * Where work is done that no event loop should wait for. Thread-safe.
 *
 * @param store for what asks the policy store, and so waits for a disk or for other nodes
 * @param metrics for what collects them: they are told also while nobody can reach the store
 */
record Workrooms(Workroom store, Workroom metrics) implements AutoCloseable {
  private static final int STORE_THREADS = 4;

  static Workrooms open() {
    return new Workrooms(
        new Workroom("penstock-http-store", STORE_THREADS),
        new Workroom("penstock-http-metrics", /* count= */ 1));
  }

  @Override
  public void close() {
    store.close();
    metrics.close();
  }
}
