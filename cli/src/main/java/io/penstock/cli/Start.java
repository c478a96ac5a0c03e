package io.penstock.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** Where the process begins. Most starts are those of a server, which is asked for at once. */
public final class Start {
  private Start() {}

  /** Runs the program and ends the process with its exit status. */
  public static void main(String... arguments) {
    // A JVM with a POSIX locale would print question marks for every bar.
    PrintWriter out = utf8(FileDescriptor.out);
    PrintWriter err = utf8(FileDescriptor.err);
    Flags flags = Flags.plain(arguments);
    int status =
        flags == null ? Penstock.commandLine(out, err).execute(arguments) : serve(flags, out, err);
    out.flush();
    err.flush();
    System.exit(status);
  }

  private static int serve(Flags flags, PrintWriter out, PrintWriter err) {
    try {
      return Serving.run(flags, out);
    } catch (IOException | InterruptedException | RuntimeException e) {
      return Failure.tell(e, err);
    }
  }

  private static PrintWriter utf8(FileDescriptor descriptor) {
    return new PrintWriter(
        new OutputStreamWriter(new FileOutputStream(descriptor), StandardCharsets.UTF_8));
  }
}
