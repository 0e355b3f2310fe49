#include "aplomb/human/plates/ground_forces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "aplomb/core/math/zero_phase.hpp"
#include "aplomb/human/plates/plate_loads.hpp"

namespace aplomb {
namespace {

/// A plate at its own rate: force and moment about the lab's origin in six rows.
struct RawPlate {
  Matrix6Xd wrench;
  std::vector<char> is_finite;
  double loaded_height = 0.0;  ///< Σ F_z z_cop, lab frame
  double load = 0.0;           ///< Σ F_z
};

/// Whether a sample can be one of a plate under a person: anything larger is a fault of the file.
bool is_plausible(const PlateSample& sample) {
  constexpr double kLargestForce = 1e5;  // [N]
  constexpr double kLargestLab = 100.0;  // [m]
  return sample.force.norm() < kLargestForce && sample.free_moment.norm() < kLargestForce &&
         sample.cop.norm() < kLargestLab;
}

RawPlate read(const ForcePlate& plate) {
  RawPlate raw{.wrench = Matrix6Xd::Zero(6, static_cast<Eigen::Index>(plate.num_samples()))};
  raw.is_finite.assign(plate.num_samples(), 1);
  for (std::size_t i = 0; i < plate.num_samples(); ++i) {
    const PlateSample sample = plate.sample(i);
    const auto column = static_cast<Eigen::Index>(i);
    if (!sample.is_loaded) continue;
    const Eigen::Vector3d moment = sample.cop.cross(sample.force) + sample.free_moment;
    if (!is_plausible(sample)) {  // replaced by the previous sample
      raw.is_finite[i] = 0;
      if (i > 0) raw.wrench.col(column) = raw.wrench.col(column - 1);
      continue;
    }
    raw.wrench.col(column) << sample.force, moment;
    raw.load += sample.force.z();
    raw.loaded_height += sample.force.z() * sample.cop.z();
  }
  return raw;
}

/// Value between samples, by the cubic through the two samples on each side.
Eigen::VectorXd between(const Eigen::MatrixXd& signals, double place) {
  const Eigen::Index last = signals.cols() - 1;
  const auto at =
      std::clamp<Eigen::Index>(static_cast<Eigen::Index>(std::floor(place)), 0, std::max<Eigen::Index>(last - 1, 0));
  const double s = place - static_cast<double>(at);
  const auto sample = [&](Eigen::Index i) { return signals.col(std::clamp<Eigen::Index>(i, 0, last)); };
  return -s * (s - 1.0) * (s - 2.0) / 6.0 * sample(at - 1) + (s + 1.0) * (s - 1.0) * (s - 2.0) / 2.0 * sample(at) -
         (s + 1.0) * s * (s - 2.0) / 2.0 * sample(at + 1) + (s + 1.0) * s * (s - 1.0) / 6.0 * sample(at + 2);
}

Eigen::MatrixXd low_passed(const Eigen::MatrixXd& signals, double cutoff_hz, double rate_hz) {
  return cutoff_hz < 0.49 * rate_hz ? ZeroPhaseFilter(cutoff_hz, rate_hz).filtered(signals) : signals;
}

/// Resamples plates at the frames of a motion.
class Sampler {
 public:
  Sampler(const SegmentMotion& segments, const GroundForceOptions& options) : segments_(segments), options_(options) {}

  PlateTrack track(const ForcePlate& plate, const RawPlate& raw, std::vector<char>& is_seen) const {
    const Eigen::Index count = segments_.num_frames();
    PlateTrack result{.name = plate.info().name,
                      .force = Matrix3Xd::Zero(3, count),
                      .moment = Matrix3Xd::Zero(3, count),
                      .quick_force = Eigen::VectorXd::Zero(count),
                      .load = std::vector<PlateLoad>(static_cast<std::size_t>(count), PlateLoad::none)};
    if (raw.load > 0.0) {
      result.height = (options_.T_motion_lab * Eigen::Vector3d(0.0, 0.0, raw.loaded_height / raw.load)).z();
    }
    const double rate = plate.info().rate_hz;
    const Eigen::MatrixXd slow = low_passed(raw.wrench, options_.cutoff_hz, rate);
    const Eigen::MatrixXd quick = low_passed(raw.wrench.row(2), GroundForces::kQuickHz, rate);
    for (Eigen::Index i = 0; i < count; ++i) {
      const double place = (segments_.time_s(i) + options_.lag_s - plate.info().start_s) * rate;
      const auto nearest = static_cast<Eigen::Index>(std::lround(place));
      // Half a frame beyond the ends is tolerated: recordings of one trial often differ by one sample.
      const double granted = 0.5 * rate / segments_.rate_hz() + 1e-6;
      if (place < -granted || place > static_cast<double>(slow.cols() - 1) + granted ||
          raw.is_finite[static_cast<std::size_t>(std::clamp<Eigen::Index>(nearest, 0, slow.cols() - 1))] == 0) {
        is_seen[static_cast<std::size_t>(i)] = 0;
        continue;
      }
      const double inside = std::clamp(place, 0.0, static_cast<double>(slow.cols() - 1));
      set(result, i, between(slow, inside));
      result.quick_force[i] = between(quick, inside)[0];
    }
    return result;
  }

