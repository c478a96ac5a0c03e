package io.penstock.cli.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/** The time by which servers decide that were started with this file as their clock. */
final class SteppedTime {
  private static final VarHandle NANOS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final Path file;
  private final ByteBuffer mapped;

  SteppedTime(Path file, long nanos) {
    this.file = file;
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      this.mapped = channel.map(MapMode.READ_WRITE, /* position= */ 0, Long.BYTES);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    stepTo(nanos);
  }

  /** Lets servers that are not started yet decide by it. */
  void rule(Nodes nodes, int count) {
    for (int node = 0; node < count; node++) {
      nodes.environment(node, Map.of("PENSTOCK_CLOCK", file.toString()));
    }
  }

  void stepTo(long nanos) {
    NANOS.setVolatile(mapped, 0, nanos);
  }
}
