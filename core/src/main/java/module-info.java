/** Penstock's core: every rate-limiting algorithm, in flat memory, without dependencies. */
module io.penstock.core {
  requires static org.jspecify;

  exports io.penstock.core;
}
