package io.penstock.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Who this node is, on disk: its name, its incarnation, and the cluster it belongs to (R24).
 * Immutable.
 *
 * @param membership null as long as it knows of none; one without this node if it waits to be let
 *     in, or has to stay out
 * @param isJoined whether it was in once: if its groups are gone then, it has forgotten
 */
record Identity(
    String name, String incarnation, @Nullable Membership membership, boolean isJoined) {
  static final String FILE = "node.txt";

  static final int FORMAT = 2;

  /** Of a cluster that has grown: what reads only the other must not start (R19). */
  static final int GROWN = 3;

  private static final String HEAD = "penstock-node ";
  private static final String NONE = "none";

  /** Reads what the folder says, or makes a new one. */
  static Identity open(Path folder, String name) throws IOException {
    Path file = folder.resolve(FILE);
    if (!Files.exists(file)) {
      String incarnation = Long.toHexString(new SecureRandom().nextLong());
      Identity fresh = new Identity(name, incarnation, /* membership= */ null, false);
      fresh.write(folder);
      return fresh;
    }
    Identity found = read(file);
    if (!found.name.equals(name)) {
      throw new IllegalArgumentException(
          "node: " + name + " (expected: " + found.name + ", whose data is in " + folder + ")");
    }
    return found;
  }

  private static Identity read(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file, UTF_8);
    int last = lines.size() - 1;
    if (last < 1
        || !lines.get(0).startsWith(HEAD)
        || !lines.get(last).equals(sum(lines.subList(0, last)))) {
      throw new IOException(
          file + ": damaged (expected: a whole one; remove the folder to join as a new node)");
    }
    Format format = new Format(file.toString(), FORMAT);
    String number = lines.get(0).substring(HEAD.length());
    if (!format.isNumber(number) && !number.equals(String.valueOf(GROWN))) {
      throw new IOException(format.refusal(number));
    }
    String members = lines.get(3);
    return new Identity(
        lines.get(1),
        lines.get(2),
        members.equals(NONE) ? null : Membership.parse(members),
        Boolean.parseBoolean(lines.get(4)));
  }

  /** The member that this node is, at its address. */
  Member member(Peer self) {
    return new Member(self, incarnation);
  }

  /** The cluster that it belongs to; throws if that is none. */
  Membership known() {
    Membership of = membership;
    if (of == null) {
      throw new IllegalStateException("cluster: none yet (expected: joined)");
    }
    return of;
  }

  /** Whether it was in the cluster and is no more. */
  boolean isRemoved() {
    Membership of = membership;
    return isJoined && of != null && !of.has(Member.id(name, incarnation));
  }

  /** What is told of a node that was removed. */
  String removal() {
    Membership of = membership;
    return "node %s: removed from cluster %s (expected: an empty data folder, to be added again)"
        .formatted(name, of == null ? "" : of.cluster());
  }

  Identity of(Membership joining) {
    return new Identity(name, incarnation, joining, /* isJoined= */ false);
  }

  Identity joined(Membership now) {
    return new Identity(name, incarnation, now, /* isJoined= */ true);
  }

  /** Writes it, whole or not at all, and returns when it is on disk. */
  void write(Path folder) throws IOException {
    Membership of = membership;
    List<String> lines =
        List.of(
            HEAD + (of != null && of.isGrown() ? GROWN : FORMAT),
            name,
            incarnation,
            of == null ? NONE : of.toString(),
            Boolean.toString(isJoined));
    Path draft = folder.resolve(FILE + ".new");
    String text = String.join("\n", lines) + "\n" + sum(lines) + "\n";
    Files.writeString(draft, text, UTF_8);
    sync(draft, StandardOpenOption.WRITE);
    Files.move(
        draft,
        folder.resolve(FILE),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    sync(folder, StandardOpenOption.READ);
  }

  private static void sync(Path path, StandardOpenOption option) throws IOException {
    try (FileChannel channel = FileChannel.open(path, option)) {
      channel.force(/* metaData= */ true);
    }
  }

  private static String sum(List<String> lines) {
    CRC32C crc = new CRC32C();
    crc.update(String.join("\n", lines).getBytes(UTF_8));
    return Long.toHexString(crc.getValue());
  }
}
