package io.penstock.server.cluster;

/**
 * Nobody waits any more for the answer to a question: what it took is to be given back (R20).
 * Immutable.
 *
 * @param origin of the question, as its delivery says
 * @param number of that delivery
 */
record Cancel(long origin, long number) {
  /** Tells these bytes from those of a question. */
  static final int FORMAT = 3;

  byte[] write() {
    return new Packing().number(FORMAT).wide(origin).wide(number).done();
  }

  static boolean isMeant(byte[] bytes) {
    return bytes.length > 0 && bytes[0] == FORMAT;
  }

  static Cancel read(byte[] bytes) {
    Unpacking in = new Unpacking(bytes);
    in.format(FORMAT);
    Cancel cancel = new Cancel(in.wide("origin"), in.wide("number"));
    in.end();
    return cancel;
  }
}
