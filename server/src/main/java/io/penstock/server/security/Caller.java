package io.penstock.server.security;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Somebody who asks, by name, with roles per domain. Immutable. */
public final class Caller {
  /** The domain that stands for all of them. */
  public static final String EVERY_DOMAIN = "*";

  private final String name;
  private final Map<String, Set<Role>> rolesByDomain;

  public Caller(String name, Map<String, Set<Role>> rolesByDomain) {
    this.name = name;
    this.rolesByDomain = Map.copyOf(rolesByDomain);
  }

  /** For the history of policies and for logs: never a secret. */
  public String name() {
    return name;
  }

  /** Whether this caller has a role in a domain; {@code *} asks for a role in all of them. */
  public boolean may(Role role, String domain) {
    return has(role, rolesByDomain.get(EVERY_DOMAIN)) || has(role, rolesByDomain.get(domain));
  }

  /** Whether this caller has a role in any domain. */
  public boolean maySomewhere(Role role) {
    return rolesByDomain.values().stream().anyMatch(roles -> has(role, roles));
  }

  private static boolean has(Role wanted, @Nullable Set<Role> roles) {
    if (roles != null) {
      for (Role role : roles) {
        if (role.implies(wanted)) {
          return true;
        }
      }
    }
    return false;
  }

  @Override
  public String toString() {
    return name + rolesByDomain;
  }
}
