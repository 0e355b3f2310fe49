#pragma once

namespace aplomb {

/// From now on Ctrl-C (SIGINT) and SIGTERM are requests: long work stops at its next `check_interrupt()`, unwinds and
/// leaves no partial output. A second signal ends the process at once. A signal that the parent set to be ignored
/// (nohup) stays ignored.
void catch_interrupts();

bool is_interrupted() noexcept;  ///< whether a signal asked to stop; costs one atomic load

void check_interrupt();  ///< throws Interrupted when a signal asked to stop

}  // namespace aplomb
