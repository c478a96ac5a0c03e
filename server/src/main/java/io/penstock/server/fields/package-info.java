/** The header fields that tell a client about its limits, whatever carries them. */
@NullMarked
package io.penstock.server.fields;

import org.jspecify.annotations.NullMarked;
