#include "aplomb/demonstrator/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "aplomb/core/error.hpp"
#include "aplomb/demonstrator/motion/dynamics.hpp"
#include "aplomb/human/human_robot.hpp"

namespace aplomb {
namespace {

constexpr double kMillimetre = 0.001;
constexpr std::size_t kMarkersInMotion = 41;
constexpr Eigen::Index kRestFrames = 200;
constexpr double kPlateDepth = 0.04;  // [m] depth of the plate's sensors below its surface
constexpr double kMomentArm = 0.1;    // [m] noise of moments over noise of forces
constexpr double kSwapS = 0.5;        // [s] duration of a label swap

void check(const RecordingFaults& faults) {
  const auto demand = [](bool holds, const char* what, double value, const char* valid) {
    if (!holds) throw InvalidValue(fmt::format("{} of {}; valid: {}", what, value, valid));
  };
  demand(faults.marker_noise_m >= 0.0 && faults.marker_noise_m <= 0.1, "marker noise", faults.marker_noise_m,
         "0 ... 0.1 m");
  demand(faults.gap_ratio >= 0.0 && faults.gap_ratio <= 0.9, "a ratio of gaps", faults.gap_ratio, "0 ... 0.9");
  demand(faults.swaps >= 0 && faults.swaps <= 100, "a number of swaps", faults.swaps, "0 ... 100");
  demand(faults.plate_noise_n >= 0.0 && faults.plate_noise_n <= 1000.0, "plate noise", faults.plate_noise_n,
         "0 ... 1000 N");
  demand(faults.plate_shift.cwiseAbs().maxCoeff() <= 1.0, "a plate's shift", faults.plate_shift.cwiseAbs().maxCoeff(),
         "-1 ... 1 m");
}

void take_markers(C3dFile& file, const Demonstration& all, const Eigen::MatrixXd& q, std::size_t num_markers) {
  Points& points = file.points;
  const RobotModel robot = human_robot(all.skeleton);
  std::vector<FrameId> segments;
  for (std::size_t i = 0; i < num_markers; ++i) {
    points.labels.push_back(all.markers[i].label);
    segments.push_back(robot.frame(all.markers[i].segment));
  }
  std::vector<FrameId> each = segments;
  std::ranges::sort(each);
  each.erase(std::unique(each.begin(), each.end()), each.end());
  points.kinds.assign(num_markers, PointKind::marker);
  points.num_frames = static_cast<std::size_t>(q.cols());
  points.rate_hz = all.motion.rate_hz;
  points.unit = "mm";
  points.metres_per_unit = kMillimetre;
  points.residual_unit = 1.0;
  points.seen_by.assign(points.num_frames * num_markers, 0x0301);  // two cameras, a residual of one unit: measured
  RobotTerms terms(robot, each);
  RobotState state{q.col(0), Eigen::VectorXd::Zero(robot.nv())};
  for (Eigen::Index frame = 0; frame < q.cols(); ++frame) {
    state.q = q.col(frame);
    terms.update(state);
    for (std::size_t i = 0; i < num_markers; ++i) {
      const Eigen::Vector3d at = terms.frame(segments[i]).T_world_frame * all.markers[i].position / kMillimetre;
      for (int axis = 0; axis < 3; ++axis) points.xyz.push_back(static_cast<float>(at[axis]));
    }
  }
}

void shake_markers(Points& points, double noise_m, std::mt19937_64 random) {
  if (noise_m == 0.0) return;
  std::normal_distribution<double> normal(0.0, noise_m / kMillimetre);
  for (float& coordinate : points.xyz) coordinate = static_cast<float>(coordinate + normal(random));
}

std::vector<LabelSwap> swap_labels(Points& points, int count, std::mt19937_64 random) {
  std::vector<LabelSwap> swaps;
  const auto length = std::min(static_cast<std::size_t>(std::lround(kSwapS * points.rate_hz)), points.num_frames);
  for (int k = 0; k < count; ++k) {
    std::uniform_int_distribution<std::size_t> any(0, points.num_points() - 1), begin(0, points.num_frames - length);
    const std::size_t a = any(random);
    std::size_t b = any(random);
    while (b == a) b = any(random);
    const std::size_t from = begin(random);
    for (std::size_t frame = from; frame < from + length; ++frame) {
      float* row = &points.xyz[3 * frame * points.num_points()];
      std::swap_ranges(row + 3 * a, row + 3 * a + 3, row + 3 * b);
    }
    swaps.push_back({points.labels[a], points.labels[b], from, from + length});
  }
  return swaps;
}

std::size_t lose_samples(Points& points, double ratio, std::mt19937_64 random) {
  const std::size_t wanted =
      static_cast<std::size_t>(std::lround(ratio * static_cast<double>(points.num_frames * points.num_points())));
  std::uniform_int_distribution<std::size_t> any(0, points.num_points() - 1), begin(0, points.num_frames - 1);
  std::uniform_real_distribution<double> seconds(0.1, 0.6);
  std::size_t lost = 0;
  while (lost < wanted) {
    const std::size_t marker = any(random), from = begin(random);
    const auto length = static_cast<std::size_t>(std::lround(seconds(random) * points.rate_hz));
    for (std::size_t frame = from; frame < std::min(from + length, points.num_frames) && lost < wanted; ++frame) {
      if (!points.is_seen(frame, marker)) continue;
      float* xyz = &points.xyz[3 * (frame * points.num_points() + marker)];
      std::fill(xyz, xyz + 3, std::numeric_limits<float>::quiet_NaN());
      points.seen_by[frame * points.num_points() + marker] = Points::kNotSeen;
      ++lost;
    }
  }
  return lost;
}

/// The channels of one plate at one sample: force and moment on the body in the plate's axes, about its sensors.
std::array<double, 6> channels(const PlateTruth& plate, Eigen::Index sample) {
  const Eigen::Vector3d centre = 0.25 * (plate.corners[0] + plate.corners[1] + plate.corners[2] + plate.corners[3]);
  const auto turned = [](const Eigen::Vector3d& v) { return Eigen::Vector3d(v.x(), -v.y(), -v.z()); };
  const Eigen::Vector3d force = plate.force.col(sample);
  const Eigen::Vector3d arm(plate.cop(0, sample) - centre.x(), plate.cop(1, sample) - centre.y(), 0.0);
  const Eigen::Vector3d on_top = arm.cross(force) + Eigen::Vector3d(0.0, 0.0, plate.free_moment[sample]);
  const Eigen::Vector3d f = turned(force), origin(0.0, 0.0, -kPlateDepth);
  const Eigen::Vector3d m = turned(on_top) - f.cross(origin);  // inverse of the readers' M' = M + F × O
  return {f.x(), f.y(), f.z(), m.x() / kMillimetre, m.y() / kMillimetre, m.z() / kMillimetre};
}

using Plates = std::vector<PlateTruth>;

/// A plate on each arm rest, at the height of the palms.
void add_rests(const Demonstration& all, Plates& plates) {
  constexpr double kHalfLength = 0.15, kHalfWidth = 0.05;  // [m]
  if (all.hand_share.size() == 0 || all.hand_share.maxCoeff() == 0.0) {
    throw InvalidValue(fmt::format("style '{}' has no arm rests that could have plates", all.options.style));
  }
  for (const Eigen::Vector3d& rest : all.rests) {
    PlateTruth plate;
    const auto corner = [&](double x, double y) { return Eigen::Vector3d(rest + Eigen::Vector3d(x, y, 0.0)); };
    plate.corners = {corner(kHalfLength, -kHalfWidth), corner(-kHalfLength, -kHalfWidth),
                     corner(-kHalfLength, kHalfWidth), corner(kHalfLength, kHalfWidth)};
    plate.force = 0.5 * all.forces.force * all.hand_share.asDiagonal();
    plate.cop = rest.head<2>().replicate(1, all.hand_share.size());
    plate.free_moment.setZero(all.hand_share.size());
    plates.push_back(std::move(plate));
  }
}

void take_forces(C3dFile& file, const Plates& plates, int per_frame, double noise_n, std::mt19937_64 random) {
  Analog& analog = file.analog;
  for (std::size_t plate = 1; plate <= plates.size(); ++plate) {
    for (const char* name : {"Fx", "Fy", "Fz", "Mx", "My", "Mz"}) {
      analog.labels.push_back(fmt::format("{}{}", name, plate));
      analog.units.emplace_back(name[0] == 'F' ? "N" : "Nmm");
    }
  }
  analog.scale.assign(6 * plates.size(), 1.0);
  analog.offset.assign(6 * plates.size(), 0.0);
  analog.samples_per_frame = static_cast<std::size_t>(per_frame);
  analog.rate_hz = per_frame * file.points.rate_hz;
  std::normal_distribution<double> normal;
  for (Eigen::Index sample = 0; sample < plates[0].force.cols(); ++sample) {
    for (const PlateTruth& plate : plates) {
      const std::array<double, 6> values = channels(plate, sample);
      for (std::size_t i = 0; i < 6; ++i) {
        const double noise = noise_n == 0.0 ? 0.0 : noise_n * (i < 3 ? 1.0 : kMomentArm / kMillimetre) * normal(random);
        analog.raw.push_back(static_cast<float>(values[i] + noise));
      }
    }
  }
}

void describe_plates(C3dParameters& parameters, const Plates& plates, const Eigen::Vector2d& shift) {
  std::vector<double> corners, origins;
  for (const PlateTruth& plate : plates) {
    const bool is_feet = &plate == plates.data();
    for (Eigen::Vector3d corner : plate.corners) {
      if (is_feet) corner.head<2>() += shift;
      for (int axis = 0; axis < 3; ++axis) corners.push_back(corner[axis] / kMillimetre);
    }
    origins.insert(origins.end(), {0.0, 0.0, -kPlateDepth / kMillimetre});
  }
  const std::size_t count = plates.size();
  std::vector<std::uint16_t> channels(6 * count);
  std::iota(channels.begin(), channels.end(), std::uint16_t{1});
  C3dGroup& group = parameters.group("FORCE_PLATFORM");
  group.set(C3dParameter::scalar_word("USED", static_cast<std::uint16_t>(count)));
  group.set(C3dParameter::of_words("TYPE", std::vector<std::uint16_t>(count, 2)));
  group.set(C3dParameter::of_words("ZERO", {0, 0}));
  group.set(C3dParameter::of_reals("CORNERS", corners, {3, 4, count}));
  group.set(C3dParameter::of_reals("ORIGIN", origins, {3, count}));
  C3dParameter channel = C3dParameter::of_words("CHANNEL", channels);
  channel.sizes = {6, count};
  group.set(std::move(channel));
  parameters.group("POINT").set(C3dParameter::of_texts("X_SCREEN", {"+X"}));
  parameters.group("POINT").set(C3dParameter::of_texts("Y_SCREEN", {"+Z"}));
  parameters.group("MANUFACTURER").set(C3dParameter::of_texts("COMPANY", {"aplomb demonstrate: a synthetic person"}));
}

}  // namespace

DemonstratedRecording record(const Demonstration& all, const RecordingFaults& faults, ArmRestPlates rests) {
  check(faults);
  const std::uint64_t seed = all.options.person.seed;
  DemonstratedRecording result;
  take_markers(result.c3d, all, all.motion.q, kMarkersInMotion);
  shake_markers(result.c3d.points, faults.marker_noise_m, random_stream(seed, Draw::marker_noise));
  result.swaps = swap_labels(result.c3d.points, faults.swaps, random_stream(seed, Draw::swaps));
  result.num_gaps = lose_samples(result.c3d.points, faults.gap_ratio, random_stream(seed, Draw::gaps));
  Plates plates{all.feet, all.seat};
  if (rests == ArmRestPlates::yes) add_rests(all, plates);
  take_forces(result.c3d, plates, all.samples_per_frame, faults.plate_noise_n, random_stream(seed, Draw::plate_noise));
  describe_plates(result.c3d.parameters, plates, faults.plate_shift);
  for (const double time : all.seat_off_s) result.c3d.events.push_back({"Seat Off", "General", time});
  for (const double time : all.seat_on_s) result.c3d.events.push_back({"Seat On", "General", time});
  for (const double time : all.hands_off_s) result.c3d.events.push_back({"Hands Off", "General", time});
  for (const double time : all.hands_on_s) result.c3d.events.push_back({"Hands On", "General", time});
  std::ranges::sort(result.c3d.events, {}, &MotionEvent::time_s);
  return result;
}

DemonstratedRecording record_at_rest(const Demonstration& all, const RecordingFaults& faults) {
  check(faults);
  const std::uint64_t seed = all.options.person.seed;
  DemonstratedRecording result;
  const Eigen::MatrixXd q = all.neutral.replicate(1, kRestFrames);
  take_markers(result.c3d, all, q, all.markers.size());
  shake_markers(result.c3d.points, faults.marker_noise_m, random_stream(~seed, Draw::marker_noise));
  const RobotModel robot = human_robot(all.skeleton);
  const CentroidalDynamics still = dynamics_of(robot, all.neutral, all.motion.rate_hz);
  Plates plates{all.feet, all.seat};
  for (PlateTruth& plate : plates) {
    const Eigen::Index count = kRestFrames * all.samples_per_frame;
    const bool is_feet = &plate == plates.data();
    plate.force = (is_feet ? Eigen::Vector3d(still.force.col(0)) : Eigen::Vector3d::Zero()).replicate(1, count);
    plate.cop = Eigen::Vector2d(still.zmp_at(0)).replicate(1, count);
    plate.free_moment.setZero(count);
  }
  take_forces(result.c3d, plates, all.samples_per_frame, faults.plate_noise_n, random_stream(~seed, Draw::plate_noise));
  describe_plates(result.c3d.parameters, plates, faults.plate_shift);
  return result;
}

}  // namespace aplomb
