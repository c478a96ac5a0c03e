package io.penstock.cli.simulate;

import io.penstock.core.Limit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A comparison as JSON; times are in seconds from the start. Confined to its thread. */
final class JsonReport {
  private static final int BINS_MAX = 240;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Comparison comparison;
  private final Timeline timeline;

  private JsonReport(Comparison comparison) {
    this.comparison = comparison;
    this.timeline = comparison.timeline(BINS_MAX);
  }

  static String of(Comparison comparison) {
    return Json.of(new JsonReport(comparison).document());
  }

  private Map<String, Object> document() {
    Scenario scenario = comparison.scenario();
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("limit", scenario.policy().toString());
    document.put("traffic", scenario.traffic().text());
    document.put("seed", scenario.seed());
    document.put("requests", comparison.requests());
    document.put("units", comparison.offered().units());
    document.put("trafficSeconds", seconds(scenario.traffic().lengthNanos()));
    document.put("horizonSeconds", seconds(comparison.horizonNanos()));
    document.put("binSeconds", seconds(timeline.binNanos()));
    document.put("offered", list(comparison.offered().perBin(timeline)));
    document.put("offeredPeak", comparison.offeredPeak().units());
    document.put("limits", scenario.policy().limits().stream().map(JsonReport::limit).toList());
    document.put("notes", comparison.notes());
    document.put("algorithms", comparison.trials().stream().map(this::trial).toList());
    return document;
  }

  private static Map<String, Object> limit(Limit limit) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("limit", limit.toString());
    fields.put("count", limit.count());
    fields.put("period", Reading.period(limit));
    fields.put("periodSeconds", seconds(limit.periodNanos()));
    return fields;
  }

  private Map<String, Object> trial(Trial trial) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("algorithm", trial.name());
    fields.put("limit", trial.policy().toString());
    fields.put("asked", trial.asked());
    fields.put("admitted", trial.admittedRequests());
    fields.put("denied", trial.deniedRequests());
    fields.put("deniedShare", trial.deniedShare());
    fields.put("longestDenialRequests", trial.longestDenial().requests());
    fields.put("longestDenialSeconds", seconds(trial.longestDenial().lengthNanos()));
    fields.put("tightest", trial.policy().limits().indexOf(trial.tightest()));
    fields.put("peaks", trial.policy().limits().stream().map(l -> peak(trial, l)).toList());
    fields.put("tenthSeconds", seconds(trial.tenthNanos()));
    fields.put("tenthPeak", trial.tenthPeak().units());
    fields.put("fano", comparison.fano(trial));
    fields.put("queue", trial.isQueue());
    fields.put("waitMeanSeconds", trial.waits().meanNanos() / NANOS_PER_SECOND);
    fields.put("waitMaxSeconds", seconds(trial.waits().maxNanos()));
    fields.put("reading", Reading.of(trial, comparison.scenario().startNanos()));
    fields.put("admittedPerBin", list(trial.admitted().perBin(timeline)));
    fields.put("deniedPerBin", list(trial.denied().perBin(timeline)));
    return fields;
  }

  private Map<String, Object> peak(Trial trial, Limit limit) {
    Peak peak = trial.peak(limit);
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("limit", limit.toString());
    fields.put("units", peak.units());
    fields.put("ratio", peak.ratio(limit.count()));
    fields.put("firstSeconds", seconds(peak.firstNanos()));
    fields.put("lastSeconds", seconds(peak.lastNanos()));
    fields.put("windowPerBin", list(trial.admitted().windowPerBin(timeline, limit.periodNanos())));
    return fields;
  }

  private static List<Long> list(long[] values) {
    return Arrays.stream(values).boxed().toList();
  }

  private static double seconds(long nanos) {
    return nanos / NANOS_PER_SECOND;
  }
}
