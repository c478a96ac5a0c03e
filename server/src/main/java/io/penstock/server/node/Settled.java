package io.penstock.server.node;

/** What became of a request to settle or to renew something that is held. */
public enum Settled {
  /** Done, now or by an earlier request with the same id. */
  DONE,
  /** Its time was over: what it took stays taken, or its slot is free already. */
  OVER,
  /** Nobody knows this id. */
  UNKNOWN
}
