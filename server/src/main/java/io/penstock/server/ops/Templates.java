package io.penstock.server.ops;

import io.penstock.core.policy.Level;
import io.penstock.core.policy.Scope;

/**
 * The shape of a scope without its values: {@code api/plan=free/user=42} is {@code api/plan/user}.
 */
final class Templates {
  private Templates() {}

  static String of(String scope) {
    Scope parsed = Scope.parse(scope);
    StringBuilder template = new StringBuilder(parsed.domain());
    for (Level level : parsed.levels()) {
      template.append('/').append(level.key());
    }
    return template.toString();
  }
}
