package io.penstock.server.resp;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** What {@code INFO} tells about this server, section by section. Thread-safe. */
final class Bulletin {
  private static final String LINE_END = "\r\n";

  /** What stands for all sections. */
  private static final Set<String> ALL = Set.of("ALL", "DEFAULT", "EVERYTHING");

  /** Some lines under one title. Immutable. */
  private record Section(String title, List<String> lines) {
    boolean isAsked(Set<String> names) {
      return names.isEmpty() || names.contains(title.toUpperCase(Locale.ROOT));
    }

    String text() {
      return "# " + title + LINE_END + String.join(LINE_END, lines) + LINE_END;
    }
  }

  private final RespStats stats;

  Bulletin(RespStats stats) {
    this.stats = stats;
  }

  /**
   * {@code INFO [section …]}: those that are asked for, in any case; of an unknown one, nothing.
   */
  void tell(Session session, Request request, Output out) {
    Set<String> names = new TreeSet<>();
    for (int i = 1; i < request.count(); i++) {
      names.add(request.word(i));
    }
    if (names.stream().anyMatch(ALL::contains)) {
      names.clear();
    }
    List<String> asked =
        sections().stream().filter(each -> each.isAsked(names)).map(Section::text).toList();
    out.bulk(String.join(LINE_END, asked));
  }

  private List<Section> sections() {
    long calls = stats.calls().values().stream().mapToLong(Long::longValue).sum();
    return List.of(
        new Section(
            "Server",
            List.of(
                "redis_version:" + Greetings.REDIS_VERSION,
                "redis_mode:standalone",
                "server_name:penstock",
                "process_id:" + ProcessHandle.current().pid())),
        new Section("Clients", List.of("connected_clients:" + stats.connections())),
        new Section("Persistence", List.of("loading:0")),
        new Section(
            "Stats",
            List.of(
                "total_commands_processed:" + calls, "rejected_connections:" + stats.turnedAway())),
        new Section("Replication", List.of("role:master", "connected_slaves:0")));
  }
}
