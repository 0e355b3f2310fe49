#include "aplomb/core/math/zero_phase.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <numbers>
#include <random>
#include <tuple>

#include "aplomb/core/error.hpp"
#include "support/temporary_folder.hpp"

namespace aplomb {
namespace {

Eigen::MatrixXd sine(double frequency_hz, double rate_hz, Eigen::Index count) {
  Eigen::MatrixXd signal(1, count);
  for (Eigen::Index i = 0; i < count; ++i) {
    signal(0, i) = std::sin(2.0 * std::numbers::pi * frequency_hz * static_cast<double>(i) / rate_hz);
  }
  return signal;
}

Eigen::MatrixXd noise(Eigen::Index count) {
  Eigen::MatrixXd signal(1, count);
  std::mt19937 engine(1);
  for (Eigen::Index i = 0; i < count; ++i) signal(0, i) = static_cast<double>(engine()) / 4294967296.0 - 0.5;
  return signal;
}

TEST(ZeroPhaseFilter, HalvesThePowerAtItsCutOffWithoutDelay) {
  for (const double cutoff : {1.0, 4.0, 6.0, 20.0}) {
    const Eigen::MatrixXd input = sine(cutoff, 100.0, 2000);
    const Eigen::MatrixXd output = ZeroPhaseFilter(cutoff, 100.0).filtered(input);
    // Away from the ends the output is the input times 1/√2: any delay would show as a difference.
    const Eigen::MatrixXd error = output - input / std::numbers::sqrt2;
    EXPECT_LT(error.middleCols(500, 1000).cwiseAbs().maxCoeff(), 1e-6) << cutoff;
  }
}

TEST(ZeroPhaseFilter, HasTheGainOfTwoPassesOfAButterworthFilter) {
  // |H|² of one pass on the warped axis, with the corrected cut-off: both passes give 1 / (1 + (w / wc)⁴).
  const double cutoff = 5.0, rate = 100.0;
  for (const double frequency : {0.5, 2.0, 8.0, 15.0}) {
    const Eigen::MatrixXd output = ZeroPhaseFilter(cutoff, rate).filtered(sine(frequency, rate, 4000));
    const double ratio = std::tan(std::numbers::pi * frequency / rate) / std::tan(std::numbers::pi * cutoff / rate);
    const double gain = 1.0 / (1.0 + (std::numbers::sqrt2 - 1.0) * std::pow(ratio, 4));
    const double rms = output.middleCols(1000, 2000).norm() / std::sqrt(2000.0);
    EXPECT_NEAR(rms, gain / std::numbers::sqrt2, 2e-4) << frequency;
  }
}

TEST(ZeroPhaseFilter, KeepsConstantsAndStraightLines) {
  Eigen::MatrixXd lines(2, 150);
  for (Eigen::Index i = 0; i < 150; ++i) lines.col(i) << 3.0, 0.5 * static_cast<double>(i) - 7.0;
  const Eigen::MatrixXd output = ZeroPhaseFilter(4.0, 100.0).filtered(lines);
  EXPECT_LT((output.row(0) - lines.row(0)).cwiseAbs().maxCoeff(), 1e-12);
  // A line goes on as a line beyond its ends; what is left is the start of the first pass, 1.5 periods away.
  EXPECT_LT((output.row(1) - lines.row(1)).cwiseAbs().maxCoeff(), 0.01);
}

TEST(ZeroPhaseFilter, IsTheSameBackwards) {
  const Eigen::MatrixXd input = noise(300);
  const ZeroPhaseFilter filter(6.0, 100.0);
  const Eigen::MatrixXd forwards = filter.filtered(input);
  const Eigen::MatrixXd backwards = filter.filtered(input.rowwise().reverse()).rowwise().reverse();
  // Not to the last bit: the ends' states are chosen for one direction.
  EXPECT_LT((forwards - backwards).middleCols(75, 150).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(ZeroPhaseFilter, TakesAnyLengthAndRefusesImpossibleCutOffs) {
  for (const Eigen::Index count : {0, 1, 2, 3, 10}) {
    const Eigen::MatrixXd output = ZeroPhaseFilter(4.0, 100.0).filtered(Eigen::MatrixXd::Constant(2, count, 1.5));
    EXPECT_EQ(output.cols(), count);
    EXPECT_TRUE(output.size() == 0 || (output.array() - 1.5).abs().maxCoeff() < 1e-12);
  }
  EXPECT_THROW(ZeroPhaseFilter(50.0, 100.0), InvalidValue);
  EXPECT_THROW(ZeroPhaseFilter(0.0, 100.0), InvalidValue);
  EXPECT_THROW(ZeroPhaseFilter(std::nan(""), 100.0), InvalidValue);
}

constexpr const char* kScript = R"(
import sys
try:
    import numpy as np, scipy.signal
except ImportError as missing:
    print('NOT COMPARED with scipy:', missing)
    sys.exit(77)
for line in open(sys.argv[1]):
    cutoff, rate, padding, *rest = map(float, line.split())
    x, y = np.array(rest).reshape(2, -1)
    # scipy takes the cut-off of one pass, which is corrected on the warped axis.
    corrected = np.arctan(np.tan(np.pi * cutoff / rate) / (np.sqrt(2) - 1) ** 0.25) / np.pi * rate
    b, a = scipy.signal.butter(2, corrected, fs=rate)
    error = np.abs(scipy.signal.filtfilt(b, a, x, padtype='odd', padlen=int(padding)) - y).max()
    if not error < 1e-11: sys.exit(f'{error} at {cutoff} Hz of {rate} Hz')
)";

TEST(ZeroPhaseFilter, IsScipysFiltfilt) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "check.py") << kScript;
  std::ofstream file(folder.path() / "signals.txt");
  for (const auto& [cutoff, rate, count] : {std::tuple(4.0, 100.0, 300), {6.0, 1000.0, 900}, {20.0, 50.0, 7}}) {
    const ZeroPhaseFilter filter(cutoff, rate);
    const Eigen::MatrixXd input = noise(count);
    const Eigen::MatrixXd output = filter.filtered(input);
    file << fmt::format("{} {} {}", cutoff, rate, filter.padding(count));
    for (const Eigen::MatrixXd& row : {input, output}) {
      for (Eigen::Index i = 0; i < count; ++i) file << fmt::format(" {}", row(0, i));
    }
    file << '\n';
  }
  file.close();
  const std::string python = APLOMB_PYTHON;
  const int status = std::system(
      fmt::format("{} {} {}", python, (folder.path() / "check.py").string(), (folder.path() / "signals.txt").string())
          .c_str());
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "scipy is not installed";
  EXPECT_EQ(status, 0);
}

TEST(CentralDifference, IsExactForPolynomialsOfTheFourthDegree) {
  Eigen::MatrixXd signal(1, 40), slope(1, 40);
  for (Eigen::Index i = 0; i < 40; ++i) {
    const double t = static_cast<double>(i) / 10.0;
    signal(0, i) = t * t * t * t - 2.0 * t * t + t;
    slope(0, i) = 4.0 * t * t * t - 4.0 * t + 1.0;
  }
  const Eigen::MatrixXd found = central_difference(signal, 10.0);
  EXPECT_LT((found - slope).middleCols(2, 36).cwiseAbs().maxCoeff(), 1e-10);
  // Three samples at an end: error h² / 3 of the third derivative, 24 t.
  EXPECT_LT((found - slope).cwiseAbs().maxCoeff(), 0.35);
}

}  // namespace
}  // namespace aplomb
