package io.penstock.server.policy;

import static java.util.stream.Collectors.joining;

import io.penstock.server.FileTrouble;
import io.penstock.server.policy.ratelimit.RatelimitYaml;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The file that policies are written in, read again when it changes. Thread-safe.
 *
 * <p>Documents that come from it cannot be changed otherwise, and go when the file no longer holds
 * them. A configuration of envoyproxy/ratelimit is read too. A file with a mistake changes nothing.
 * A change counts when the file is found the same twice in a row, so that one that is still being
 * written is not taken for the whole.
 */
public final class PolicyFile {
  private static final System.Logger LOG = System.getLogger(PolicyFile.class.getName());
  private static final long EVERY_MILLIS = 100;
  private static final int NAMED_MAX = 10;
  private static final String NONE = "";

  /** Some editors begin every file with it. */
  private static final String BYTE_ORDER = "\uFEFF";

  /** Reading usually takes less: what takes longer is told. */
  private static final Duration LONG = Duration.ofSeconds(2);

  /** For comments and texts the parser takes time by the square of their length. */
  private static final int LINE_CHARS_MAX = 1 << 20;

  /** What tells that a file may have changed, through links too. Immutable. */
  private record Stamp(FileTime modified, long size, String file) {}

  private final Path file;
  private final PolicyStore store;
  private final InstantSource clock;
  private @Nullable Stamp stamp;
  private String seen = NONE;
  private String tried = NONE;
  private boolean settled;
  private @Nullable String unreadable;
  private @Nullable String mistake;
  private volatile @Nullable String trouble;
  private volatile @Nullable Instant readSince;

  /** Everything that is wrong with the text of a file, on its own; nothing if it is valid. */
  public static List<Problem> problems(String yaml) {
    try {
      return read(yaml).problems();
    } catch (InvalidPolicyException invalid) {
      return invalid.problems();
    }
  }

  /**
   * What the text of a file says.
   *
   * @throws InvalidPolicyException if it is no file of documents at all
   */
  public static FileText read(String yaml) {
    return read(yaml, note -> {});
  }

  /** From now on only this file changes the documents that come from it. */
  public PolicyFile(Path file, PolicyStore store, InstantSource clock) {
    this.file = file;
    this.store = store;
    this.clock = clock;
    store.reserveForFile(file);
  }

