#pragma once

namespace aplomb {

/// From now on Ctrl-C (SIGINT) and SIGTERM are requests: long work stops at its next `check_interrupt()`, unwinds and
/// leaves no partial output. A second signal ends the process at once. A signal that the parent set to be ignored
/// (nohup) stays ignored.
void catch_interrupts();

/// For programs with a SIGINT handler of their own, e.g. Python's: while an InterruptScope lives, Ctrl-C is a request
/// as after catch_interrupts(), however often it is pressed. The last one to end puts the previous handler back and
/// withdraws the request. To be used in one thread, the one that the program's handler belongs to.
class InterruptScope {
 public:
  InterruptScope();
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;
};

bool is_interrupted() noexcept;  ///< whether a signal asked to stop; costs one atomic load

void check_interrupt();  ///< throws Interrupted when a signal asked to stop

}  // namespace aplomb
