#pragma once

#include "aplomb/recording/c3d_file.hpp"
#include "aplomb/recording/force_plate.hpp"

namespace aplomb {

/// A plate whose channels are analog channels of a C3D file:
///   1: Fx Fy Fz Px Py Tz   2: Fx Fy Fz Mx My Mz   3: Fx12 Fx34 Fy14 Fy23 Fz1 Fz2 Fz3 Fz4
///   4: six channels, multiplied by a calibration matrix
class AnalogPlate final : public ForcePlate {
 public:
  struct Setup {
    PlateInfo info;
    std::vector<std::size_t> channels;
    Eigen::Vector3d origin = Eigen::Vector3d::Zero();  ///< [m], in the plate's frame
    Eigen::Matrix<double, 6, 6> calibration = Eigen::Matrix<double, 6, 6>::Identity();
    std::optional<std::array<double, 12>> polynomial;  ///< CoP correction of type 3, in the file's unit of length
    double moment_scale = 1.0;                         ///< factor from the file's unit to N m
    double position_scale = 1.0;                       ///< factor from the file's unit to m, for CoPs
    double threshold_n = 0.0;
    Eigen::Matrix3d R_lab_plate = Eigen::Matrix3d::Identity();  ///< plate frame: x, y along the edges, z normally down
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();           ///< [m], centre of the surface, in the lab frame
  };

  AnalogPlate(const Analog& analog, Setup setup);  ///< `analog` must outlive this object

  std::size_t num_samples() const override { return analog_.num_samples(); }
  PlateSample sample(std::size_t index) const override;

  /// If the plate is unloaded in the samples [first, last), subtracts each channel's mean over them from all samples.
  void subtract_baseline(std::size_t first, std::size_t last);
  /// Flips forces on the plate to forces on the body, and corrects the moments' unit when every CoP would be outside
  /// the plate or at its centre.
  void correct();

 private:
  struct PlateWrench {
    Eigen::Vector3d force, moment, cop;  ///< at the centre of the surface, in the plate's frame [N, N m, m]
  };
  void correct_sign();
  void correct_unit();
  double typical_arm();  ///< lever arm of the moments: median distance of the CoP from the centre [m]; 0 without load
  PlateWrench wrench(std::size_t index) const;
  PlateWrench wrench_of(const std::array<double, 8>& channel) const;
  Eigen::Vector3d polynomial_offset(const Eigen::Vector3d& cop) const;
  double normal_force(std::size_t index) const;  ///< out of the surface, upwards [N]; before its sign is corrected

  const Analog& analog_;
  Setup setup_;
  std::array<double, 8> baseline_{};
  Eigen::Vector3d normal_;  ///< surface normal in the plate's frame: ± z, upwards in the lab
  double sign_ = 1.0;
};

}  // namespace aplomb
