package io.penstock.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.testkit.GoldenVectors;
import io.penstock.testkit.GoldenVectors.Line;
import io.penstock.testkit.GoldenVectors.Verb;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The golden vectors, asked of real servers by HTTP: the same answers as from every other backend
 * (L7, L8).
 *
 * <p>Only the time is replaced, by {@code --clock}. Since it is one for all keys, the keys are
 * played beside each other, in the order of time. Every kind of line is played; the wire tells
 * times in milliseconds, rounded up, and so they are compared. In the cluster, a build plays every
 * third key, {@code -Plong} all of them.
 */
@Tag("once")
@Timeout(300)
class VectorsIT {
  private static final Pattern ANSWER =
      Pattern.compile(
          "\"allowed\":(true|false),\"remaining\":(\\d+),.*?\"retryAfterMs\":(-?\\d+)"
              + ",\"resetAfterMs\":(\\d+),.*\"waitMs\":(\\d+)");

  /** A key of no vector. */
  private static final String OWNER = "owner";

  /** One line of the file, and the key it is about. */
  private record Step(String key, Line line) {
    long nanos() {
      return line.micros() * 1_000;
    }
  }

  @TempDir Path folder;
  private final List<Step> steps = new ArrayList<>();
  private final Map<String, Integer> versions = new HashMap<>();
  private Nodes nodes;

  @BeforeEach
  void begin() {
    nodes = new Nodes(folder);
  }

  @AfterEach
  void end() {
    nodes.close();
  }

  /** The lines in the order of time; those of one instant stay in the order of the file. */
  private List<Step> read(int share) {
    int keys = 0;
    for (Line line : GoldenVectors.lines()) {
      keys += line.verb() == Verb.KEY ? 1 : 0;
      if (keys % share == 0) {
        steps.add(new Step("k" + keys, line));
      }
    }
    steps.sort(Comparator.comparingLong(Step::nanos));
    return steps;
  }

  private SteppedTime start(int share) throws Exception {
    long first = read(share).stream().mapToLong(Step::nanos).filter(at -> at > 0).min().getAsLong();
    SteppedTime time = new SteppedTime(folder.resolve("clock"), first);
    time.rule(nodes, Nodes.COUNT);
    nodes.startAll();
    return time;
  }

  @Test
  void vectors_threeNodesInTurnAndTheOwnerKilled_areAnsweredAsTheyStand() throws Exception {
    SteppedTime time = start(Integer.getInteger("penstock.vectors", 1));
    put(OWNER, "1/s", "gcra");
    for (int i = 0; i < steps.size(); i++) {
      if (i == steps.size() / 2) {
        killTheOwner();
      }
      play(steps.get(i), i, time);
    }
    assertThat(nodes.errors()).isEmpty();
  }

  @Test
  void vectors_oneServer_areAnsweredAsTheyStand() throws Exception {
    nodes = new Nodes(folder, /* founders= */ 1);
    SteppedTime time = start(/* share= */ 1);
    for (int i = 0; i < steps.size(); i++) {
      play(steps.get(i), i, time);
    }
  }

  /** Time stands still until the next owner decides. */
  private void killTheOwner() throws InterruptedException {
    int owner = nodes.decided(0, OWNER, 0, null).owner();
    nodes.kill(owner);
    int other = nodes.running().get(0);
    assertThat(nodes.decided(other, OWNER, 0, null).owner()).isNotEqualTo(owner);
  }

  private void play(Step step, int number, SteppedTime time) {
    Line line = step.line;
    if (line.verb() == Verb.KEY) {
      put(step.key, line.limit(), line.algorithm());
      return;
    }
    time.stepTo(step.nanos());
    if (line.verb() == Verb.CHANGE) {
      put(step.key, line.limit(), line.algorithm());
      return;
    }
    long cost = line.verb() == Verb.TAKE ? line.cost() : -line.cost();
    int node = nodes.running().get(number % nodes.running().size());
    String id = "line" + number;
    Reply reply = Nodes.until(() -> nodes.check(node, step.key, cost, id), Reply::isDecided);
    assertThat(told(reply))
        .as("%s, line %d: %s", step, number, reply.body())
        .isEqualTo(expected(line));
  }

  private void put(String key, String limit, String algorithm) {
    String policy =
        "{\"limits\":[\"%s\"],\"algorithm\":\"%s\",\"consistency\":\"strict\"}"
            .formatted(limit, algorithm);
    InForce.put(nodes, "api%2Fuser%3D" + key, policy, versions.merge(key, 1, Integer::sum) - 1);
  }

  private static List<String> told(Reply reply) {
    Matcher found = ANSWER.matcher(reply.body());
    assertThat(found.find()).as(reply.body()).isTrue();
    String allowed = found.group(1).equals("true") ? "allowed" : "denied";
    return List.of(allowed, found.group(2), found.group(3), found.group(4), found.group(5));
  }

  private static List<String> expected(Line line) {
    String[] words = line.answer().split(" ", -1);
    List<String> expected = new ArrayList<>(List.of(words[0], words[1]));
    for (int i = 2; i < words.length; i++) {
      long micros = Long.parseLong(words[i]);
      expected.add(Long.toString(micros < 0 ? micros : -Math.floorDiv(-micros, 1_000L)));
    }
    return expected;
  }
}
