package io.penstock.server.policy;

import io.penstock.server.FileTrouble;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * The documents cannot be read or written now; what was asked has not been done, unless the message
 * says that this is not known. It is for everybody, so it tells no path and nothing of the library;
 * the cause is for the log.
 */
public final class StoreUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * A failure of the disk, or of us.
   *
   * @param subject what is not to be had: the file, as long as only who starts the server reads it
   */
  StoreUnavailableException(Object subject, Exception cause) {
    super(subject + ": " + reason(cause) + " (expected: a disk that can be written)", cause);
  }

  /** Too many writes wait for one another. */
  StoreUnavailableException(int waiting) {
    super("policies: " + waiting + " writes wait (expected: fewer; try again)");
  }

  private StoreUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** The cluster has not said what became of a write, which may be carried out all the same. */
  public static StoreUnavailableException unanswered(@Nullable Throwable cause) {
    return new StoreUnavailableException(
        "policies: no answer of the cluster; it may be written or not"
            + " (expected: a majority of its nodes; read before you write again)",
        cause);
  }

  /** The cluster has not said which policies are the newest: those of this node may be older. */
  public static StoreUnavailableException unread(Throwable cause) {
    return new StoreUnavailableException(
        "policies: not read, since no answer of the cluster says which are the newest"
            + " (expected: a majority of its nodes; try again)",
        cause);
  }

  private static String reason(Exception cause) {
    if (cause instanceof IOException io) {
      return FileTrouble.of(io);
    }
    return cause instanceof SQLiteException known
        ? reason(known.getResultCode())
        : "this failed inside; the log says why";
  }

  private static String reason(SQLiteErrorCode code) {
    if (code == SQLiteErrorCode.SQLITE_READONLY_DBMOVED) {
      return "the data folder is not where it was";
    }
    // Of SQLITE_IOERR_WRITE the second word says what kind of failure it is.
    String[] words = code.name().split("_", 3);
    return switch (words.length < 2 ? "" : words[1]) {
      case "FULL" -> "the disk is full";
      case "READONLY", "CANTOPEN", "PERM", "AUTH" -> "no permission, or read-only";
      case "BUSY", "LOCKED" -> "in use by another process";
      case "CORRUPT", "NOTADB" -> "damaged";
      case "IOERR" -> "the disk fails";
      default -> "this failed inside; the log says why";
    };
  }
}
