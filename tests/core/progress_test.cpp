#include "aplomb/core/progress.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <regex>
#include <string>

#include "core/terminal.hpp"

namespace aplomb {
namespace {

using test::ProgressOnATerminal;
using test::Terminal;

/// Updates as fast as it can from 0 to `end` (of 1); gives the time that it took.
double run(Progress& progress, Terminal& terminal, double end, double seconds) {
  const auto start = std::chrono::steady_clock::now();
  double elapsed = 0.0;
  while (elapsed < seconds) {
    elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    progress.update(end * std::min(1.0, elapsed / seconds));
    terminal.text();  // a full terminal would block the writer
  }
  return elapsed;
}

TEST_F(ProgressOnATerminal, EstimatesNothingFromTheFirstHundredth) {
  Terminal terminal;
  Progress progress("stand_sarcos", 1.0, terminal.descriptor());
  run(progress, terminal, 0.01, 0.25);
  EXPECT_TRUE(std::regex_search(terminal.text(), std::regex("elapsed, \\? left"))) << terminal.text();
  EXPECT_FALSE(std::regex_search(terminal.text(), std::regex("[0-9] left")));
}

TEST_F(ProgressOnATerminal, ShowsLabelPercentAndTimesAndLeavesACleanLine) {
  Terminal terminal;
  {
    Progress progress("stand_sarcos", 1.0, terminal.descriptor());
    run(progress, terminal, 0.5, 0.25);
  }
  const std::string text = terminal.text();
  EXPECT_NE(text.find("stand_sarcos  [####"), std::string::npos) << text;
  EXPECT_TRUE(std::regex_search(text, std::regex(" %  0:0[0-9] elapsed, 0:0[0-9] left"))) << text;
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_TRUE(text.ends_with("\r\x1b[K")) << text;
}

TEST_F(ProgressOnATerminal, IsDrawnAtMostTenTimesASecond) {
  Terminal terminal;
  Progress progress("run", 1.0, terminal.descriptor());
  const double elapsed = run(progress, terminal, 1.0, 0.45);
  const std::string text = terminal.text();
  const auto drawn = std::ranges::count(text, '%');
  EXPECT_GE(drawn, 1);
  EXPECT_LE(static_cast<double>(drawn), elapsed / 0.1);
}

TEST_F(ProgressOnATerminal, NeverWrapsOnANarrowTerminal) {
  for (const int columns : {20, 40, 60}) {
    Terminal terminal(columns);
    Progress progress("a_scenario_with_a_long_name", 1.0, terminal.descriptor());
    run(progress, terminal, 1.0, 0.15);
    const std::string text = terminal.text();
    const std::size_t last_drawing = text.rfind("\r\x1b[K");
    ASSERT_NE(last_drawing, std::string::npos);
    EXPECT_LT(static_cast<int>(text.size() - last_drawing) - 4, columns) << text;
  }
}

TEST_F(ProgressOnATerminal, SaysNothingInAPipeOrOnADumbTerminal) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_NONBLOCK), 0);
  Terminal terminal;
  ::setenv("TERM", "dumb", 1);
  {
    Progress piped("run", 1.0, ends[1]);
    Progress dumb("run", 1.0, terminal.descriptor());
    run(piped, terminal, 1.0, 0.15);
    run(dumb, terminal, 1.0, 0.15);
  }
  char byte = 0;
  EXPECT_EQ(::read(ends[0], &byte, 1), -1);
  EXPECT_EQ(terminal.text(), "");
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_F(ProgressOnATerminal, WorkOfUnknownLengthShowsItsTimeAndGuessesNothing) {
  Terminal terminal;
  Progress progress("plan", 1.0, terminal.descriptor());
  run(progress, terminal, NAN, 0.25);
  EXPECT_TRUE(std::regex_search(terminal.text(), std::regex("plan  0:0[0-9] elapsed"))) << terminal.text();
  EXPECT_EQ(terminal.text().find("left"), std::string::npos);
  EXPECT_EQ(terminal.text().find('%'), std::string::npos);
}

TEST_F(ProgressOnATerminal, ANonsenseTotalIsDrawnAsZero) {
  Terminal terminal;
  Progress progress("run", 0.0, terminal.descriptor());
  run(progress, terminal, 1.0, 0.15);
  EXPECT_NE(terminal.text().find("  0 %"), std::string::npos);
}

}  // namespace
}  // namespace aplomb
