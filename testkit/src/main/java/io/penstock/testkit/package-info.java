/** What a limiter is tested with: a clock moved by hand, the contract, the golden vectors. */
@NullMarked
package io.penstock.testkit;

import org.jspecify.annotations.NullMarked;