  /** Reads the file, and from now on whenever it changes. */
  public void start(ScheduledExecutorService timer) {
    load();
    var unused =
        timer.scheduleWithFixedDelay(
            this::check, EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** What is wrong with the file, without its path; null if it is in force as it is. */
  public @Nullable String trouble() {
    return trouble;
  }

  /** That the file is being read, if it takes long; null otherwise. */
  public @Nullable String progress() {
    Instant since = readSince;
    return since == null || clock.instant().isBefore(since.plus(LONG))
        ? null
        : "being read since " + since.truncatedTo(ChronoUnit.SECONDS);
  }

  /** Reads the file and puts it in force, unless it is still the same. */
  synchronized void load() {
    check();
    check();
  }

  /** Looks whether the file has changed; what is found twice is put in force. */
  synchronized void check() {
    Exception cause = null;
    try {
      Stamp now = stampOf(file);
      if (!settled || !now.equals(stamp)) {
        stamp = now;
        readSince = clock.instant();
        look();
      }
      unreadable = null;
    } catch (IOException | RuntimeException e) {
      settled = false;
      seen = NONE;
      unreadable = reason(e);
      cause = e;
    } finally {
      readSince = null;
    }
    tell(unreadable == null ? mistake : unreadable, cause);
  }

  private void look() throws IOException {
    byte[] bytes = read(file);
    String digest = digest(bytes);
    settled = digest.equals(seen);
    seen = digest;
    if (settled && !digest.equals(tried)) {
      try {
        apply(bytes);
        mistake = null;
      } catch (InvalidPolicyException e) {
        mistake = e.getMessage();
      }
      tried = digest;
    }
  }

  private void apply(byte[] bytes) {
    FileText text = read(text(bytes), this::note);
    List<Write> writes = store.load(text);
    LOG.log(
        System.Logger.Level.INFO,
        "{0}: {1} documents, {2} changed{3}{4}",
        file,
        String.valueOf(text.documents().size()),
        String.valueOf(writes.size()),
        named("; taken over from the API: ", writes, write -> write.takesOver),
        named("; deleted: ", writes, write -> write.document == null));
  }

  /** The first ones of these, and how many more there are. */
  private static String named(String what, List<Write> writes, Predicate<Write> which) {
    List<String> names = writes.stream().filter(which).map(Write::toString).toList();
    String first = names.stream().limit(NAMED_MAX).collect(joining(", "));
    int more = names.size() - NAMED_MAX;
    return names.isEmpty() ? "" : what + first + (more > 0 ? " and " + more + " more" : "");
  }

  private void note(String note) {
    LOG.log(System.Logger.Level.INFO, "{0}: {1}", file, note);
  }

  /** The documents of a file, ours or a configuration of envoyproxy/ratelimit. */
  private static FileText read(String marked, Consumer<String> notes) {
    String text = marked.startsWith(BYTE_ORDER) ? marked.substring(1) : marked;
    if (text.isBlank()) {
      throw new InvalidPolicyException(
          List.of(new Problem("file", "empty", "tiers: and policies:, or at least a comment")));
    }
    checkLines(text);
    if (!RatelimitYaml.isMeant(text)) {
      return PolicyYaml.read(text);
    }
    RatelimitYaml yaml = RatelimitYaml.read(text);
    yaml.notes().forEach(notes);
    List<FileDocument> documents = new ArrayList<>();
    yaml.documents()
        .forEach(
            (scope, json) ->
                documents.add(
                    new FileDocument(Kind.POLICY, scope, PolicyDocument.parse(Kind.POLICY, json))));
    return new FileText(documents, Set.of(), List.of());
  }

  private static void checkLines(String text) {
    int number = 1;
    int from = 0;
    while (from < text.length()) {
      int end = text.indexOf('\n', from);
      int length = (end < 0 ? text.length() : end) - from;
      if (length > LINE_CHARS_MAX) {
        String expected = "lines of at most " + LINE_CHARS_MAX;
        throw new InvalidPolicyException(
            List.of(new Problem("line " + number, length + " characters", expected)));
      }
      from += length + 1;
      number++;
    }
  }

  private void tell(@Nullable String now, @Nullable Exception cause) {
    if (now != null && !now.equals(trouble)) {
      Exception bug = cause instanceof IOException ? null : cause;
      LOG.log(System.Logger.Level.WARNING, file + ": changes nothing: " + now, bug);
    }
    trouble = now;
  }

  /** A failure of ours has no words for everybody. */
  private static String reason(Exception e) {
    if (e instanceof IOException io) {
      return "policy file: " + FileTrouble.of(io) + " (expected: one that can be read)";
    }
    return e instanceof StoreUnavailableException told
        ? String.valueOf(told.getMessage())
        : "policy file: this failed inside; the log says why";
  }

  private static Stamp stampOf(Path file) throws IOException {
    BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
    return new Stamp(now.lastModifiedTime(), now.size(), String.valueOf(now.fileKey()));
  }

  private static byte[] read(Path file) throws IOException {
    if (Files.size(file) > TreeReader.YAML_CHARS_MAX) {
      throw new FileSystemException(
          file.toString(),
          /* other= */ null,
          Files.size(file) + " bytes, more than " + TreeReader.YAML_CHARS_MAX);
    }
    return Files.readAllBytes(file);
  }

  private static String text(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new InvalidPolicyException(List.of(new Problem("file", "other bytes", "UTF-8 text")));
    }
  }

  private static String digest(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }
}
