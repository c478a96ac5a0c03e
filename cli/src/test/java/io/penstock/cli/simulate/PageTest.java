package io.penstock.cli.simulate;

import static io.penstock.cli.simulate.ComparisonTest.BOUNDARY;
import static io.penstock.cli.simulate.ComparisonTest.compare;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The page and the numbers in it. */
class PageTest {
  @Test
  void json_values_areWrittenAsTheyAre() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("text", "a \"b\" \\ \n </script>");
    map.put("numbers", List.of(1L, 0.25, 200.0, 1e-9, 61.8));
    map.put("nothing", Arrays.asList(Double.NaN, null));
    map.put("empty", List.of(List.of(), Map.of()));
    map.put("truth", true);
    assertThat(Json.of(map))
        .isEqualTo(
            "{\"text\":\"a \\\"b\\\" \\\\ \\u000a \\u003c/script\\u003e\","
                + "\"numbers\":[1,0.25,200,0.000000001,61.8],"
                + "\"nothing\":[null,null],\"empty\":[[],{}],\"truth\":true}");
  }

  @Test
  void json_boundaryBurst_holdsTheNumbers() {
    assertThat(JsonReport.of(compare("100/min", BOUNDARY)))
        .startsWith(
            "{\"limit\":\"100/min\",\"traffic\":\""
                + BOUNDARY
                + "\",\"seed\":1,\"requests\":200,\"units\":200,\"trafficSeconds\":180,")
        .contains(
            "{\"algorithm\":\"fixed-window\",\"limit\":\"100/min\",\"asked\":200,"
                + "\"admitted\":200,\"denied\":0,\"deniedShare\":0,",
            "\"units\":200,\"ratio\":2,\"firstSeconds\":59,\"lastSeconds\":61,");
  }

  @Test
  void page_anyComparison_loadsNothing() throws IOException {
    String page = HtmlReport.page(compare("100/min", BOUNDARY));
    assertThat(page).doesNotContain("/* styles */", "/* script */", "/* numbers */");
    assertThat(page.replace("'http://www.w3.org/2000/svg'", "the name of SVG"))
        .doesNotContain("http:", "https:", "src=", "href=", "url(", "@import", "import(", "fetch(");
  }

  @Test
  void page_anyComparison_holdsEveryAlgorithm() throws IOException {
    Comparison comparison = compare("100/min", BOUNDARY);
    assertThat(HtmlReport.page(comparison))
        .contains(comparison.trials().stream().map(Trial::name).toList())
        .contains("prefers-color-scheme: dark", "name=\"viewport\"");
  }
}
