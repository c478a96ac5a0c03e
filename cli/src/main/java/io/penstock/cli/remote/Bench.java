package io.penstock.cli.remote;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command that asks a server as fast as it answers or so often, and tells how fast it is. */
@Command(
    name = "bench",
    sortOptions = false,
    description = {
      "Ask a server as fast as it answers, or at a rate: CL.THROTTLE by the Redis protocol,"
          + " checks by HTTP, or as Envoy asks by gRPC.",
      "For fair numbers give server and generator a processor each (taskset), and warm up."
    })
public final class Bench implements Callable<Integer> {
  private static final Map<String, Integer> PORTS =
      Map.of("resp", 6380, "http", 8080, "grpc", 8081);

  /** The protocols, also for the completion of a shell. */
  static final class Protocols implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return List.of("resp", "http", "grpc").iterator();
    }
  }

  @Spec CommandSpec spec;

  @Option(
      names = "--protocol",
      paramLabel = "resp|http|grpc",
      defaultValue = "resp",
      completionCandidates = Protocols.class,
      description = "Default: resp.")
  String protocol;

  @Option(
      names = "--address",
      paramLabel = "HOST:PORT",
      description = "Where. Default: 127.0.0.1 with 6380, for http 8080, for grpc 8081.")
  String address = "";

  @Option(
      names = "--connections",
      paramLabel = "N",
      defaultValue = "16",
      description = "Connections, each by itself. Default: 16.")
  int connections;

  @Option(
      names = "--pipeline",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Requests of a connection that are asked at once; for grpc streams. Default: 1.")
  int pipeline;

  @Option(
      names = "--keys",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Different keys, chosen at random. Default: 1000000.")
  int keys;

  @Option(
      names = "--requests",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Requests in all. Default: 1000000.")
  long requests;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "0",
      description = "Requests per second, of all connections. Default: as many as are answered.")
  long rate;

  @Option(
      names = "--domain",
      paramLabel = "NAME",
      defaultValue = "demo",
      description = "Domain of the checks by http and grpc, with the key user. Default: demo.")
  String domain;

  @Option(names = "--json", description = "Print one line of JSON.")
  boolean json;

  @Override
  public Integer call() throws IOException, InterruptedException {
    check();
    InetSocketAddress server = address();
    ExecutorService threads = Executors.newFixedThreadPool(connections);
    Spread spread = new Spread();
    long start = BenchClock.nanos();
    try {
      List<Future<?>> runs = new ArrayList<>();
      for (int i = 0; i < connections; i++) {
        /* What is left over is asked by the first ones. */
        long share = requests / connections + (i < requests % connections ? 1 : 0);
        runs.add(threads.submit(connection(server, spread, share, /* seed= */ i)));
      }
      for (Future<?> run : runs) {
        run.get();
      }
    } catch (ExecutionException failed) {
      throw new IOException(
          "address: " + server + " (expected: a server that answers): " + failed.getCause(),
          failed);
    } finally {
      threads.shutdownNow();
    }
    print(spread, BenchClock.nanos() - start);
    return Reply.DONE;
  }

  private void check() {
    at("connections", connections, 10_000);
    at("pipeline", pipeline, 10_000);
    at("keys", keys, Integer.MAX_VALUE);
    if (rate != 0) {
      at("rate", rate, 1_000_000_000);
    }
    if (!PORTS.containsKey(protocol)) {
      String expected = String.join(", ", new Protocols());
      throw new ParameterException(
          spec.commandLine(), "protocol: " + protocol + " (expected: " + expected + ")");
    }
  }

  private Callable<Boolean> connection(
      InetSocketAddress server, Spread spread, long share, int seed) {
    if (protocol.equals("grpc")) {
      EnvoyLoad load = new EnvoyLoad(domain, keys, seed);
      return () -> new GrpcConnection(load, pipeline, share, pace()).run(server, spread);
    }
    Load load = protocol.equals("http") ? new Load.Http(domain, keys) : new Load.Throttle(keys);
    return () -> new LoadConnection(load, pipeline, share, pace(), seed).run(server, spread);
  }

  private Pace pace() {
    return Pace.of(rate, connections);
  }

  private void at(String name, long value, long max) {
    if (value < 1 || value > max) {
      throw new ParameterException(
          spec.commandLine(), name + ": " + value + " (expected: 1.." + max + ")");
    }
  }

  private InetSocketAddress address() {
    String text = address.isEmpty() ? "127.0.0.1:" + PORTS.get(protocol) : address;
    int colon = text.lastIndexOf(':');
    if (colon < 1 || !text.substring(colon + 1).matches("\\d{1,5}")) {
      throw new ParameterException(
          spec.commandLine(), "address: " + text + " (expected: HOST:PORT)");
    }
    return new InetSocketAddress(
        text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
  }

  private void print(Spread spread, long nanos) {
    PrintWriter out = spec.commandLine().getOut();
    double perSecond = spread.count() * 1e9 / nanos;
    if (json) {
      out.printf(
          Locale.ROOT,
          "{\"requests\":%d,\"denied\":%d,\"seconds\":%.3f,\"perSecond\":%.0f,"
              + "\"p50Micros\":%d,\"p99Micros\":%d,\"p999Micros\":%d}%n",
          spread.count(),
          spread.denied(),
          nanos / 1e9,
          perSecond,
          spread.micros(0.5),
          spread.micros(0.99),
          spread.micros(0.999));
      return;
    }
    new Columns()
        .row("requests", String.valueOf(spread.count()))
        .row("denied", String.valueOf(spread.denied()))
        .row("per second", String.format(Locale.ROOT, "%.0f", perSecond))
        .row("p50", spread.micros(0.5) + " µs")
        .row("p99", spread.micros(0.99) + " µs")
        .row("p99.9", spread.micros(0.999) + " µs")
        .print(out);
  }
}
