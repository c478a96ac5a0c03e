package io.penstock.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of this program, from the file that Maven puts into the jar. */
final class Version implements IVersionProvider {
  private static final String FILE = "/META-INF/maven/io.penstock/penstock-cli/pom.properties";

  @Override
  public String[] getVersion() throws IOException {
    return new String[] {"penstock " + number()};
  }

  private static String number() throws IOException {
    try (InputStream file = Version.class.getResourceAsStream(FILE)) {
      if (file == null) {
        return "(not packaged)";
      }
      Properties properties = new Properties();
      properties.load(file);
      return properties.getProperty("version", "(unknown)");
    }
  }
}
