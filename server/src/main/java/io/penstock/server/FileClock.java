package io.penstock.server;

import io.penstock.core.Clock;
import io.penstock.server.config.InvalidConfigException;
import io.penstock.server.config.Setting;
import io.penstock.server.policy.Problem;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The time as a file holds it, so that a test steps the time of all nodes at once: a long of
 * nanoseconds since the Unix epoch, little endian. Never runs backwards. Thread-safe.
 */
final class FileClock implements Clock {
  private static final VarHandle NANOS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final ByteBuffer file;
  private final AtomicLong latest = new AtomicLong();

  private FileClock(ByteBuffer file) {
    this.file = file;
  }

  /** The clock that a file holds, which is read with every use. */
  static FileClock of(Path path) {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      if (channel.size() < Long.BYTES) {
        throw bad(path, "a file of 8 bytes");
      }
      return new FileClock(channel.map(MapMode.READ_ONLY, /* position= */ 0, Long.BYTES));
    } catch (IOException e) {
      throw bad(path, "a file that can be read: " + e);
    }
  }

  private static InvalidConfigException bad(Path path, String expected) {
    return new InvalidConfigException(
        List.of(new Problem(Setting.CLOCK.key(), path.toString(), expected)));
  }

  @Override
  public long nanos() {
    return latest.accumulateAndGet((long) NANOS.getVolatile(file, 0), Math::max);
  }
}
