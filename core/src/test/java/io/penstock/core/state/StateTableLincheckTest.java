package io.penstock.core.state;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import io.penstock.core.Algorithm;
import io.penstock.core.Limit;
import io.penstock.core.state.Turn.Ask;
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

  /** Threads change places at every access to stripes, cells and pages, and nowhere else. */
  @Test
  void decide_byThreadsSwitchedAnywhere_isLinearizable() {
    new ModelCheckingOptions()
        .threads(2)
        .actorsPerThread(2)
        .actorsBefore(2)
        .actorsAfter(1)
        .iterations(3 * Trial.times())
        .invocationsPerIteration(60)
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
                .ignore())
        .check(StateTableLincheckTest.class);
  }
}
