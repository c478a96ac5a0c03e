/** The Redis protocol: commands come in as bytes, answers leave in order. */
@NullMarked
package io.penstock.server.resp;

import org.jspecify.annotations.NullMarked;
