#pragma once

#include <optional>
#include <string>
#include <vector>

#include "aplomb/human/plates/joint_moments.hpp"
#include "aplomb/human/plates/plate_mass.hpp"
#include "aplomb/human/subject/mass_adjustment.hpp"

namespace aplomb {

struct PlateJudgementOptions {
  double cutoff_hz = 4.0;             ///< of the zero-phase filter, for motion and plates alike
  std::optional<double> stated_mass;  ///< [kg]
  std::optional<double> lag_s;    ///< of the plates behind the markers; found from the vertical force when not given
  std::vector<int> lost_markers;  ///< by frame, as in MassAdjustmentOptions
  bool adjusts_masses = true;     ///< false: the skeleton is judged as it is (an earlier run's)
  Eigen::Isometry3d T_motion_lab = Eigen::Isometry3d::Identity();  ///< from the recording's frame to the motion's
};

/// Everything that one recording tells about a body's centre of mass, with plates or without.
struct PlateJudgement {
  CentroidalMotion body;  ///< with the final masses
  Skeleton skeleton;      ///< with the final masses
  GroundForces forces;    ///< no plates: empty
  std::optional<PlateMass> mass;
  Rises rises;                               ///< by the best evidence that there is
  Rises motion_rises;                        ///< by the motion alone
  std::vector<FrameRange> windows;           ///< in which plates carry everything
  std::optional<MassAdjustment> adjustment;  ///< none without windows
  Verdict verdict;                           ///< of the final masses
  JointMoments moments;
  std::vector<std::string> warnings;
};

/// Throws InvalidValue for a motion that is not the skeleton's, or a cut-off that its rate does not allow.
PlateJudgement judge_by_plates(const Skeleton& skeleton, const HumanMotion& motion,
                               const std::vector<std::unique_ptr<ForcePlate>>& plates,
                               const PlateJudgementOptions& options);

}  // namespace aplomb
