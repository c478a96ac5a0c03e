/** What an operator can set, from flags, environment and a file. */
@NullMarked
package io.penstock.server.config;

import org.jspecify.annotations.NullMarked;
