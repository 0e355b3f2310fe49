#include "aplomb/human/phases/rise_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "aplomb/human/centroidal_motion.hpp"

namespace aplomb {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kBefore = 1.0;    ///< [s] before seat-off, in which the trunk swings forward
constexpr double kUpright = 0.95;  ///< fraction of the CoM's way up
constexpr double kMoves = 0.1;     ///< fraction of the CoM's largest forward speed from which a rise has begun
constexpr const char* kJoints[] = {"hip_flexion", "knee_flexion", "ankle_dorsiflexion"};
constexpr const char* kSides[] = {"left", "right"};

std::vector<std::string> columns() {
  std::vector<std::string> names{"rise",
                                 "start_s",
                                 "seat_off_s",
                                 "upright_s",
                                 "sitting_down_s",
                                 "seat_on_s",
                                 "leaning_time_s",
                                 "rising_time_s",
                                 "sitting_down_time_s",
                                 "com_speed_forward_peak_m_per_s",
                                 "com_speed_up_peak_m_per_s",
                                 "com_speed_down_peak_m_per_s",
                                 "left_force_ratio",
                                 "seat_share_peak_ratio"};
  for (const char* side : kSides) {
    for (const char* joint : kJoints) {
      names.push_back(fmt::format("{}_{}_moment_peak_nm_per_kg", side, joint));
      names.push_back(fmt::format("{}_{}_power_peak_w_per_kg", side, joint));
    }
  }
  return names;
}

/// Figures of one rise.
class RiseFigures {
 public:
  /// `seated_s`: since when the person sits, or the recording's begin.
  RiseFigures(const TrialAnalysis& analysis, const SmoothMotion& motion, const Rise& rise, double seated_s)
      : analysis_(analysis), body_(analysis.judgement.body), motion_(motion), rise_(rise), seated_s_(seated_s) {
    const Eigen::Index last = body_.num_frames() - 1;
    up_ = {std::clamp<Eigen::Index>(rise.up.first, 0, last), std::clamp<Eigen::Index>(rise.up.last, 0, last)};
    before_ = std::max<Eigen::Index>(0, up_.first - static_cast<Eigen::Index>(std::lround(kBefore * body_.rate_hz)));
    find_upright();
  }

  std::vector<double> row(std::size_t number) const {
    const double off = rise_.seat_off_s.value_or(kNone), on = rise_.seat_on_s.value_or(kNone);
    const double upright = body_.time_s(upright_.first), down = body_.time_s(upright_.last);
    const double start = start_s();
    std::vector<double> values{static_cast<double>(number),
                               start,
                               off,
                               upright,
                               rise_.seat_on_s ? down : kNone,
                               on,
                               off - start,
                               upright - off,
                               on - down,
                               peak_speed(0, 1.0, before_, upright_.first),
                               peak_speed(2, 1.0, before_, upright_.first),
                               rise_.seat_on_s ? peak_speed(2, -1.0, upright_.last, up_.last) : kNone,
                               left_ratio(),
                               seat_share()};
    for (const char* side : kSides) {
      for (const char* joint : kJoints) {
        const auto [moment, power] = peaks(fmt::format("{}_{}", side, joint));
        values.push_back(moment);
        values.push_back(power);
      }
    }
    return values;
  }

  /// When the CoM begins to move forwards before seat-off.
  double start_s() const {
    if (!rise_.seat_off_s) return kNone;
    const auto first = std::clamp<Eigen::Index>(std::lround((seated_s_ - body_.start_s) * body_.rate_hz), 0, up_.first);
    Eigen::Index at = 0;
    const double fastest = body_.com_velocity.row(0).segment(first, up_.first - first + 1).maxCoeff(&at);
    for (at += first; at > first && body_.com_velocity(0, at) > kMoves * fastest;) --at;
    return body_.time_s(at);
  }

 private:
  void find_upright() {
    const auto heights = body_.com.row(2).segment(up_.first, up_.size());
    const double level = heights.minCoeff() + kUpright * (heights.maxCoeff() - heights.minCoeff());
    upright_ = up_;
    while (upright_.first < up_.last && body_.com(2, upright_.first) < level) ++upright_.first;
    while (upright_.last > upright_.first && body_.com(2, upright_.last) < level) --upright_.last;
  }

