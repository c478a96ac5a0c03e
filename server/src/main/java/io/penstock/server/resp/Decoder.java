package io.penstock.server.resp;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Takes commands out of the bytes of a connection, however they are cut. Confined to the event loop
 * of its connection.
 *
 * <p>A read is copied once, to an array that all connections of a loop share, and the commands in
 * it are found where they lie. Only what is left over, the beginning of a command, is kept here;
 * what was found in it is not looked for again. A command that is too large is passed over without
 * being kept.
 */
final class Decoder {
  /** What is at the front of the bytes. */
  enum Found {
    /** A command: {@link #take} it. */
    COMMAND,
    /** A command beyond the bounds, passed over; {@link #problem} says which bound. */
    REFUSED,
    /** No command: there is no telling where the next one begins. */
    BROKEN,
    /** Not enough to tell. */
    NOTHING
  }

  /* As in Redis: beyond these a length is no length. */
  private static final long ARRAY_MAX = 1 << 20;
  private static final long BULK_MAX = 512L << 20;

  private static final byte[] NO_BYTES = {};
  private static final int OWN_BYTES_FIRST = 512;
  private static final int OWN_BYTES_IDLE = 4 << 10;
  private static final int HEADER_DIGITS_MAX = 10;
  private static final long INCOMPLETE = Long.MIN_VALUE;
  private static final long MALFORMED = Long.MIN_VALUE + 1;
  private static final int UNKNOWN = -1;

  private CommandBounds bounds;
  private Request request = new Request();
  private String problem = "";
  private boolean refused;

  private byte[] own = NO_BYTES;
  private byte[] bytes = NO_BYTES;

  /** The current command begins at {@code start}, and is understood up to {@code at}. */
  private int start;

  private int at;
  private int end;

  /** Arguments of the current command that are still to come, and the length of the next one. */
  private int expected;

  private int bulk = UNKNOWN;

  /** So much of an inline command is known to hold no end of line. */
  private int scanned;

  Decoder(CommandBounds bounds) {
    this.bounds = bounds;
  }

  /** Changes how large commands may be, from what is not yet found on. */
  void bound(CommandBounds next) {
    bounds = next;
  }

  /** The command that was found, in exchange for a place for the next one. */
  Request take(Request next) {
    Request found = request;
    request = next;
    next.moveTo(bytes, 0);
    return found;
  }

  /** What is wrong with a command that was refused, or with the bytes if they are broken. */
  String problem() {
    return problem;
  }

  /** Takes bytes in, as many as fit the shared array; {@link #keep} must follow. */
  void feed(ByteBuf in, byte[] shared) {
    int held = end;
    int more = Math.min(in.readableBytes(), shared.length);
    if (held == 0) {
      bytes = shared;
    } else {
      if (own.length < held + more) {
        own = Arrays.copyOf(own, Math.max(2 * own.length, held + more));
      }
      bytes = own;
    }
    in.readBytes(bytes, held, more);
    end = held + more;
    request.moveTo(bytes, 0);
  }

  /** Keeps what is not used up, and leaves the shared array to others. */
  void keep() {
    int from = refused || expected == 0 ? at : start;
    int held = end - from;
    byte[] home = own;
    if (home.length < held || home.length > Math.max(OWN_BYTES_IDLE, 2 * room(held))) {
      home = held == 0 ? NO_BYTES : new byte[room(held)];
    }
    if (bytes != home || from > 0) {
      System.arraycopy(bytes, from, home, 0, held);
    }
    own = home;
    bytes = home;
    request.moveTo(bytes, from);
    at -= from;
    start = 0;
    end = held;
  }

  /** How large an array is made for so many bytes, which will be more. */
  private static int room(int held) {
    return held == 0 ? 0 : Math.max(OWN_BYTES_FIRST, Integer.highestOneBit(held) << 1);
  }

  /** Whether a command has begun and is not whole, be it kept or passed over. */
  boolean isWithinCommand() {
    return end > 0 || expected > 0;
  }

  /** How many bytes of a command are kept until the rest of it comes. */
  int heldBytes() {
    return end;
  }

  /** How many would have room where they are kept. */
  int roomBytes() {
    return own.length;
  }

