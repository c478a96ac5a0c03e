package io.penstock.server.policy.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.penstock.core.policy.Descriptor;
import io.penstock.core.policy.Scope;
import io.penstock.core.policy.ScopeEdit;
import io.penstock.core.policy.ScopeIndex;
import io.penstock.core.policy.Terms;
import io.penstock.core.state.KeyHash;
import io.penstock.server.policy.Kind;
import io.penstock.server.policy.PolicyDocument;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Configurations in the form of envoyproxy/ratelimit, and what applies to whom afterwards. */
class RatelimitYamlTest {
  /** The limit that applies to a descriptor, in words; null if there is no policy. */
  private static @Nullable String limit(RatelimitYaml yaml, String domain, String... entries) {
    ScopeEdit<String> edit = ScopeIndex.<String>empty(new KeyHash(1, 2)).edit();
    yaml.documents().forEach((scope, document) -> edit.put(Scope.parse(scope), document));
    String document = edit.done().find(domain, Descriptor.of(entries));
    if (document == null) {
      return null;
    }
    Terms terms = PolicyDocument.parse(Kind.POLICY, document).terms(/* tier= */ null);
    String words =
        terms.policy() == null
            ? terms.blocked() ? "blocked" : "unlimited"
            : terms.policy().limits().toString();
    String share = terms.share().isEmpty() ? "" : " share " + terms.share();
    return words + (terms.shadow() ? " shadow" : "") + share;
  }

  @Test
  void read_valuesOfOneKey_becomeScopesWithFixedWindows() {
    RatelimitYaml yaml =
        RatelimitYaml.read(
            """
            domain: store
            descriptors:
              - key: table
                value: orders
                rate_limit: {unit: second, requests_per_unit: 500}
              - key: table
                value: default
                rate_limit:
                  unit: MINUTE
                  requests_per_unit: 70
            """);
    assertThat(yaml.documents())
        .containsExactly(
            entry("store/table=orders", "{\"limits\":[\"500/s\"],\"algorithm\":\"fixed-window\"}"),
            entry(
                "store/table=default", "{\"limits\":[\"70/min\"],\"algorithm\":\"fixed-window\"}"));
    assertThat(yaml.notes()).isEmpty();
  }

  @Test
  void read_nestedDescriptors_applyAtTheirDepthOnly() {
    RatelimitYaml yaml =
        RatelimitYaml.read(
            """
            domain: mail
            descriptors:
              - key: kind
                value: advert
                descriptors:
                  - key: to
                    rate_limit: {unit: day, requests_per_unit: 5}
              - key: to
                rate_limit: {unit: day, requests_per_unit: 100}
            """);
    assertThat(limit(yaml, "mail", "kind", "advert", "to", "1")).isEqualTo("[5/day]");
    assertThat(limit(yaml, "mail", "to", "1")).isEqualTo("[100/day]");
    assertThat(limit(yaml, "mail", "kind", "advert")).isNull();
    assertThat(limit(yaml, "mail", "kind", "bill", "to", "1")).isNull();
    assertThat(limit(yaml, "mail", "to", "1", "kind", "advert")).isNull();
    assertThat(limit(yaml, "post", "to", "1")).isNull();
  }

  @Test
  void read_valueBesideBareKey_isMoreSpecific() {
    RatelimitYaml yaml =
        RatelimitYaml.read(
            """
            domain: edge
            descriptors:
              - key: address
                rate_limit: {unit: second, requests_per_unit: 10}
              - key: address
                value: 192.0.2.5
                rate_limit: {unit: second, requests_per_unit: 0}
            """);
    assertThat(limit(yaml, "edge", "address", "192.0.2.1")).isEqualTo("[10/s]");
    assertThat(limit(yaml, "edge", "address", "192.0.2.5")).isEqualTo("blocked");
    assertThat(yaml.notes()).isEmpty();
  }

  @Test
  void read_unlimitedAndShadow_sayTheSameHere() {
    RatelimitYaml yaml =
        RatelimitYaml.read(
            """
            domain: inside
            descriptors:
              - key: directory
                rate_limit: {unlimited: true}
              - key: service
                descriptors:
                  - key: user
                    value: a
                    shadow_mode: true
                    rate_limit: {unit: second, requests_per_unit: 10}
                  - key: user
                    value: b
                    rate_limit: {unit: second, requests_per_unit: 20}
            """);
    assertThat(limit(yaml, "inside", "directory", "x")).isEqualTo("unlimited");
    assertThat(limit(yaml, "inside", "service", "s", "user", "a")).isEqualTo("[10/s] shadow");
    assertThat(limit(yaml, "inside", "service", "s", "user", "b")).isEqualTo("[20/s]");
  }

