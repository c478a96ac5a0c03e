package io.penstock.cli;

import io.penstock.server.config.Setting;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the command line of a server says. Immutable.
 *
 * @param config the file of settings, or null
 */
record Flags(Map<Setting, String> settings, @Nullable Path config) {
  private static final String CONFIG = "config";

  /**
   * Reads {@code serve --KEY VALUE --KEY=VALUE …}; null for everything else: other commands, help,
   * mistakes.
   *
   * <p>The library for command lines is too old for an archive of classes and would be a good part
   * of a start; it finds the same.
   */
  static @Nullable Flags plain(String... arguments) {
    Map<Setting, String> settings = new EnumMap<>(Setting.class);
    Path config = null;
    if (arguments.length == 0 || !arguments[0].equals("serve")) {
      return null;
    }
    for (int i = 1; i < arguments.length; i++) {
      int equals = arguments[i].indexOf('=');
      String name = equals < 0 ? arguments[i] : arguments[i].substring(0, equals);
      String key = name.startsWith("--") ? name.substring(2) : "";
      Setting setting = Setting.byKey(key);
      String value = equals < 0 ? null : arguments[i].substring(equals + 1);
      if (value == null && i + 1 < arguments.length) {
        value = arguments[++i];
      }
      boolean isPlain = value != null && !value.isEmpty() && !value.startsWith("-");
      if (isPlain && setting != null && !setting.isSwitch()) {
        isPlain = settings.put(setting, value) == null;
      } else if (isPlain && key.equals(CONFIG) && config == null) {
        config = Path.of(value);
      } else {
        isPlain = false;
      }
      if (!isPlain) {
        return null;
      }
    }
    return new Flags(settings, config);
  }
}
