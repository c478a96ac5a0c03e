package io.penstock.server.resp;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.penstock.server.Bounds;
import org.jspecify.annotations.Nullable;

/**
 * How large a command may be, before anybody looks at what its arguments mean. Immutable.
 *
 * @param arguments how many, with the name of the command
 * @param argumentBytes bytes of each
 * @param commandBytes bytes of all, as they are sent
 * @param loggedIn whether it is known who sends it; else the server keeps little for them
 */
record CommandBounds(int arguments, int argumentBytes, int commandBytes, boolean loggedIn) {
  /** As many keys as clients put into one {@code DEL} or {@code COMMAND DOCS} without thinking. */
  private static final int ARGUMENTS_USUAL = 256;

  /** {@code PENSTOCK.CHECK domain … COST n ID id}; each entry has two besides. */
  private static final int ARGUMENTS_OF_CHECK = 6;

  /** No token is longer. */
  private static final int TOKEN_BYTES = 8 << 10;

  /** The longest token, and all else that {@code HELLO} or {@code AUTH} say beside it. */
  private static final int LOGIN_BYTES = 16 << 10;

  /** As in Redis: beyond this a line is not a command that somebody types. */
  private static final int LINE_BYTES = 64 << 10;

  private static final byte[] AUTH = "AUTH".getBytes(US_ASCII);
  private static final byte[] HELLO = "HELLO".getBytes(US_ASCII);

  /** For those who may ask: enough for the largest check that the other protocols would take. */
  static CommandBounds of(Bounds bounds) {
    int text = Math.max(bounds.keyLength(), bounds.valueLength());
    int check = ARGUMENTS_OF_CHECK + 2 * bounds.entries();
    return new CommandBounds(
        Math.max(ARGUMENTS_USUAL, check),
        Math.max(Math.max(text, bounds.requestIdLength()), TOKEN_BYTES),
        bounds.bodyBytes(),
        /* loggedIn= */ true);
  }

  /** For those who have to log in first. */
  CommandBounds beforeLogin() {
    return new CommandBounds(
        arguments, argumentBytes, Math.min(commandBytes, LOGIN_BYTES), /* loggedIn= */ false);
  }

  /** Bytes of a command that is typed on one line. */
  int lineBytes() {
    return Math.min(Math.max(commandBytes, LOGIN_BYTES), LINE_BYTES);
  }

  /** What is wrong with the number of arguments; null if nothing is. */
  @Nullable String problem(long count) {
    return count <= arguments
        ? null
        : "ERR arguments: " + count + " (expected: <= " + arguments + ")";
  }

  /**
   * What is wrong with an argument of this length; null if nothing is.
   *
   * @param command as far as it has come, without this argument
   * @param bytesWithIt of the command
   */
  @Nullable String problem(Request command, long length, long bytesWithIt) {
    if (length > argumentBytes) {
      return "ERR argument: " + length + " bytes (expected: <= " + argumentBytes + ")";
    }
    if (bytesWithIt > commandBytes && (bytesWithIt > LOGIN_BYTES || !isLogin(command))) {
      String until = loggedIn ? "" : " before AUTH";
      return "ERR command: too many bytes (expected: <= " + commandBytes + until + ")";
    }
    return null;
  }

  /** A token may be longer than a small body: in HTTP it is in the head. */
  private static boolean isLogin(Request command) {
    return command.count() > 0 && (command.is(0, AUTH) || command.is(0, HELLO));
  }
}
