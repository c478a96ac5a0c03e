package io.penstock.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Keeps the entries of a log as they come. Thread-safe. */
final class Noted implements Replicated {
  final List<String> entries = new CopyOnWriteArrayList<>();

  @Override
  public byte[] apply(long term, long index, ByteBuffer entry) {
    if (entry.hasRemaining()) {
      entries.add(UTF_8.decode(entry).toString());
    }
    return new byte[0];
  }

  @Override
  public void leads(long term) {}

  @Override
  public void follows() {}

  @Override
  public void received(ByteBuffer entry) {}

  @Override
  public @Nullable Saving saving(long index) {
    return null;
  }

  @Override
  public void clear() {
    entries.clear();
  }

  @Override
  public void read(Path file) {}
}
