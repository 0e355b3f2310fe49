#include "run/live_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <span>
#include <thread>
#include <vector>

#include "aplomb/core/interrupt.hpp"
#include "aplomb/present/scene/rise_scene.hpp"
#include "aplomb/present/scene/run_scene.hpp"
#include "verbs.hpp"

namespace aplomb {
namespace {

constexpr double kRate = 50.0;               // instants of the page a second
constexpr std::size_t kMostInstants = 3000;  // of the page: longer runs have fewer a second
constexpr double kWaitForReader = 60.0;      // [s]

double now_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Waits, and throws Interrupted on Ctrl-C.
template <typename IsOver>
void wait_until(const IsOver& is_over) {
  for (check_interrupt(); !is_over(); check_interrupt()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

std::span<const double> row_of(const Log& log, std::size_t row) {
  return log.values().subspan(row * log.columns().size(), log.columns().size());
}

}  // namespace

void LiveRun::open(const Log& log) {
  const std::size_t time = log.index("time_s");
  const double start_s = log.at(0, time), period_s = log.at(1, time) - start_s;
  const double left_s = std::max(0.0, setup_.duration_s - start_s);
  stride_ = static_cast<std::size_t>(std::max(
      {1.0, std::floor(1.0 / (kRate * period_s) + 1e-6), std::ceil(left_s / (period_s * double(kMostInstants)))}));
  // Every instant of the page, with the values of the first one: the page fills in the rest as it comes.
  RunResult blank{.result = {.verb = "run", .scenario = scenario_.name}, .log = Log(log.columns()), .setup = setup_};
  std::vector<double> row(row_of(log, 0).begin(), row_of(log, 0).end());
  const double step_s = period_s * static_cast<double>(stride_);
  for (std::size_t i = 0; static_cast<double>(i) * step_s <= left_s + 1e-9; ++i) {
    row[time] = start_s + static_cast<double>(i) * step_s;
    blank.log.append(row);
  }
  ReportPage page{.title = scenario_.name, .about = scenario_.about, .scenario_text = scenario_.text};
  const bool has_person = rise_ && rise_->trial && rise_->retargeted;
  page.scene = has_person ? make_rise_scene(blank, *rise_->trial, *rise_->retargeted) : make_run_scene(blank);
  page.scene->phases.clear();  // they are known when the run is over
  server_.emplace(blank.result, blank.log, page);
  tell(fmt::format(
      "live: {}\nOpen this address in a browser; the run begins then, or after {:.0f} s. Ctrl-C stops it.\n",
      server_->address(), kWaitForReader));
  const double begin_s = now_s();
  wait_until([&] { return server_->is_watched() || now_s() - begin_s > kWaitForReader; });
  wall_start_s_ = now_s();
}

void LiveRun::follow(const Log& log) {
  if (log.num_rows() < 2) return;
  if (!server_) open(log);
  Log fresh(log.columns());
  for (; num_rows_ < log.num_rows(); ++num_rows_) {
    if (is_due(num_rows_)) fresh.append(row_of(log, num_rows_));
  }
  if (fresh.num_rows() == 0) return;
  server_->add(fresh);
  const std::size_t time = log.index("time_s");
  const double simulated_s = log.at(log.num_rows() - 1, time) - log.at(0, time);
  wait_until([&] { return now_s() - wall_start_s_ >= simulated_s; });
}

void LiveRun::finish(const RunResult& run, const ReportPage& page) {
  if (server_) server_->finish(run.result, run.log, page, is_interrupted);
}

}  // namespace aplomb
