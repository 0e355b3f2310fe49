#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace aplomb {

inline constexpr double kStandardGravity = 9.80665;  ///< [m/s²], converts a weight on the plates to a mass

/// Measurement of one plate at one time, in the lab frame (z up). The force is the ground reaction on the body.
struct PlateSample {
  bool is_loaded = false;                                 ///< false: the other members are invalid, there is no CoP
  Eigen::Vector3d force = Eigen::Vector3d::Zero();        ///< [N]
  Eigen::Vector3d cop = Eigen::Vector3d::Zero();          ///< [m], on the plate's surface
  Eigen::Vector3d free_moment = Eigen::Vector3d::Zero();  ///< [N m], about the CoP
};

/// Ground reaction wrench summed over all loaded plates, about the lab's origin.
struct GroundWrench {
  bool is_valid = false;                             ///< at least one plate is loaded
  Eigen::Vector3d force = Eigen::Vector3d::Zero();   ///< [N]
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();  ///< [N m]
  Eigen::Vector3d cop = Eigen::Vector3d::Zero();     ///< [m], centre of pressure on the plane z = 0
};

struct PlateOptions {
  double threshold_n = 10.0;      ///< a plate with less normal force is unloaded
  bool subtract_baseline = true;  ///< subtract the mean over FORCE_PLATFORM:ZERO, if the plate is unloaded there
  bool correct_signs = true;      ///< turn forces on the plate into forces on the body; correct the moments' unit
};

/// Properties of a plate besides its samples.
struct PlateInfo {
  std::string name;
  int type = 0;  ///< C3D's plate type 1 ... 4; 0: a table with forces, CoP and moments
  double rate_hz = 0.0;
  double start_s = 0.0;
  std::optional<std::array<Eigen::Vector3d, 4>> corners;  ///< [m], in the lab frame
  std::optional<Eigen::Vector3d> origin;                  ///< [m], in the plate's frame, as used (z not positive)
  std::optional<Eigen::Vector3d> baseline_force;          ///< [N], subtracted from every sample, in the lab frame
  std::vector<std::string> notes;                         ///< corrections made, contradictions found
};

/// A force plate. Samples are computed on demand from the file's own channels, so that nothing is stored twice.
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

/// Wrench of the plates of one file, which share their rate and number of samples.
GroundWrench ground_wrench(const std::vector<std::unique_ptr<ForcePlate>>& plates, std::size_t index);

/// Fraction of the loaded samples whose CoP is inside the corners, with a margin of 1 cm; none without load.
std::optional<double> cop_inside_ratio(const ForcePlate& plate);

}  // namespace aplomb
