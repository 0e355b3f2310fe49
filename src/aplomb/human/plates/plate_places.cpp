#include "aplomb/human/plates/plate_places.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "aplomb/human/plates/plate_loads.hpp"
#include "aplomb/human/subject/mass_parameters.hpp"

namespace aplomb {
namespace {

// Errors of the CoP that is predicted from markers: 1 cm RMS in rises and walking, in movements of half a second.
constexpr double kCopError = 0.01, kIndependent = 2.0;  // [m]; samples per second
constexpr double kLeastLoad = 0.2;                      // fraction of body weight below which a CoP is not used
constexpr double kLeastShare = 0.1;                     // part of all load that a plate needs
// Mean CoP in the foot's frame, standard deviations [m]: of a person from the sole's centre, and of one foot from the
// person's mean (posture, and errors of the fitted foot).
constexpr double kOfPersonX = 0.03, kOfPersonY = 0.01, kOfFootX = 0.008, kOfFootY = 0.008;
// The same of a foot that steps, while it is flat: its CoP runs from the heel to the ball, and the plates may see a
// part of that only; sideways it stays as near to the middle line as in standing.
constexpr double kOfStepX = 0.025, kOfStepY = 0.01;
// A stance that is seen whole and rolls from heel to toe tells more: the middle of the CoP's way along the sole, while
// the foot carries kHalf of body weight. Deviations of a person's middle from the sole's centre, and of a step from it
// [m]; a way shorter than kRolled of the sole's length is none from heel to toe.
constexpr double kOfRollerX = 0.012, kOfRollX = 0.008, kHalf = 0.5, kRolled = 0.4;
// A stepping foot is flat while its sole is within this angle of level [rad] and its ankle slower than this [√(g leg)].
constexpr double kFlat = 0.12, kStill = 0.1;

constexpr int kMasses = MassParameters::kCount, kCommon = kMasses, kRoll = kCommon + 2, kShift = kRoll + 1,
              kUnknowns = kShift + 2;
using Unknowns = Eigen::Matrix<double, kUnknowns, 1>;
using Square = Eigen::Matrix<double, kUnknowns, kUnknowns>;
using Row = Eigen::Matrix<double, 1, kUnknowns>;

/// One sample of the CoP's error.
struct Sample {
  Eigen::Vector2d error;                     ///< prediction of the mean body − plates
  Eigen::Matrix<double, 2, kMasses> slopes;  ///< of the prediction by the mass parameters
  std::vector<double> shares;                ///< plates' parts of the vertical force
};

/// Mean CoP of a plate in the frame of the foot that stands on it.
struct OnFoot {
  std::size_t plate = 0;
  int side = kLeft;
  bool steps = false;  ///< leaves its place during the recording; seen while it is flat
  double load = 0.0;
  Eigen::Vector2d sum = Eigen::Vector2d::Zero();   ///< load × (forwards, outwards) from the sole's centre
  Eigen::Matrix2d turn = Eigen::Matrix2d::Zero();  ///< load × R_foot_motion, with y outwards
};

/// A foot's step on a plate, from heel to toe.
struct Roll {
  std::size_t plate = 0;
  double middle = 0.0;                                   ///< of the CoP's way, forwards of the sole's centre
  Eigen::RowVector2d turn = Eigen::RowVector2d::Zero();  ///< mean forward axis of the foot
};

class Evidence {
 public:
  Evidence(const SegmentMotion& segments, const Skeleton& mean_body, const GroundForces& forces,
           const std::vector<FrameRange>& windows, const MassParameters::Vector& prior, double cutoff_hz)
      : segments_(segments), forces_(forces), windows_(windows), prior_(prior) {
    find_plates();
    if (plates_.empty()) return;
    sample(mean_body, cutoff_hz);
    look_at_feet();
    look_at_rolls();
  }