  double peak_speed(int axis, double sign, Eigen::Index first, Eigen::Index last) const {
    return sign * (sign * body_.com_velocity.row(axis).segment(first, last - first + 1)).maxCoeff();
  }

  /// Left foot's part of the impulse of both feet while nobody sits.
  double left_ratio() const {
    const GroundForces& forces = analysis_.judgement.forces;
    const ReactionForces& reactions = analysis_.judgement.reactions;
    const bool is_measured = forces.has(PlateLoad::left_foot) && forces.has(PlateLoad::right_foot);
    if (!is_measured && !reactions.is_known()) return kNone;
    double left = 0.0, right = 0.0;
    for (Eigen::Index i = up_.first; i <= up_.last; ++i) {
      left += is_measured ? forces.sum(i, PlateLoad::left_foot).force.z() : reactions.force[0](2, i);
      right += is_measured ? forces.sum(i, PlateLoad::right_foot).force.z() : reactions.force[1](2, i);
    }
    return left + right > 0.0 ? left / (left + right) : kNone;
  }

  double seat_share() const {
    const GroundForces& forces = analysis_.judgement.forces;
    const ReactionForces& reactions = analysis_.judgement.reactions;
    if (!rise_.seat_off_s || before_ == up_.first) return kNone;
    double most = kNone;
    for (Eigen::Index i = before_; i < up_.first; ++i) {
      const double total = body_.force(2, i);
      if (!analysis_.judgement.windows.empty()) {
        const double feet = (forces.sum(i).force - forces.sum(i, PlateLoad::seat).force).z();
        most = std::fmax(most, std::clamp(1.0 - feet / total, 0.0, 1.0));
      } else if (reactions.is_known()) {
        most = std::fmax(most, reactions.seat_share[i]);
      }
    }
    return most;
  }

  /// Largest size of the moment and of the power of a joint while nobody sits, over body mass, with their signs.
  std::pair<double, double> peaks(const std::string& name) const {
    const JointMoments& moments = analysis_.judgement.moments;
    const auto found = std::ranges::find(moments.names, name);
    double moment = kNone, power = kNone;
    if (found == moments.names.end()) return {moment, power};
    const auto row = found - moments.names.begin();
    for (Eigen::Index i = up_.first; i <= up_.last; ++i) {
      const double now = moments.moment(row, i) / body_.mass;
      if (!std::isfinite(now)) continue;
      if (!(std::abs(now) <= std::abs(moment))) moment = now;
      const double rate = moments.are_legs_split ? motion_.v(6 + row, i) : kNone;
      if (!(std::abs(now * rate) <= std::abs(power))) power = now * rate;
    }
    return {moment, power};
  }

  const TrialAnalysis& analysis_;
  const CentroidalMotion& body_;
  const SmoothMotion& motion_;
  const Rise& rise_;
  double seated_s_;
  FrameRange up_, upright_;
  Eigen::Index before_ = 0;
};

}  // namespace

Log rise_table(const TrialAnalysis& analysis) {
  Log table(columns());
  const SmoothMotion motion = smooth_motion(analysis.fit.motion, analysis.cutoff_hz);
  std::size_t number = 0;
  double seated_s = analysis.judgement.body.start_s;
  for (const Rise& rise : analysis.judgement.rises.rises) {
    table.append(RiseFigures(analysis, motion, rise, seated_s).row(++number));
    seated_s = rise.seat_on_s.value_or(seated_s);
  }
  return table;
}

std::optional<double> five_times_sit_to_stand_s(const Log& rises) {
  constexpr std::size_t kTimes = 5;
  const std::size_t off = rises.index("seat_off_s"), on = rises.index("seat_on_s"), start = rises.index("start_s");
  std::optional<double> first;
  std::size_t count = 0;
  for (std::size_t i = 0; i < rises.num_rows(); ++i) {
    if (!std::isfinite(rises.at(i, off))) continue;  // stands when the recording begins
    if (!first) first = rises.at(i, start);
    if (++count < kTimes) continue;
    return std::isfinite(rises.at(i, on)) ? std::optional(rises.at(i, on) - *first) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace aplomb
