package io.penstock.cli.simulate;

import io.penstock.core.Policy;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The command that runs traffic against limits in virtual time and compares the algorithms. */
@Command(
    name = "simulate",
    sortOptions = false,
    description = {
      "Run traffic against a limit in virtual time and compare what each algorithm lets through."
    },
    footerHeading = "%nTraffic:%n",
    footer = {
      "  PATTERN  = LAYER [and LAYER]...        at the same time",
      "  LAYER    = SEGMENT [then SEGMENT]...   one after the other",
      "  SEGMENT  = steady RATE for TIME        evenly spaced",
      "           | poisson RATE for TIME       at random, as many users together",
      "           | ramp RATE to RATE for TIME  evenly spaced, faster or slower",
      "           | burst N [at TIME] [every TIME] [for TIME]   N at the same instant",
      "           | idle for TIME",
      "             each but idle with [cost N]: what one request takes, 1 if not said",
      "  RATE     = 15/s, 0.5/s, 100/min, 20/250ms",
      "  TIME     = 250ms, 10s, 1.5min, 2hour, 1day, 1week",
      "",
      "Examples:",
      "  penstock simulate --limit \"10/s burst 20\" --traffic \"poisson 15/s for 30s\"",
      "  penstock simulate --limit 100/min \\",
      "    --traffic \"burst 100 at 59s and burst 100 at 61s for 3min\"",
      "  penstock simulate --limit \"10/s; 100/min\" --algorithm gcra,fixed-window \\",
      "    --traffic \"steady 2/s for 1min then ramp 2/s to 40/s for 1min\""
    })
public final class Simulate implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Option(
      names = "--limit",
      required = true,
      paramLabel = "LIMITS",
      converter = PolicyConverter.class,
      description = "A limit, or several: \"10/s burst 20; 100/min\".")
  Policy policy;

  @Option(
      names = "--traffic",
      required = true,
      paramLabel = "PATTERN",
      converter = TrafficConverter.class,
      description = "What comes: \"poisson 15/s for 30s\". See below.")
  Traffic traffic;

  @Option(
      names = "--algorithm",
      defaultValue = "all",
      paramLabel = "NAME",
      description = {
        "Which algorithms: all (the default), or some of gcra, token-bucket, leaky-bucket,"
            + " leaky-queue, fixed-window, sliding-window-log, sliding-window-counter."
      })
  List<String> algorithms;

  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "N",
      description = "Start of the random numbers; the same seed, the same traffic. Default: 1.")
  long seed;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Write a page with charts as well; it needs nothing but itself.")
  @Nullable Path html;

  @Option(
      names = "--columns",
      paramLabel = "N",
      description = "How wide to print, 60 to 160. Default: as the terminal, or 80.")
  @Nullable Integer columns;

  @Option(names = "--json", description = "Print JSON instead of text.")
  boolean json;

  @Override
  public Integer call() throws IOException {
    Terminal terminal = checked(this::terminal);
    Comparison comparison = checked(this::comparison);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(JsonReport.of(comparison));
    } else {
      TerminalReport.lines(comparison, terminal).forEach(out::println);
    }
    if (html != null) {
      write(comparison, html);
    }
    return 0;
  }

  private Comparison comparison() {
    return Comparison.of(new Scenario(policy, traffic, Scenario.algorithms(algorithms), seed));
  }

  private <T> T checked(Supplier<T> asked) {
    try {
      return asked.get();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private Terminal terminal() {
    boolean colour = spec.commandLine().getColorScheme().ansi().enabled();
    return Terminal.of(colour, columns, System.getenv("COLUMNS"));
  }

  private void write(Comparison comparison, Path file) throws IOException {
    try {
      HtmlReport.write(comparison, file);
    } catch (IOException e) {
      throw new IOException("html: " + file + " (expected: a file that can be written): " + e, e);
    }
    // Standard output is the report alone.
    spec.commandLine().getErr().println("wrote " + file);
  }

  static final class PolicyConverter implements ITypeConverter<Policy> {
    @Override
    public Policy convert(String text) {
      try {
        return Policy.parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  static final class TrafficConverter implements ITypeConverter<Traffic> {
    @Override
    public Traffic convert(String text) {
      try {
        return Traffic.parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