  @Test
  void read_wildcardsAndSlashes_matchTheSameValues() {
    RatelimitYaml yaml =
        RatelimitYaml.read(
            """
            domain: web
            descriptors:
              - key: path
                value: /api/*/resource/*/action
                rate_limit: {unit: minute, requests_per_unit: 20}
              - key: file
                value: files/**
                descriptors:
                  - key: method
                    rate_limit: {unit: minute, requests_per_unit: 30}
              - key: file
                value: files/a.pdf
                rate_limit: {unit: hour, requests_per_unit: 40}
            """);
    assertThat(limit(yaml, "web", "path", "/api/v1/resource/7/action")).isEqualTo("[20/min]");
    assertThat(limit(yaml, "web", "path", "/api/v1/resource/7/other")).isNull();
    assertThat(limit(yaml, "web", "file", "files/b", "method", "GET")).isEqualTo("[30/min]");
    assertThat(limit(yaml, "web", "file", "files/a.pdf")).isEqualTo("[40/hour]");
    assertThat(yaml.documents()).containsKey("web/file=files\\/*/method");
  }

  @Test
  void read_valueWithoutLimit_isExemptFromTheBareKey() {
    RatelimitYaml yaml =
        RatelimitYaml.read(
            """
            domain: api
            descriptors:
              - key: user
                rate_limit: {unit: week, requests_per_unit: 10}
              - key: user
                value: admin
              - key: plan
                value: free
            """);
    assertThat(limit(yaml, "api", "user", "admin")).isEqualTo("unlimited");
    assertThat(limit(yaml, "api", "user", "bob")).isEqualTo("[10/week]");
    assertThat(yaml.documents()).doesNotContainKey("api/plan=free");
  }

  @Test
  void read_whatHasNoMeaningHere_isNotedWithItsFirstPlace() {
    RatelimitYaml yaml =
        RatelimitYaml.read(
            """
            domain: api
            descriptors:
              - key: a
                detailed_metric: true
                rate_limit: {name: base, unit: second, requests_per_unit: 1}
              - key: b
                value_to_metric: true
                quota_mode: true
                metadata: {any: [1, {x: y}]}
                rate_limit:
                  unit: second
                  requests_per_unit: 1
                  replaces: [{name: base}]
              - key: c
                value: x*
                rate_limit: {unit: second, requests_per_unit: 1}
              - key: c
                value: xy*
                rate_limit: {unit: second, requests_per_unit: 2}
            """);
    assertThat(yaml.documents()).hasSize(4);
    assertThat(yaml.notes())
        .satisfiesExactlyInAnyOrder(
            note -> assertThat(note).startsWith("descriptors[0] (line 3, column 5) and 1 more: de"),
            note -> assertThat(note).contains("quota_mode is ignored"),
            note -> assertThat(note).contains("metadata is ignored"),
            note -> assertThat(note).contains("replaces is ignored"),
            note -> assertThat(note).contains("an earlier wildcard covers this one"));
  }

  @Test
  void read_shareThreshold_countsTheValuesOfThatWildcardTogether() {
    RatelimitYaml yaml =
        RatelimitYaml.read(
            """
            domain: web
            descriptors:
              - key: 'fi"les'
                value: files/*
                share_threshold: true
                rate_limit: {unit: hour, requests_per_unit: 10}
              - key: route
                value: api/*
                share_threshold: true
                descriptors:
                  - key: method
                    shadow_mode: true
                    rate_limit: {unit: minute, requests_per_unit: 60}
              - key: apart
                value: x*
                share_threshold: false
                rate_limit: {unit: hour, requests_per_unit: 10}
            """);
    assertThat(limit(yaml, "web", "fi\"les", "files/a")).isEqualTo("[10/hour] share [fi\"les]");
    assertThat(limit(yaml, "web", "route", "api/1", "method", "GET"))
        .isEqualTo("[60/min] shadow share [route]");
    assertThat(limit(yaml, "web", "apart", "xy")).isEqualTo("[10/hour]");
    assertThat(yaml.notes()).isEmpty();
  }

  @Test
  void read_anchorsMergesAndSeveralDomains_areFollowed() {
    RatelimitYaml yaml =
        RatelimitYaml.read(
            """
            domain: one
            descriptors:
              - key: a
                rate_limit: &slow {unit: second, requests_per_unit: 1_000}
              - key: b
                rate_limit:
                  <<: *slow
                  unit: hour
            ---
            domain: two
            descriptors:
              - {key: 404, value: true, rate_limit: {unit: year, requests_per_unit: 1}}
            """);
    assertThat(limit(yaml, "one", "a", "x")).isEqualTo("[1000/s]");
    assertThat(limit(yaml, "one", "b", "x")).isEqualTo("[1000/hour]");
    assertThat(limit(yaml, "two", "404", "true")).isEqualTo("[1/year]");
  }

  @Test
  void read_fasterThanALimitCanBe_isTheFastestWithANote() {
    RatelimitYaml yaml =
        RatelimitYaml.read(
            """
            domain: one
            descriptors:
              - key: a
                rate_limit: {unit: second, requests_per_unit: 4294967295}
              - key: b
                rate_limit: {unit: minute, requests_per_unit: 4294967295}
            """);
    assertThat(limit(yaml, "one", "a", "x")).isEqualTo("[1000000000/s]");
    assertThat(limit(yaml, "one", "b", "x")).isEqualTo("[4294967295/min]");
    assertThat(yaml.notes())
        .containsExactly(
            "descriptors[0].rate_limit.requests_per_unit (line 4, column 51): more than"
                + " 1000000000 per second is read as that many, the fastest limit");
  }
}
