#pragma once

#include <Eigen/Geometry>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/human/centroidal_motion.hpp"
#include "aplomb/human/human_motion.hpp"
#include "aplomb/human/human_trial.hpp"
#include "aplomb/human/skeleton/skeleton.hpp"
#include "aplomb/recording/force_plate.hpp"
#include "aplomb/recording/points.hpp"

namespace aplomb {

/// What stands on a plate. `both_feet`: one plate under two feet, whose parts nobody can tell. `other`: pressed far
/// from feet and seat.
enum class PlateLoad { none, left_foot, right_foot, both_feet, seat, other };
const char* plate_load_name(PlateLoad load);  ///< "left foot", "seat"

/// One plate on the frames of the motion, in the motion's frame.
struct PlateTrack {
  std::string name;
  double height = 0.0;                    ///< of its surface: mean height of its CoP, by load [m]
  Matrix3Xd force;                        ///< on the body, filtered [N]
  Matrix3Xd moment;                       ///< about the frame's origin, filtered alike [N m]
  Eigen::VectorXd quick_force;            ///< vertical, filtered at kQuickHz only: for events [N]
  std::vector<PlateLoad> load;            ///< by frame
  PlateLoad main_load = PlateLoad::none;  ///< what carried most on it

  Wrench wrench(Eigen::Index frame) const { return {force.col(frame), moment.col(frame)}; }
};

/// All plates of a recording beside the motion.
struct GroundForces {
  double cutoff_hz = 0.0;
  double lag_s = 0.0;
  double plane_height = 0.0;  ///< of the foot plates, by load: where CoPs are compared [m]
  std::vector<PlateTrack> plates;
  std::vector<char> is_seen;       ///< by frame: the plates were recorded then, with finite values
  std::vector<std::string> notes;  ///< what surprises

  static constexpr double kQuickHz = 20.0;

  bool has(PlateLoad load) const;
  Wrench sum(Eigen::Index frame) const;  ///< of all plates
  Wrench sum(Eigen::Index frame, PlateLoad load) const;
  Eigen::VectorXd vertical() const;  ///< of all plates together, filtered [N]
};

/// The body's mass as the plates tell it. Which frames they carry alone is found first: where F_z / (g + z̈) is at its
/// upper level, within 5 % (a seat, a wall or the ground beside a plate only ever takes from it). Through these frames
/// goes the line F_z = m g + swing m z̈: m is told by the force at z̈ = 0, since the swings of a body with soft parts are
/// some per cent larger than those of rigid segments. None without such a level of at least half a second.
struct PlateMass {
  double mass = 0.0;       ///< [kg]
  double deviation = 0.0;  ///< standard error, 2 × cut-off independent samples a second [kg]
  double swing = 1.0;    ///< measured over predicted swings of the vertical force; 1 when the body is too quiet to tell
  double seconds = 0.0;  ///< of recording used
};

/// Up from a seat, and down again as far as the recording shows it. One of the two times may be missing, where the
/// recording begins or ends on the feet.
struct Rise {
  std::optional<double> seat_off_s, seat_on_s;
  FrameRange up;  ///< frames without the seat
  HandContacts hands{};
};

/// By what seat-off was told.
enum class SeatEvidence { seat_plate, foot_plates, motion };
const char* seat_evidence_name(SeatEvidence evidence);

struct Rises {
  SeatEvidence evidence = SeatEvidence::motion;
  std::vector<Rise> rises;  ///< none when the subject never leaves a seat: squats, walking, standing
};

/// Of |prediction − plates| over frames; `mean` keeps its sign.
struct ErrorFigures {
  double rms = 0.0, p95 = 0.0, max = 0.0, mean = 0.0;
};

/// How far a predicted motion of the ground's forces is from the measured one, in some windows.
struct PlateAgreement {
  ErrorFigures cop_x, cop_y;               ///< [m], on the plane of the foot plates
  ErrorFigures force_x, force_y, force_z;  ///< [N]
  Eigen::Index num_frames = 0;
  double worst_time_s = 0.0;      ///< of the largest CoP error along x or y
  double worst_load_ratio = 0.0;  ///< of the weight that the plates carried then
};

inline constexpr double kCopLimit = 0.02;  ///< [m] RMS along x, and along y (Mistry et al. ask for 2 cm)

struct Verdict {
  bool is_accepted = false;
  std::string text;  ///< what agrees; what disagrees, where and by how much
};

/// The few numbers by which plates may correct the masses of a mean body. They are effective, not anatomical: what they
/// mend is the whole body's CoM.
struct MassParameters {
  static constexpr int kCount = 6;
  using Vector = Eigen::Matrix<double, kCount, 1>;

  Eigen::Vector3d trunk_shift = Eigen::Vector3d::Zero();  ///< of the CoM of every trunk segment, in its frame [m]
  double thigh_mass = 0.0;     ///< relative change; the trunk gives or takes, the body's mass stays
  double thigh_shift_x = 0.0;  ///< of both thighs' CoM, in their frames: forwards [m]
  double thigh_shift_z = 0.0;  ///< upwards [m]

  Vector vector() const;
  static MassParameters from(const Vector& vector);
};

/// What the plates say about the masses.
struct MassAdjustment {
  MassParameters parameters;
  MassParameters::Vector deviation = MassParameters::Vector::Zero();  ///< what prior and data leave open, same order
  Skeleton skeleton;                                                  ///< adjusted
  std::vector<FrameRange> fitted_windows, judged_windows;
  PlateAgreement before, after;                ///< in all windows
  PlateAgreement judged_before, judged_after;  ///< in those that the fit has not seen
  Verdict verdict_before, verdict;             ///< of the judged windows
  int num_iterations = 0;
};

/// Net moments at the joints, in the windows where the plates carry all of the body.
struct JointMoments {
  std::vector<std::string> names;  ///< joints, in the order of the rows
  Eigen::MatrixXd moment;          ///< [N m], one column a frame; NaN outside of the windows
  /// What the model would need besides the plates at the pelvis, in its axes about mid-hip: force [N], moment [N m].
  Matrix6Xd pelvis_residual;
  bool are_legs_split = true;  ///< false: a plate carries both feet, so a leg's flexion rows hold the sum of both legs
                               ///< (exact where the legs are parallel), and its other rows NaN
  std::string note;            ///< says so
};

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
