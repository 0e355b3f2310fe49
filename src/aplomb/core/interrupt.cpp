#include "aplomb/core/interrupt.hpp"

#include <signal.h>

#include <atomic>

#include "aplomb/core/error.hpp"

namespace aplomb {
namespace {

std::atomic<bool> asked_to_stop{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may not take a lock");

extern "C" void on_signal(int signal_number) {
  if (!asked_to_stop.exchange(true)) return;
  // The second signal takes the default action, as soon as this handler returns.
  ::signal(signal_number, SIG_DFL);
  ::raise(signal_number);
}

extern "C" void on_request(int) { asked_to_stop.store(true); }

int num_scopes = 0;
struct sigaction before_scopes {};

/// Handles a signal from now on, unless the parent set it to be ignored; returns what was there before.
struct sigaction handle(int signal_number, void (*handler)(int)) {
  struct sigaction previous {};
  ::sigaction(signal_number, nullptr, &previous);
  if (previous.sa_handler == SIG_IGN) return previous;
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;  // an interrupted write is resumed
  ::sigemptyset(&action.sa_mask);
  ::sigaction(signal_number, &action, nullptr);
  return previous;
}

}  // namespace

void catch_interrupts() {
  for (const int signal_number : {SIGINT, SIGTERM}) handle(signal_number, on_signal);
}

InterruptScope::InterruptScope() {
  if (num_scopes++ == 0) before_scopes = handle(SIGINT, on_request);
}

InterruptScope::~InterruptScope() {
  if (--num_scopes > 0) return;
  ::sigaction(SIGINT, &before_scopes, nullptr);
  asked_to_stop.store(false);
}

bool is_interrupted() noexcept { return asked_to_stop.load(std::memory_order_relaxed); }

void check_interrupt() {
  if (is_interrupted()) throw Interrupted();
}

}  // namespace aplomb
