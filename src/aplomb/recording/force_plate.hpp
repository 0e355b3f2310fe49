#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace aplomb {

inline constexpr double kStandardGravity = 9.80665;  ///< [m/s²], between a weight on the plates and a mass

/// What a plate felt at one time, in the lab frame (z up). The force is the one on the body.
struct PlateSample {
  bool is_loaded = false;  ///< without load nothing else is valid: there is no CoP then, and nothing to sum
  Eigen::Vector3d force = Eigen::Vector3d::Zero();        ///< [N]
  Eigen::Vector3d cop = Eigen::Vector3d::Zero();          ///< [m], on the plate's surface
  Eigen::Vector3d free_moment = Eigen::Vector3d::Zero();  ///< [N m], about the CoP
};

/// The sum of all loaded plates, about the lab's origin.
struct GroundWrench {
  bool is_valid = false;                             ///< at least one plate is loaded
  Eigen::Vector3d force = Eigen::Vector3d::Zero();   ///< [N]
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();  ///< [N m]
  Eigen::Vector3d cop = Eigen::Vector3d::Zero();     ///< [m], where the sum acts on the plane z = 0
};

struct PlateOptions {
  double threshold_n = 10.0;      ///< a plate with less normal force is unloaded
  bool subtract_baseline = true;  ///< the mean over FORCE_PLATFORM:ZERO, when the plate is unloaded there
  bool correct_signs = true;      ///< forces on the plate instead of on the body; moments in another unit
};

/// What is known of a plate besides its samples.
struct PlateInfo {
  std::string name;
  int type = 0;  ///< C3D's 1 ... 4; 0: forces, CoP and moments of a table
  double rate_hz = 0.0;
  double start_s = 0.0;
  std::optional<std::array<Eigen::Vector3d, 4>> corners;  ///< [m], in the lab frame
  std::optional<Eigen::Vector3d> origin;                  ///< [m], in the plate's frame, as used (z not positive)
  std::optional<Eigen::Vector3d> baseline_force;          ///< [N], in the lab frame: what was subtracted
  std::vector<std::string> notes;                         ///< what was turned, what does not fit
};

/// A force plate; samples are computed when they are asked for, nothing is stored twice.
class ForcePlate {
 public:
  virtual ~ForcePlate() = default;
  virtual std::size_t num_samples() const = 0;
  virtual PlateSample sample(std::size_t index) const = 0;

  const PlateInfo& info() const { return info_; }
  double time_s(std::size_t index) const { return info_.start_s + static_cast<double>(index) / info_.rate_hz; }

 protected:
  PlateInfo info_;
};

/// Plates that could be read, and one line for each that could not.
struct ForcePlates {
  std::vector<std::unique_ptr<ForcePlate>> plates;
  std::vector<std::string> refused;
};

/// All plates have the same rate and count of samples: those of one file.
GroundWrench ground_wrench(const std::vector<std::unique_ptr<ForcePlate>>& plates, std::size_t index);

/// Part of the loaded samples whose CoP is inside of the corners, or within 1 cm of them; none without load.
std::optional<double> cop_inside_ratio(const ForcePlate& plate);

}  // namespace aplomb
