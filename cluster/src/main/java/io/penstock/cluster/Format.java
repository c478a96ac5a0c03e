package io.penstock.cluster;

/**
 * The number of a format, which goes along with what is written: who reads another number does not
 * guess what follows it. Immutable.
 *
 * @param what is written in it
 */
record Format(String what, int number) {
  /** Throws unless the number that was found is this one. */
  void require(Object found) {
    if (!isNumber(found)) {
      throw new FormatException(refusal(found));
    }
  }

  boolean isNumber(Object found) {
    return String.valueOf(found).equals(String.valueOf(number));
  }

  /** Why another number is not read. */
  String refusal(Object found) {
    return what + ": format " + found + " (expected: " + number + "; another version wrote it)";
  }
}
