package io.penstock.server.config;

import io.penstock.server.policy.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Puts flags over the environment over the file over defaults. Confined to one thread. */
final class Sources {
  private static final String PREFIX = "PENSTOCK_";

  /** The file's own name is no setting: a file that names a file helps nobody. */
  private static final String CONFIG_VARIABLE = "PENSTOCK_CONFIG";

  /** Variables of the launcher and of the commands that talk to a server. */
  private static final Set<String> OTHERS =
      Set.of(
          CONFIG_VARIABLE,
          "PENSTOCK_JAVA_OPTS",
          "PENSTOCK_SERVER",
          "PENSTOCK_API_KEY",
          "PENSTOCK_CA",
          "PENSTOCK_CERT",
          "PENSTOCK_CERT_KEY");

  private static final long FILE_BYTES_MAX = 1 << 20;

  private final Map<Setting, Given> given = new EnumMap<>(Setting.class);
  private final List<Problem> problems = new ArrayList<>();

  Sources(Map<Setting, String> flags, @Nullable Path config, Map<String, String> environment) {
    for (Setting setting : Setting.values()) {
      String standard = setting.standard();
      if (standard != null) {
        given.put(setting, new Given(standard, "default"));
      }
    }
    String configured = environment.get(CONFIG_VARIABLE);
    Path file = config != null || configured == null ? config : Path.of(configured);
    if (file != null) {
      readFile(file);
    }
    readEnvironment(environment);
    flags.forEach((setting, text) -> given.put(setting, new Given(text, "flag")));
  }

  Map<Setting, Given> given() {
    return given;
  }

  List<Problem> problems() {
    return problems;
  }

  private void readFile(Path file) {
    try {
      if (Files.size(file) > FILE_BYTES_MAX) {
        problems.add(
            new Problem("config", file.toString(), "at most " + FILE_BYTES_MAX + " bytes"));
        return;
      }
      ConfigFile read = ConfigFile.parse(Files.readString(file));
      problems.addAll(read.problems());
      read.values().forEach((setting, text) -> given.put(setting, new Given(text, "file")));
    } catch (IOException unreadable) {
      problems.add(
          new Problem("config", file.toString(), "a file that can be read; " + unreadable));
    }
  }

  private void readEnvironment(Map<String, String> environment) {
    Map<String, Setting> byVariable =
        Arrays.stream(Setting.values()).collect(Collectors.toMap(Setting::variable, each -> each));
    new TreeMap<>(environment)
        .forEach(
            (name, text) -> {
              Setting setting = byVariable.get(name);
              if (setting != null) {
                given.put(setting, new Given(text, "environment"));
              } else if (name.startsWith(PREFIX) && !OTHERS.contains(name)) {
                // The value may be a secret under a misspelt name.
                problems.add(new Problem(name, "set", "unset, or the name of a setting"));
              }
            });
  }
}
