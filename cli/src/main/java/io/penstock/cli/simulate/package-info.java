/** Traffic against limits in virtual time: what each algorithm lets through, and when. */
@NullMarked
package io.penstock.cli.simulate;

import org.jspecify.annotations.NullMarked;
