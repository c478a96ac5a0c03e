package io.penstock.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Where the process begins. Most starts are those of a server, which is asked for at once. */
public final class Start {
  private Start() {}

  /** Runs the program and ends the process with its exit status. */
  public static void main(String... arguments) {
    // A JVM with a POSIX locale would print question marks for every bar.
    PrintWriter out = utf8(FileDescriptor.out);
    PrintWriter err = utf8(FileDescriptor.err);
    Flags flags = Flags.plain(arguments);
    int status = run(flags, arguments, out, err);
    out.flush();
    err.flush();
    System.exit(status);
  }

  /** Whatever fails is told: threads of a server that has not started would keep the process. */
  private static int run(
      @Nullable Flags flags, String[] arguments, PrintWriter out, PrintWriter err) {
    try {
      return flags == null
          ? Penstock.commandLine(out, err).execute(arguments)
          : Serving.run(flags, out);
    } catch (Throwable e) {
      return Failure.tell(e, err);
    }
  }

  private static PrintWriter utf8(FileDescriptor descriptor) {
    return new PrintWriter(
        new OutputStreamWriter(new FileOutputStream(descriptor), StandardCharsets.UTF_8));
  }
}