  std::optional<PlateShift> largest() const {
    if (samples_.empty()) return std::nullopt;
    std::optional<PlateShift> found;
    for (std::size_t k = 0; k <= plates_.size(); ++k) {
      if (plates_.size() == 1 && k == 1) break;  // the same as all of them
      const std::vector<double> shifted = hypothesis(k);
      PlateShift shift = estimate(shifted);
      if (k < plates_.size() && plates_.size() > 1) shift.plate = forces_.plates[plates_[k]].name;
      if (!found || shift.deviations > found->deviations) found = shift;
    }
    return found;
  }

 private:
  void find_plates() {
    std::vector<double> loads(forces_.plates.size(), 0.0);
    double whole = 0.0;
    for_each_frame([&](Eigen::Index i) {
      for (std::size_t k = 0; k < loads.size(); ++k) {
        const PlateTrack& plate = forces_.plates[k];
        if (!is_foot(plate.load[static_cast<std::size_t>(i)])) continue;
        loads[k] += plate.force(2, i);
        whole += plate.force(2, i);
      }
    });
    for (std::size_t k = 0; k < loads.size(); ++k) {
      if (loads[k] > kLeastShare * whole) plates_.push_back(k);
    }
  }

  template <typename Function>
  void for_each_frame(Function function) const {
    for (const FrameRange& window : windows_) {
      for (Eigen::Index i = window.first; i <= window.last; ++i) function(i);
    }
  }

  void sample(const Skeleton& mean_body, double cutoff_hz) {
    constexpr double kStep = 1e-3;
    const double height = forces_.plane_height;
    const auto path_with = [&](const Skeleton& masses) {
      return centroidal_motion(segments_, masses, cutoff_hz, kSkinCutoff).cop_path(height);
    };
    const CentroidalMotion body = centroidal_motion(segments_, mean_body, cutoff_hz, kSkinCutoff);
    const Eigen::Matrix2Xd path = body.cop_path(height);
    std::array<Eigen::Matrix2Xd, kMasses> slopes;
    for (int k = 0; k < kMasses; ++k) {
      const MassParameters::Vector ahead = kStep * MassParameters::Vector::Unit(k);
      slopes[static_cast<std::size_t>(k)] =
          (path_with(with_mass_parameters(mean_body, MassParameters::from(ahead))) - path) / kStep;
    }
    weight_ = body.mass * kGravity;
    const double least = kLeastLoad * weight_;
    for_each_frame([&](Eigen::Index i) {
      const Wrench sum = forces_.sum(i);
      if (std::min(sum.force.z(), body.force(2, i)) < least) return;
      Sample one{.error = path.col(i) - centre_of_pressure(sum, height)};
      for (int k = 0; k < kMasses; ++k) one.slopes.col(k) = slopes[static_cast<std::size_t>(k)].col(i);
      for (const std::size_t plate : plates_) {
        one.shares.push_back(forces_.plates[plate].force(2, i) / sum.force.z());
      }
      samples_.push_back(std::move(one));
    });
  }

  void look_at_feet() {
    for (std::size_t k = 0; k < plates_.size(); ++k) {
      const PlateTrack& plate = forces_.plates[plates_[k]];
      for (const int side : {kLeft, kRight}) {
        OnFoot foot{.plate = k, .side = side, .steps = !segments_.is_planted(side)};
        const double outwards = side == kLeft ? 1.0 : -1.0;
        for_each_frame([&](Eigen::Index i) {
          if (plate.load[static_cast<std::size_t>(i)] !=
              (side == kLeft ? PlateLoad::left_foot : PlateLoad::right_foot)) {
            return;
          }
          const double load = plate.force(2, i);
          const Eigen::Isometry3d T = segments_.foot_pose(side, i);
          if (foot.steps && !is_flat(side, i)) return;
          Eigen::Vector3d cop;
          cop << centre_of_pressure(plate.wrench(i), plate.height), plate.height;
          Eigen::Vector2d in_foot = (T.inverse() * cop - segments_.sole(side).centre()).head<2>();
          Eigen::Matrix2d turn = T.linear().transpose().topLeftCorner<2, 2>();
          in_foot.y() *= outwards;
          turn.row(1) *= outwards;
          foot.load += load;
          foot.sum += load * in_foot;
          foot.turn += load * turn;
        });
        if (foot.load > 0.0) feet_.push_back(foot);
      }
    }
  }

