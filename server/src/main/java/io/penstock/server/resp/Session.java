package io.penstock.server.resp;

import io.penstock.server.security.Caller;
import io.penstock.server.security.Gatekeeper;
import io.penstock.server.security.Login;
import io.penstock.server.security.Role;
import org.jspecify.annotations.Nullable;

/** Who is on a connection and how they want to be spoken to. Confined to its event loop. */
final class Session {
  /** The domain of the keys that come with their limits. */
  static final String DOMAIN = "redis";

  private final long id;
  private final Gatekeeper gatekeeper;
  private final Replies replies;
  private final Limits limits;

  private String name = "";
  private boolean resp3;
  private boolean leaving;
  private @Nullable Login login;
  private @Nullable Caller caller;
  private boolean mayThrottle;
  private boolean mayReset;

  Session(long id, Gatekeeper gatekeeper, Replies replies, Limits limits) {
    this.id = id;
    this.gatekeeper = gatekeeper;
    this.replies = replies;
    this.limits = limits;
    reset();
  }

  /** As it was when it began. */
  void reset() {
    name = "";
    resp3 = false;
    login = null;
    become(gatekeeper.isOpen() ? gatekeeper.anonymous() : null);
  }

  /** Logs in; answers false if the password is nobody's. */
  boolean login(String password) {
    Login known = gatekeeper.login(password);
    if (known != null) {
      login = known;
      become(known.caller());
    }
    return known != null;
  }

  /** Looks whether who has logged in still may: a key is revoked, or a token ends. */
  void refresh() {
    if (login != null) {
      Caller now = login.caller();
      login = now == null ? null : login;
      if (now != caller) {
        become(now);
      }
    }
  }

  private void become(@Nullable Caller next) {
    caller = next;
    mayThrottle = next != null && next.may(Role.CHECK, DOMAIN);
    mayReset = next != null && next.may(Role.ADMIN, DOMAIN);
  }

  boolean isLoggedIn() {
    return caller != null;
  }

  /** Whether a password is asked for at all. */
  boolean isGuarded() {
    return !gatekeeper.isOpen();
  }

  boolean may(Role role, String domain) {
    return caller != null && caller.may(role, domain);
  }

  /** Asked for every command, so it is known since the login. */
  boolean mayThrottle() {
    return mayThrottle;
  }

  /** Whether keys may be given back to, or forgotten. */
  boolean mayReset() {
    return mayReset;
  }

  long id() {
    return id;
  }

  String name() {
    return name;
  }

  void rename(String next) {
    name = next;
  }

  boolean resp3() {
    return resp3;
  }

  void speak(boolean inResp3) {
    resp3 = inResp3;
  }

  Replies replies() {
    return replies;
  }

  Limits limits() {
    return limits;
  }

  /** No more commands: the connection ends when all answers are sent. */
  void leave() {
    leaving = true;
  }

  boolean isLeaving() {
    return leaving;
  }
}
