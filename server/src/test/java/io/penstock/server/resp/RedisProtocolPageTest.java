package io.penstock.server.resp;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.Bounds;
import io.penstock.server.config.Setting;
import io.penstock.server.node.LocalNode;
import io.penstock.server.node.Node;
import io.penstock.server.security.Gatekeeper;
import io.penstock.shard.Shard;
import io.penstock.shard.ShardOptions;
import io.penstock.testkit.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the page about the Redis protocol says is true. */
class RedisProtocolPageTest {
  private static final Path PAGE = Path.of("..", "docs", "reference", "redis-protocol.md");
  private static final Pattern ROW_OF_COMMANDS = Pattern.compile("(?m)^\\| (`[A-Z].*?`) \\| ");
  private static final Pattern COMMAND = Pattern.compile("`([A-Z][A-Z.]+)[^`]*`");
  private static final Pattern SETTING = Pattern.compile("`((?:max|idle|tls)-[a-z-]+)`");

  @TempDir Path folder;

  private String page = "";
  private Shard shard;
  private Node node;
  private RespServer server;

  /** As it is after {@code ./penstock serve}, but that time stands still. */
  @BeforeEach
  void start() throws IOException {
    page = Files.readString(PAGE);
    shard = Shard.open(ShardOptions.of(folder, new ManualClock(), 16 << 20));
    node = new LocalNode("n1", shard, new Node.Secret(1, 2));
    Nodes.put(node, "demo/user", "{\"limits\":[\"5/min\"]}");
    server = RespServer.start(RespClient.local(), node, Gatekeeper.open(), new RespStats());
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
    shard.close();
  }

  @Test
  void examples_all_happenAsShown() throws IOException {
    List<String> transcripts = Transcript.of(page);
    assertThat(transcripts).isNotEmpty();
    for (String transcript : transcripts) {
      assertThat(Transcript.problems(transcript, server.port())).isEmpty();
    }
  }

  @Test
  void problems_answerThatIsNotAsShown_isTold() throws IOException {
    String asked = "127.0.0.1:6380> PING a\n\"%s\"\n127.0.0.1:6380> HELLO 3\n%s\n";
    String shown = "1# \"server\" => \"redis\"\n…";
    assertThat(Transcript.problems(asked.formatted("a", shown), server.port())).isEmpty();
    assertThat(Transcript.problems(asked.formatted("b", "1#"), server.port()))
        .hasSize(2)
        .contains("PING a\n\"a\"\n");
  }

  @Test
  void commands_all_areInTheTable() {
    Set<String> known =
        CommandTable.of(node, Bounds.defaults(), new RespStats()).values().stream()
            .map(command -> command.name().toUpperCase(Locale.ROOT))
            .collect(toSet());
    Set<String> told =
        ROW_OF_COMMANDS
            .matcher(page)
            .results()
            .flatMap(row -> COMMAND.matcher(row.group(1)).results())
            .map(command -> command.group(1))
            .collect(toSet());
    assertThat(told).isEqualTo(known);
  }

  @Test
  void settingsAndVersion_asNamed_exist() {
    List<String> settings =
        SETTING.matcher(page).results().map(setting -> setting.group(1)).toList();
    assertThat(settings).contains("max-body").allMatch(name -> Setting.byKey(name) != null);
    assertThat(page).contains("`redis_version:" + Greetings.REDIS_VERSION + "`");
  }
}
