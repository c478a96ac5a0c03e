package io.penstock.server.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.penstock.core.policy.Descriptor;
import io.penstock.core.policy.Entry;
import io.penstock.server.Bounds;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The body of a check as nearly every client writes it. Reused; confined to one event loop.
 *
 * <p>Like {@link PlainHead} it knows one form: JSON of printable ASCII without escapes, with the
 * fields of a check. Whatever differs or is out of bounds is for {@link QuestionReader}, which
 * finds out what it is; what both read, they read alike.
 */
final class PlainBody {
  private static final byte[] DOMAIN = "domain".getBytes(US_ASCII);
  private static final byte[] DESCRIPTORS = "descriptors".getBytes(US_ASCII);
  private static final byte[] COST = "cost".getBytes(US_ASCII);
  private static final byte[] REQUEST_ID = "requestId".getBytes(US_ASCII);
  private static final byte[] KEY = "key".getBytes(US_ASCII);
  private static final byte[] VALUE = "value".getBytes(US_ASCII);
  private static final int COST_DIGITS_MAX = 9;
  private static final long NOT_GIVEN = -1;

  private final Bounds bounds;
  private byte[] bytes = {};
  private int at;
  private int to;

  /** The text that was read last. */
  private int textFrom;

  private int textTo;

  private @Nullable String domain;
  private @Nullable List<Descriptor> descriptors;
  private long cost;
  private @Nullable String requestId;

  PlainBody(Bounds bounds) {
    this.bounds = bounds;
  }

  /** Reads the bytes from one index to another; null unless they are a plain check. */
  @Nullable Question read(byte[] from, int begin, int end) {
    bytes = from;
    at = begin;
    to = end;
    domain = null;
    descriptors = null;
    cost = NOT_GIVEN;
    requestId = null;
    boolean isPlain = is('{');
    do {
      isPlain = isPlain && isText() && is(':') && isField();
    } while (isPlain && is(','));
    isPlain = isPlain && is('}');
    blanks();
    if (!isPlain || at != to || domain == null || descriptors == null) {
      return null;
    }
    return new Question(
        domain,
        descriptors,
        cost == NOT_GIVEN ? 1 : cost,
        requestId,
        Question.NOT_GIVEN,
        List.of(),
        Question.NOT_GIVEN);
  }

  /** Reads the value of the field whose name was read last, which may come once. */
  private boolean isField() {
    if (isName(DOMAIN) && domain == null) {
      domain = text(1, bounds.keyLength());
      return domain != null;
    }
    if (isName(DESCRIPTORS) && descriptors == null) {
      descriptors = descriptors();
      return descriptors != null;
    }
    if (isName(COST) && cost == NOT_GIVEN) {
      cost = number();
      return cost != NOT_GIVEN;
    }
    if (isName(REQUEST_ID) && requestId == null) {
      requestId = text(1, bounds.requestIdLength());
      return requestId != null;
    }
    return false;
  }

  private @Nullable List<Descriptor> descriptors() {
    List<Descriptor> all = new ArrayList<>(1);
    if (!is('[')) {
      return null;
    }
    do {
      Descriptor next = all.size() < bounds.descriptors() ? descriptor() : null;
      if (next == null) {
        return null;
      }
      all.add(next);
    } while (is(','));
    return is(']') ? all : null;
  }

  private @Nullable Descriptor descriptor() {
    List<Entry> entries = new ArrayList<>(1);
    if (!is('[')) {
      return null;
    }
    do {
      Entry next = entries.size() < bounds.entries() ? entry() : null;
      if (next == null) {
        return null;
      }
      entries.add(next);
    } while (is(','));
    return is(']') ? new Descriptor(entries) : null;
  }

  private @Nullable Entry entry() {
    if (!is('{') || !isText() || !isName(KEY) || !is(':')) {
      return null;
    }
    String key = text(1, bounds.keyLength());
    if (key == null || !is(',') || !isText() || !isName(VALUE) || !is(':')) {
      return null;
    }
    String value = text(0, bounds.valueLength());
    return value == null || !is('}') ? null : new Entry(key, value);
  }

  /** A number that is not below 0; {@link #NOT_GIVEN} if it is something else. */
  private long number() {
    blanks();
    int begin = at;
    long number = 0;
    while (at < to && bytes[at] >= '0' && bytes[at] <= '9' && at - begin < COST_DIGITS_MAX) {
      number = 10 * number + bytes[at++] - '0';
    }
    boolean isPlain = at > begin && (bytes[begin] != '0' || at == begin + 1);
    return isPlain ? number : NOT_GIVEN;
  }

  private @Nullable String text(int lengthMin, int lengthMax) {
    boolean fits = isText() && textTo - textFrom >= lengthMin && textTo - textFrom <= lengthMax;
    return fits ? new String(bytes, textFrom, textTo - textFrom, ISO_8859_1) : null;
  }

  private boolean isText() {
    if (!is('"')) {
      return false;
    }
    textFrom = at;
    while (at < to && bytes[at] >= ' ' && bytes[at] < 127 && bytes[at] != '"') {
      if (bytes[at] == '\\') {
        return false;
      }
      at++;
    }
    textTo = at++;
    return textTo < to && bytes[textTo] == '"';
  }

  private boolean isName(byte[] name) {
    if (textTo - textFrom != name.length) {
      return false;
    }
    for (int i = 0; i < name.length; i++) {
      if (bytes[textFrom + i] != name[i]) {
        return false;
      }
    }
    return true;
  }

  /** Whether a character follows; it is read then. */
  private boolean is(char wanted) {
    blanks();
    boolean here = at < to && bytes[at] == wanted;
    at += here ? 1 : 0;
    return here;
  }

  private void blanks() {
    while (at < to && isBlank(bytes[at])) {
      at++;
    }
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }
}
