/** Policy documents, where they are kept, and the files they are read from. */
@NullMarked
package io.penstock.server.policy;

import org.jspecify.annotations.NullMarked;
