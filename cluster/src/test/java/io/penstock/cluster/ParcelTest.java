package io.penstock.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class ParcelTest {
  @Test
  void slips_writtenAndRead_areTheSame() {
    List<Slip> slips =
        List.of(
            Slip.letter(7, new byte[] {1, 2}),
            Slip.letter(Long.MIN_VALUE, new byte[0]),
            Slip.failure(8, new IllegalStateException("gone")));
    assertThat(Parcel.read(Parcel.write(slips)))
        .usingRecursiveFieldByFieldElementComparator()
        .isEqualTo(slips);
  }

  /** Nodes of two versions talk to each other: these bytes stay as they are. */
  @Test
  void parcel_asBytes_isFormat1() {
    byte[] bytes = Parcel.write(List.of(Slip.letter(5, new byte[] {9})));
    assertThat(bytes).containsExactly(1, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 1, 9);
  }

  private static byte[] parcel(int format, int kind, int length, int bytes) {
    ByteBuffer out = ByteBuffer.allocate(14 + bytes);
    return out.put((byte) format).putLong(1).put((byte) kind).putInt(length).array();
  }

  @Test
  void read_malformed_saysWhatWasExpected() {
    assertThatThrownBy(() -> Parcel.read(new byte[0])).hasMessage("format: 0 (expected: 1..1)");
    assertThatThrownBy(() -> Parcel.read(parcel(2, 0, 0, 0)))
        .hasMessage("format: 2 (expected: 1..1)");
    assertThatThrownBy(() -> Parcel.read(parcel(1, 2, 0, 0)))
        .hasMessage("kind: 2 (expected: 0..1)");
    assertThatThrownBy(() -> Parcel.read(parcel(1, 0, 3, 2)))
        .hasMessage("length: 3 (expected: 0..2)");
    assertThatThrownBy(() -> Parcel.read(parcel(1, 0, -1, 2)))
        .hasMessage("length: -1 (expected: 0..2)");
    assertThatThrownBy(() -> Parcel.read(parcel(1, 0, 0, 1)))
        .hasMessageStartingWith("bytes left: 1 ");
  }
}
