package io.penstock.server.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the reference says about policy files is true. */
class PolicyFilePageTest {
  private static final Path PAGE = Path.of("..", "docs", "reference", "configuration.md");
  private static final Pattern EXAMPLE = Pattern.compile("(?ms)^```yaml\n(# policies.yaml.*?)^```");

  @TempDir Path folder;

  private static List<String> examples() throws IOException {
    Matcher example = EXAMPLE.matcher(Files.readString(PAGE));
    return example.results().map(found -> found.group(1)).toList();
  }

  private static List<String> names(PolicyStore store, Kind kind) {
    return store.list(kind, null, 100).items().stream().map(Stored::name).toList();
  }

  @Test
  void example_asItIsShown_isInForceAsAWhole() throws IOException {
    assertThat(examples()).hasSize(1);
    Path yaml = Files.writeString(folder.resolve("policies.yaml"), examples().get(0));
    try (PolicyStore store = PolicyStore.open(folder.resolve("p.db"), () -> Instant.EPOCH)) {
      PolicyFile file = new PolicyFile(yaml, store, () -> Instant.EPOCH);
      file.load();
      assertThat(file.trouble()).isNull();
      assertThat(names(store, Kind.TIER)).containsExactly("free", "paid");
      assertThat(names(store, Kind.POLICY))
          .containsExactly("api/user", "api/user=42", "shop/file=docs/*");
    }
  }

  @Test
  void example_namesAsFieldsOfAList_saysTheSame() {
    String byName = "tiers: {free: {limits: [3/min]}}\npolicies: {api/user: {tier: free}}";
    String asLists =
        "tiers: [{name: free, limits: [3/min]}]\npolicies: [{scope: api/user, tier: free}]";
    assertThat(PolicyFile.read(asLists).documents())
        .extracting(each -> each.kind() + " " + each.name() + " " + each.document().json())
        .isEqualTo(
            PolicyFile.read(byName).documents().stream()
                .map(each -> each.kind() + " " + each.name() + " " + each.document().json())
                .toList());
  }

  @Test
  void example_fieldThatNobodyKnows_isRefusedWithItsPlace() {
    assertThat(PolicyFile.problems("policies: {}\nlimits: [1/s]\n"))
        .extracting(Problem::toString)
        .singleElement()
        .asString()
        .contains("(line 2, column ", "one of tiers, policies");
  }
}
