/** The commands that ask a server, over HTTP. */
@NullMarked
package io.penstock.cli.remote;

import org.jspecify.annotations.NullMarked;
