#include "aplomb/link/realtime.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <ctime>

namespace aplomb {
namespace {

constexpr int kPriority =
    40;  // of SCHED_FIFO's 1 to 99: above other processes, below the kernel's interrupt threads (50)

}  // namespace

std::vector<std::string> prepare_realtime() {
  std::vector<std::string> notes;
  if (::mlockall(MCL_CURRENT | MCL_FUTURE) != 0) {
    notes.push_back(
        fmt::format("memory is not locked ({}): a page fault may cost a deadline; `ulimit -l unlimited` or "
                    "CAP_IPC_LOCK permits it",
                    std::strerror(errno)));
  }
  sched_param parameters{};
  parameters.sched_priority = kPriority;
  if (::sched_setscheduler(0, SCHED_FIFO, &parameters) != 0) {
    notes.push_back(
        fmt::format("no real-time priority ({}): other processes may cost a deadline; CAP_SYS_NICE or an "
                    "rtprio limit permits it",
                    std::strerror(errno)));
  }
  return notes;
}

TickClock::TickClock(double period_s) : period_s_(period_s), next_s_(now_s()) {}

double TickClock::now_s() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double TickClock::wait() {
  timespec until{};
  until.tv_sec = static_cast<std::time_t>(next_s_);
  until.tv_nsec = static_cast<long>(1e9 * (next_s_ - std::floor(next_s_)));
  while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
  }
  const double late = now_s() - next_s_;
  next_s_ = late > period_s_ ? next_s_ + late + period_s_ : next_s_ + period_s_;
  return late;
}

}  // namespace aplomb
