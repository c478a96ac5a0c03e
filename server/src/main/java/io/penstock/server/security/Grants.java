package io.penstock.server.security;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads roles per domain: {@code {"api": ["check"], "*": ["read"]}}. */
final class Grants {
  static final String EXPECTED = "domains with lists of check, read, admin";

  private Grants() {}

  /** What can be read; {@code wrong} hears of the rest. */
  static Map<String, Set<Role>> read(@Nullable JsonNode roles, Consumer<String> wrong) {
    Map<String, Set<Role>> read = new HashMap<>();
    if (roles == null || !roles.isObject()) {
      wrong.accept(roles == null ? "nothing" : roles.getNodeType().toString());
      return read;
    }
    for (Map.Entry<String, JsonNode> domain : roles.properties()) {
      Set<Role> granted = EnumSet.noneOf(Role.class);
      if (!domain.getValue().isArray() || domain.getValue().isEmpty()) {
        wrong.accept(domain.getKey());
      }
      for (JsonNode name : domain.getValue()) {
        Role role = byText(name.asText());
        if (role == null) {
          wrong.accept(domain.getKey() + ": " + name.asText());
        } else {
          granted.add(role);
        }
      }
      read.put(domain.getKey(), granted);
    }
    return read;
  }

  private static @Nullable Role byText(String text) {
    for (Role role : Role.values()) {
      if (role.text().equals(text)) {
        return role;
      }
    }
    return null;
  }
}
