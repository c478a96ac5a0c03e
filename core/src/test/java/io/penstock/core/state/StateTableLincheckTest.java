package io.penstock.core.state;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.state.Turn.Ask;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/** Whatever threads do to a small table could have been done one after the other. */
@Param(name = "key", gen = IntGen.class, conf = "0:2")
@Param(name = "cost", gen = IntGen.class, conf = "0:4")
@Param(name = "hour", gen = IntGen.class, conf = "0:3")
@Param(name = "crowd", gen = IntGen.class, conf = "1:3")
public class StateTableLincheckTest {
  private static final long START = 1_773_145_800_000_000_000L;
  private static final long HOUR = 3_600_000_000_000L;
  private static final int CROWD = 5;
  private static final int LOOP_BOUND = 5_000;

  private static final Rules RULES = new Rules();
  private static final Rule ONE = RULES.add(Limit.parse("9/day"), Algorithm.GCRA, 0, START);
  private static final Rule THREE =
      RULES.add(Limit.parse("9/day"), Algorithm.FIXED_WINDOW, 1, START);

  private final StateTable table = StateTable.of(RULES, 64 << 10);
  private final ShortWay shortWay = java.util.Objects.requireNonNull(table.shortWay());

  /** Keys that lie in one stripe, with one home or the next. */
  private static long hash(int key) {
    return (key + 1L) << 40;
  }

  private String play(Turn turn) {
    table.play(turn);
    return answer(turn);
  }

  private static String answer(Turn turn) {
    return turn.step().allowed()
        ? "left " + turn.step().remaining()
        : "wait " + turn.step().retryAfterNanos();
  }

  @Operation
  public String take(
      @Param(name = "key") int key,
      @Param(name = "cost") int cost,
      @Param(name = "hour") int hour) {
    return play(new Turn().of(hash(key), ONE, START + hour * HOUR).asks(Ask.TAKE, cost, 0));
  }

  @Operation
  public String takeWide(@Param(name = "key") int key, @Param(name = "cost") int cost) {
    return play(new Turn().of(hash(key) + (1L << 50), THREE, START).asks(Ask.TAKE, cost, 0));
  }

  @Operation
  public long takeShort(@Param(name = "key") int key, @Param(name = "hour") int hour) {
    return shortWay.take(hash(key), ONE, START + hour * HOUR, /* cost= */ 2);
  }

  /** Two units of one key in a batch: a run, which is one write. */
  @Operation
  public String takeRun(@Param(name = "key") int key) {
    Takes takes = new Takes(/* capacity= */ 2);
    takes.at(START);
    takes.add(hash(key), 1);
    takes.add(hash(key), 1);
    int taken = shortWay.takeAll(takes, /* from= */ 0, ONE);
    return taken < 2 ? "unusual" : takes.outcome(0) + " " + takes.outcome(1);
  }

  @Operation
  public String reset(@Param(name = "key") int key) {
    return play(new Turn().of(hash(key), ONE, START).asks(Ask.RESET, 0, 0));
  }

  @Operation
  public String takeBoth(@Param(name = "key") int key, @Param(name = "cost") int cost) {
    Together both = new Together();
    both.add(table).of(hash(key), ONE, START).asks(Ask.TAKE, cost, 0);
    both.add(table).of(hash((key + 1) % 3) + 1, ONE, START).asks(Ask.TAKE, 1, 0);
    boolean allowed = both.isPlayed() && both.allowed();
    return allowed + " " + answer(both.turn(0)) + " " + answer(both.turn(1));
  }

  /** New keys, so many that the stripe is written anew and grows. */
  @Operation
  public void crowd(@Param(name = "crowd") int crowd) {
    for (int i = 0; i < CROWD; i++) {
      long hash = hash(crowd * CROWD + i) * 0x1_0001;
      table.play(new Turn().of(hash, ONE, START).asks(Ask.TAKE, 9, 0));
    }
  }

  @Test
  void decide_byThreadsOfTheMachine_isLinearizable() {
    new StressOptions()
        .threads(3)
        .actorsPerThread(3)
        .actorsBefore(2)
        .actorsAfter(2)
        .iterations(6 * Trial.times())
        .invocationsPerIteration(500)
        .check(StateTableLincheckTest.class);
  }

  @Test
  void decide_byThreadsSwitchedAnywhere_isLinearizable() {
    switchedAnywhere()
        .threads(2)
        .actorsPerThread(2)
        .actorsBefore(2)
        .actorsAfter(1)
        .iterations(3 * Trial.times())
        .invocationsPerIteration(60)
        .check(StateTableLincheckTest.class);
  }

  /** Who is denied takes no lock, and must notice that another key has taken the place it reads. */
  @Test
  void takeShortAndTakeRun_deniedWhileAnotherKeyTakesThePlace_isLinearizable() throws Exception {
    List<Actor> before = List.of(actor("takeWide", 0, 1), actor("take", 0, 9, 0));
    List<Actor> nextDay = List.of(actor("take", 1, 9, 24));
    for (Actor denied : List.of(actor("takeShort", 0, 0), actor("takeRun", 0))) {
      List<List<Actor>> both = List.of(List.of(denied), nextDay);
      switchedAnywhere()
          .addCustomScenario(
              new ExecutionScenario(before, both, List.of(), /* validationFunction= */ null))
          .iterations(0)
          .invocationsPerIteration(40)
          .minimizeFailedScenario(false)
          .check(StateTableLincheckTest.class);
    }
  }

  private static Actor actor(String operation, Object... arguments) throws Exception {
    Class<?>[] types = new Class<?>[arguments.length];
    Arrays.fill(types, int.class);
    Method method = StateTableLincheckTest.class.getMethod(operation, types);
    return new Actor(method, List.of(arguments));
  }

  /** Threads change places at every access to stripes, cells and pages, and nowhere else. */
  private static ModelCheckingOptions switchedAnywhere() {
    return new ModelCheckingOptions()
        .loopBound(LOOP_BOUND)
        .addGuarantee(
            forClasses(
                    Turn.class.getName(),
                    Rule.class.getName(),
                    Rules.class.getName(),
                    Slots.class.getName(),
                    Memory.class.getName(),
                    Budget.class.getName(),
                    "io.penstock.core.Step",
                    "io.penstock.core.Log",
                    "io.penstock.core.Limit",
                    "io.penstock.core.Windows",
                    "io.penstock.core.algorithm.Gcra",
                    "io.penstock.core.algorithm.FixedWindow")
                .allMethods()
                .ignore());
  }
}
