package io.penstock.server.resp;

import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/**
 * A command: what it is called, how it is described to clients, and what it does. Immutable.
 *
 * @param name in small letters
 * @param arity how many arguments with its name; below zero: at least so many
 * @param summary one line for people
 * @param calls counts its calls
 * @param action what it does
 */
record Command(String name, int arity, String summary, LongAdder calls, Action action) {
  /** What somebody may say before they have logged in. */
  private static final Set<String> BEFORE_LOGIN = Set.of("auth", "hello", "quit", "reset");

  /** Their arguments, or the first one, are keys. */
  private static final Set<String> KEYED = Set.of("cl.throttle", "del");

  /** What changes counters; all others are small talk. */
  private static final Set<String> DECISIONS = Set.of("cl.throttle", "del", CheckCommand.NAME);

  /** What a command does: writes its answer, or refuses by an exception. */
  interface Action {
    void run(Session session, Request request, Output out);
  }

  void run(Session session, Request request, Output out) {
    calls.increment();
    if (!session.isLoggedIn() && !BEFORE_LOGIN.contains(name)) {
      throw new RefusedException("NOAUTH Authentication required.");
    }
    if (arity >= 0 ? request.count() != arity : request.count() < -arity) {
      throw wrongArity(name);
    }
    action.run(session, request, out);
  }

  boolean isKeyed() {
    return KEYED.contains(name);
  }

  boolean isDecision() {
    return DECISIONS.contains(name);
  }

  static RefusedException wrongArity(String name) {
    return new RefusedException("ERR wrong number of arguments for '" + name + "' command");
  }

  /** The refusal for want of a role. */
  static RefusedException notAllowed(String name) {
    return new RefusedException(
        "NOPERM this user has no permissions to run the '" + name + "' command");
  }
}