  void look_at_rolls() {
    for (std::size_t k = 0; k < plates_.size(); ++k) {
      const PlateTrack& plate = forces_.plates[plates_[k]];
      for (const int side : {kLeft, kRight}) {
        if (segments_.is_planted(side)) continue;
        const PlateLoad load = side == kLeft ? PlateLoad::left_foot : PlateLoad::right_foot;
        const auto carries = [&](Eigen::Index i) {
          return plate.load[static_cast<std::size_t>(i)] == load && plate.force(2, i) > kHalf * weight_;
        };
        const auto is_seen = [&](Eigen::Index i) {
          return i >= 0 && i < segments_.num_frames() && forces_.is_seen[static_cast<std::size_t>(i)] != 0;
        };
        for (Eigen::Index begin = 0; begin < segments_.num_frames(); ++begin) {
          if (!carries(begin)) continue;
          Eigen::Index end = begin + 1;
          while (end < segments_.num_frames() && carries(end)) ++end;
          if (is_seen(begin - 1) && is_seen(end)) add_roll(k, side, begin, end);
          begin = end;
        }
      }
    }
  }

  void add_roll(std::size_t k, int side, Eigen::Index begin, Eigen::Index end) {
    const PlateTrack& plate = forces_.plates[plates_[k]];
    Roll roll{.plate = k};
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (Eigen::Index i = begin; i < end; ++i) {
      const Eigen::Isometry3d T = segments_.foot_pose(side, i);
      Eigen::Vector3d cop;
      cop << centre_of_pressure(plate.wrench(i), plate.height), plate.height;
      const double x = (T.inverse() * cop - segments_.sole(side).centre()).x();
      least = std::min(least, x);
      most = std::max(most, x);
      roll.turn += T.linear().transpose().topLeftCorner<1, 2>() / static_cast<double>(end - begin);
    }
    const double length = segments_.sole(side).x_max - segments_.sole(side).x_min;
    if (most - least < kRolled * length) return;
    roll.middle = 0.5 * (least + most);
    rolls_.push_back(roll);
  }

  bool has_rolls(std::size_t plate) const { return std::ranges::find(rolls_, plate, &Roll::plate) != rolls_.end(); }

  bool is_flat(int side, Eigen::Index frame) const {
    const Eigen::Isometry3d T = segments_.foot_pose(side, frame);
    const Eigen::Index last = segments_.num_frames() - 1;
    const Eigen::Index before = std::max<Eigen::Index>(0, frame - 1), after = std::min(last, frame + 1);
    const double way =
        (segments_.foot_pose(side, after).translation() - segments_.foot_pose(side, before).translation()).norm();
    const double speed = way * segments_.rate_hz() / static_cast<double>(std::max<Eigen::Index>(1, after - before));
    return T.linear()(2, 2) > std::cos(kFlat) && speed < kStill * std::sqrt(kGravity * segments_.leg_length());
  }

  /// Which plates are shifted: one, or all.
  std::vector<double> hypothesis(std::size_t k) const {
    std::vector<double> shifted(plates_.size(), k == plates_.size() || plates_.size() == 1 ? 1.0 : 0.0);
    if (k < shifted.size()) shifted[k] = 1.0;
    return shifted;
  }