 private:
  void set(PlateTrack& track, Eigen::Index frame, const Eigen::VectorXd& in_lab) const {
    const Eigen::Vector3d force = options_.T_motion_lab.linear() * in_lab.head<3>();
    track.force.col(frame) = force;
    track.moment.col(frame) =
        options_.T_motion_lab.linear() * in_lab.tail<3>() + options_.T_motion_lab.translation().cross(force);
  }

  const SegmentMotion& segments_;
  const GroundForceOptions& options_;
};

double height_of_foot_plates(const GroundForces& forces, double otherwise) {
  double load = 0.0, sum = 0.0;
  for (const PlateTrack& plate : forces.plates) {
    for (Eigen::Index i = 0; i < plate.force.cols(); ++i) {
      if (!is_foot(plate.load[static_cast<std::size_t>(i)])) continue;
      load += plate.force(2, i);
      sum += plate.force(2, i) * plate.height;
    }
  }
  return load > 0.0 ? sum / load : otherwise;
}

}  // namespace

bool GroundForces::has(PlateLoad wanted) const {
  return std::ranges::any_of(
      plates, [&](const PlateTrack& plate) { return std::ranges::find(plate.load, wanted) != plate.load.end(); });
}

Wrench GroundForces::sum(Eigen::Index frame) const {
  Wrench total;
  for (const PlateTrack& plate : plates) {
    total.force += plate.force.col(frame);
    total.moment += plate.moment.col(frame);
  }
  return total;
}

Wrench GroundForces::sum(Eigen::Index frame, PlateLoad wanted) const {
  Wrench total;
  for (const PlateTrack& plate : plates) {
    if (plate.load[static_cast<std::size_t>(frame)] != wanted) continue;
    total.force += plate.force.col(frame);
    total.moment += plate.moment.col(frame);
  }
  return total;
}

Eigen::VectorXd GroundForces::vertical() const {
  if (plates.empty()) return {};
  Eigen::VectorXd total = Eigen::VectorXd::Zero(plates.front().force.cols());
  for (const PlateTrack& plate : plates) total += plate.force.row(2).transpose();
  return total;
}

GroundForces ground_forces(const std::vector<std::unique_ptr<ForcePlate>>& plates, const SegmentMotion& segments,
                           const GroundForceOptions& options) {
  GroundForces forces{.cutoff_hz = options.cutoff_hz, .lag_s = options.lag_s};
  forces.is_seen.assign(static_cast<std::size_t>(segments.num_frames()), plates.empty() ? 0 : 1);
  const Sampler sampler(segments, options);
  for (const auto& plate : plates) {
    if (plate->num_samples() == 0 || !(plate->info().rate_hz > 0.0)) {
      forces.notes.push_back(fmt::format("plate '{}' has no samples", plate->info().name));
      continue;
    }
    const RawPlate raw = read(*plate);
    if (raw.load == 0.0) {
      forces.notes.push_back(fmt::format("plate '{}' is never loaded", plate->info().name));
      continue;
    }
    const auto num_bad = std::ranges::count(raw.is_finite, 0);
    if (num_bad > 0)
      forces.notes.push_back(
          fmt::format("plate '{}': {} samples are not plausible and are left out", plate->info().name, num_bad));
    forces.plates.push_back(sampler.track(*plate, raw, forces.is_seen));
  }
  if (forces.plates.empty()) std::ranges::fill(forces.is_seen, 0);
  for (PlateTrack& plate : forces.plates) tell_loads(plate, segments, forces.notes);
  forces.plane_height = height_of_foot_plates(forces, segments.floor_height());
  return forces;
}

}  // namespace aplomb
