package io.penstock.server.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where a page ends. */
class PageTest {
  /** What a row of this test takes beside its document. */
  private static final int NAMES_BYTES = "a/b".length() + "me".length();

  private static Row row(long version, String document) {
    Change change =
        new Change(
            Kind.POLICY,
            "a/b",
            version,
            version,
            Instant.EPOCH,
            "me",
            document,
            /* counters= */ "");
    return new Row(change, Source.API, /* tier= */ null, /* bare= */ false);
  }

  /** The page of rows of so many bytes each. */
  private static Page<Long> page(Page.Filling filling, int count, int bytes) {
    String document = "x".repeat(bytes - NAMES_BYTES);
    boolean goOn = true;
    for (int version = 1; goOn && version <= count; version++) {
      goOn = filling.test(row(version, document));
    }
    return filling.page(row -> row.change().version());
  }

  @ParameterizedTest
  @CsvSource({
    "3, 30, 3, 3, false",
    "3, 30, 4, 3, true",
    "9, 30, 3, 3, false",
    "9, 30, 4, 3, true",
    "9, 29, 3, 2, true",
    "9, 9, 1, 1, false",
    "9, 9, 2, 1, true"
  })
  void test_rowsOfTenBytes_endsWhereRowsOrBytesDo(
      int rowsMax, int bytesMax, int count, int taken, boolean hasMore) {
    Page<Long> page = page(new Page.Filling(rowsMax, bytesMax), count, /* bytes= */ 10);
    List<Long> first = LongStream.rangeClosed(1, taken).boxed().toList();
    assertThat(page).isEqualTo(new Page<>(first, hasMore));
    assertThat(page.last()).isEqualTo(taken);
  }

  @Test
  void test_charactersOfSeveralBytes_countAsTheirBytes() {
    Page.Filling filling = new Page.Filling(/* rowsMax= */ 9, /* bytesMax= */ 2 * NAMES_BYTES + 9);
    assertThat(filling.test(row(1, "ü€"))).isTrue();
    assertThat(filling.test(row(2, "ü€"))).isFalse();
  }
}