  PlateShift estimate(const std::vector<double>& shifted) const {
    Square normal = Square::Zero();
    Unknowns gradient = Unknowns::Zero();
    const auto add = [&](const Row& row, double value, double weight) {
      normal += weight * row.transpose() * row;
      gradient += weight * row.transpose() * value;
    };
    for (int k = 0; k < kMasses; ++k) add(Row::Unit(k), 0.0, 1.0 / (prior_[k] * prior_[k]));
    add(Row::Unit(kCommon), 0.0, 1.0 / (kOfPersonX * kOfPersonX));
    add(Row::Unit(kCommon + 1), 0.0, 1.0 / (kOfPersonY * kOfPersonY));
    add(Row::Unit(kRoll), 0.0, 1.0 / (kOfRollerX * kOfRollerX));
    const double weight = std::min(1.0, kIndependent / segments_.rate_hz()) / (kCopError * kCopError);
    for (const Sample& sample : samples_) {
      double share = 0.0;
      for (std::size_t k = 0; k < shifted.size(); ++k) share += shifted[k] * sample.shares[k];
      for (const int axis : {0, 1}) {
        Row row = Row::Zero();
        row.head<kMasses>() = -sample.slopes.row(axis);
        row[kShift + axis] = -share;
        add(row, sample.error[axis], weight);
      }
    }
    for (const OnFoot& foot : feet_) {
      const Eigen::Vector2d mean = foot.sum / foot.load;
      const Eigen::Matrix2d turn = foot.turn / foot.load;
      for (const int axis : {0, 1}) {
        Row row = Row::Zero();
        row[kCommon + axis] = 1.0;
        row.tail<2>() = shifted[foot.plate] * turn.row(axis);
        const double planted = axis == 0 ? kOfFootX : kOfFootY, stepping = axis == 0 ? kOfStepX : kOfStepY;
        const double deviation = foot.steps ? stepping : planted;
        if (foot.steps && axis == 0 && has_rolls(foot.plate)) continue;
        add(row, mean[axis], 1.0 / (deviation * deviation));
      }
    }
    for (const Roll& roll : rolls_) {
      Row row = Row::Unit(kRoll);
      row.tail<2>() = shifted[roll.plate] * roll.turn;
      add(row, roll.middle, 1.0 / (kOfRollX * kOfRollX));
    }
    const Square covariance = normal.ldlt().solve(Square::Identity());
    const Eigen::Vector2d shift = (covariance * gradient).tail<2>();
    const Eigen::Matrix2d spread = covariance.bottomRightCorner<2, 2>();
    return {.shift = shift, .deviations = std::sqrt(shift.dot(spread.ldlt().solve(shift)))};
  }

  const SegmentMotion& segments_;
  const GroundForces& forces_;
  const std::vector<FrameRange>& windows_;
  const MassParameters::Vector& prior_;
  std::vector<std::size_t> plates_;  ///< indices of the foot plates
  std::vector<Sample> samples_;
  std::vector<OnFoot> feet_;
  std::vector<Roll> rolls_;
  double weight_ = 0.0;  ///< of the body [N]
};

/// Mean factor by which lost markers raise the variance of the errors in `windows`.
double variance_by_gaps(const std::vector<FrameRange>& windows, const std::vector<int>& lost_markers) {
  if (lost_markers.empty()) return 1.0;
  double sum = 0.0, count = 0.0;
  for (const FrameRange& window : windows) {
    for (Eigen::Index i = window.first; i <= window.last; ++i) {
      const double lost = lost_markers[static_cast<std::size_t>(i)];
      sum += 1.0 + lost * lost;
      count += 1.0;
    }
  }
  return count > 0.0 ? sum / count : 1.0;
}

}  // namespace

std::optional<PlateShift> largest_plate_shift(const SegmentMotion& segments, const Skeleton& mean_body,
                                              const GroundForces& forces, const std::vector<FrameRange>& windows,
                                              const MassParameters::Vector& prior, double cutoff_hz,
                                              const std::vector<int>& lost_markers) {
  std::optional<PlateShift> found = Evidence(segments, mean_body, forces, windows, prior, cutoff_hz).largest();
  if (found) found->deviations /= std::sqrt(variance_by_gaps(windows, lost_markers));
  return found;
}

}  // namespace aplomb
