/** What the server tells its operators: health, metrics, traces and logs. */
@NullMarked
package io.penstock.server.ops;

import org.jspecify.annotations.NullMarked;
