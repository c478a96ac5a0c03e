package io.penstock.server.http;

import java.util.List;

/** The page a browser finds: links, and a form that asks for a decision. Immutable. */
final class PageRoutes {
  private final Asset page = Asset.read("page.html", "text/html; charset=utf-8");
  private final Asset script = Asset.read("page.js", "text/javascript; charset=utf-8");
  private final Asset style = Asset.read("page.css", "text/css; charset=utf-8");

  List<Route> routes() {
    return List.of(
        Route.open("GET", "/", page::send),
        Route.open("GET", "/page.js", script::send),
        Route.open("GET", "/page.css", style::send));
  }
}