  /** Looks for the next command. */
  Found next() {
    while (expected == 0) {
      request.clear();
      start = at;
      if (at == end) {
        return Found.NOTHING;
      }
      if (bytes[at] != '*') {
        Found found = inline();
        if (found != Found.COMMAND || request.count() > 0) {
          return found;
        }
      } else {
        Found found = array();
        if (found != Found.COMMAND) {
          return found;
        }
      }
    }
    return arguments();
  }

  /** The head of a command, or of an empty one, which is passed over. */
  private Found array() {
    long count = header();
    if (count == INCOMPLETE) {
      return Found.NOTHING;
    }
    if (count == MALFORMED || count > ARRAY_MAX) {
      return broken("invalid multibulk length");
    }
    expected = (int) Math.max(count, 0);
    refuse(bounds.problem(count));
    return Found.COMMAND;
  }

  private Found arguments() {
    while (expected > 0) {
      if (bulk == UNKNOWN) {
        Found found = bulkHeader();
        if (found != Found.COMMAND) {
          return found;
        }
      }
      if (refused) {
        int passed = Math.min(bulk, end - at);
        at += passed;
        bulk -= passed;
      }
      if (end - at < bulk + 2) {
        return Found.NOTHING;
      }
      if (bytes[at + bulk] != '\r' || bytes[at + bulk + 1] != '\n') {
        return broken("expected CRLF after an argument");
      }
      if (!refused) {
        request.add(at, bulk);
      }
      at += bulk + 2;
      bulk = UNKNOWN;
      expected--;
    }
    boolean whole = !refused;
    refused = false;
    return whole ? Found.COMMAND : Found.REFUSED;
  }

  private Found bulkHeader() {
    if (at == end) {
      return Found.NOTHING;
    }
    if (bytes[at] != '$') {
      return broken("expected '$', got '" + (char) (bytes[at] & 0xff) + "'");
    }
    long length = header();
    if (length == INCOMPLETE) {
      return Found.NOTHING;
    }
    if (length < 0 || length > BULK_MAX) {
      return broken("invalid bulk length");
    }
    bulk = (int) length;
    if (!refused) {
      refuse(bounds.problem(request, length, at - start + length));
    }
    return Found.COMMAND;
  }

  /** The number behind a type byte; moves beyond its line once that is whole. */
  private long header() {
    int i = at + 1;
    boolean negative = i < end && bytes[i] == '-';
    int first = negative ? i + 1 : i;
    long value = 0;
    for (i = first; i < end && i - first < HEADER_DIGITS_MAX; i++) {
      int digit = bytes[i] - '0';
      if (digit < 0 || digit > 9) {
        break;
      }
      value = 10 * value + digit;
    }
    if (i < end && (bytes[i] != '\r' || i == first)) {
      return MALFORMED;
    }
    if (i + 1 >= end) {
      return INCOMPLETE;
    }
    if (bytes[i + 1] != '\n') {
      return MALFORMED;
    }
    at = i + 2;
    return negative ? -value : value;
  }

  private Found inline() {
    int line = start + scanned;
    while (line < end && bytes[line] != '\n') {
      line++;
    }
    scanned = line - start;
    if (scanned > bounds.lineBytes()) {
      return broken("too big inline request");
    }
    if (line == end) {
      return Found.NOTHING;
    }
    at = line + 1;
    scanned = 0;
    int count = Inline.split(bytes, start, line, bounds.arguments(), request);
    if (count < 0) {
      return broken("unbalanced quotes in request");
    }
    if (count > 0 && Inline.isHttp(request)) {
      return broken("this is not an HTTP port");
    }
    String wrong = bounds.problem(count);
    for (int i = 0; i < request.count() && wrong == null; i++) {
      wrong = bounds.problem(request, request.length(i), line - start);
    }
    if (wrong == null) {
      return Found.COMMAND;
    }
    problem = wrong;
    return Found.REFUSED;
  }

  /** Has the rest of a command passed over if there is something wrong with it. */
  private void refuse(@Nullable String wrong) {
    if (wrong != null) {
      problem = wrong;
      refused = true;
    }
  }

  private Found broken(String what) {
    problem = "ERR Protocol error: " + what;
    return Found.BROKEN;
  }
}
