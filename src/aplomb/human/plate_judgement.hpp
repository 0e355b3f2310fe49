#pragma once

#include <Eigen/Geometry>
#include <array>
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

/// Part of the body that loads a plate. `both_feet`: one plate under both feet, whose shares are unknown; hands: on arm
/// rests with plates of their own. `other`: loaded far from feet, seat and hands.
enum class PlateLoad { none, left_foot, right_foot, both_feet, seat, left_hand, right_hand, other };
const char* plate_load_name(PlateLoad load);  ///< "left foot", "seat"

/// Measurements of one plate at the frames of the motion, in the motion's frame.
struct PlateTrack {
  std::string name;
  double height = 0.0;                    ///< height of its surface: load-weighted mean height of the CoP [m]
  Matrix3Xd force;                        ///< ground reaction on the body, filtered [N]
  Matrix3Xd moment;                       ///< about the frame's origin, filtered with the same cut-off [N m]
  Eigen::VectorXd quick_force;            ///< vertical force, filtered at kQuickHz, for event detection [N]
  std::vector<PlateLoad> load;            ///< by frame
  PlateLoad main_load = PlateLoad::none;  ///< load with the largest sum of force over frames

  Wrench wrench(Eigen::Index frame) const { return {force.col(frame), moment.col(frame)}; }
};

/// Measurements of all plates at the frames of the motion.
struct GroundForces {
  double cutoff_hz = 0.0;
  double lag_s = 0.0;
  double plane_height = 0.0;  ///< load-weighted height of the foot plates, where CoPs are compared [m]
  std::vector<PlateTrack> plates;
  std::vector<char> is_seen;       ///< by frame: the plates have finite samples
  std::vector<std::string> notes;  ///< unexpected findings

  static constexpr double kQuickHz = 20.0;  ///< cut-off for event detection [Hz]

  bool has(PlateLoad load) const;
  Wrench sum(Eigen::Index frame) const;  ///< of all plates
  Wrench sum(Eigen::Index frame, PlateLoad load) const;
  Eigen::VectorXd vertical() const;  ///< vertical force of all plates together, filtered [N]
};

/// The body's mass from the force plates. They carry the whole body where F_z / (g + z̈) is at its upper level, within
/// 5 %: any other contact only reduces it. Over these frames F_z = m g + swing m z̈ is fitted; m is from the weight
/// at z̈ = 0, since soft tissue makes the force vary by some per cent more than rigid segments do. None unless the level
/// lasts 0.5 s.
struct PlateMass {
  double mass = 0.0;       ///< [kg]
  double deviation = 0.0;  ///< standard error, with 2 × cut-off independent samples per second [kg]
  double swing = 1.0;      ///< measured over predicted variation of the vertical force; 1 when it varies too little
  double seconds = 0.0;    ///< duration of the frames used
};

/// Rise from a seat and the descent back onto it. One of the two times is absent when the recording begins or ends
/// while standing.
struct Rise {
  std::optional<double> seat_off_s, seat_on_s;
  FrameRange up;  ///< frames without seat contact
  HandContacts hands{};
};

/// Measurement from which seat-off was detected.
enum class SeatEvidence { seat_plate, foot_plates, motion };
const char* seat_evidence_name(SeatEvidence evidence);
const char* seat_off_definition(SeatEvidence evidence);  ///< what counts as seat-off, as a sentence without its stop

struct Rises {
  SeatEvidence evidence = SeatEvidence::motion;
  std::vector<Rise> rises;  ///< empty when the subject never leaves a seat: squats, walking, standing
};

/// Statistics of |prediction − measurement| over frames; `mean` is signed.
struct ErrorFigures {
  double rms = 0.0, p95 = 0.0, max = 0.0, mean = 0.0;
};

/// Error of the ground reaction predicted from the motion against the plates, in some windows.
struct PlateAgreement {
  ErrorFigures cop_x, cop_y;               ///< [m], in the plane of the foot plates
  ErrorFigures force_x, force_y, force_z;  ///< [N]
  /// RMS error over the standard deviation of the measured vertical force; absent when that force varies by less than
  /// 3 % of body weight.
  std::optional<double> force_z_unexplained;
  Eigen::Index num_frames = 0;
  double worst_time_s = 0.0;      ///< time of the largest CoP error along x or y
  double worst_load_ratio = 0.0;  ///< fraction of body weight on the plates at that time
};

/// [m] Largest accepted RMS CoP error along x and y (Mistry et al. 2010: 2 cm).
inline constexpr double kCopLimit = 0.02;
/// [m] Largest accepted mean distance of the mean body's CoP from the plates': twice what bodies differ by (0.1 to 0.9
/// cm in three trials of two people). Beyond it the plates are not where they are said to be, or of another trial;
/// masses adjusted to them would hide it.
inline constexpr double kOffsetLimit = 0.02;
/// Largest accepted difference of the plates' mass from the stated one. Shoes, clothes and a weight told from memory
/// explain some 5 % (4.2 and 5.3 % in two people's recordings); beyond 8 % something else carries weight all the time,
/// or one of the two is of another person.
inline constexpr double kMassLimit = 0.08;
/// Smallest accepted fraction of the trial's frames in which the plates were recorded: forces of the same trial cover
/// it but for its ends.
inline constexpr double kCoverageLimit = 0.9;
/// Largest accepted `force_z_unexplained`: half of the variation, a quarter of its energy.
inline constexpr double kUnexplainedLimit = 0.5;

/// [standard deviations] Largest accepted shift of a plate. In two dimensions 3 are exceeded in 1.1 % of all cases.
inline constexpr double kShiftLimit = 3.0;

/// Estimated shift of one plate, or of all, from where the file says.
struct PlateShift {
  std::string plate;                                ///< empty: all plates together
  Eigen::Vector2d shift = Eigen::Vector2d::Zero();  ///< forwards, left [m]
  double deviations = 0.0;                          ///< in its own standard deviations (Mahalanobis distance)
};

struct Verdict {
  bool is_accepted = false;
  std::string text;  ///< a sentence with the errors, and where they are largest
};

/// The parameters by which the plates correct the mass distribution of a mean body. They are effective, not anatomical:
/// only the CoM of the whole body is observable.
struct MassParameters {
  static constexpr int kCount = 6;
  using Vector = Eigen::Matrix<double, kCount, 1>;
  using Covariance = Eigen::Matrix<double, kCount, kCount>;

  Eigen::Vector3d trunk_shift = Eigen::Vector3d::Zero();  ///< shift of every trunk segment's CoM, in its frame [m]
  double thigh_mass = 0.0;     ///< relative change; the trunk compensates, the total mass is kept
  double thigh_shift_x = 0.0;  ///< forward shift of both thighs' CoM, in their frames [m]
  double thigh_shift_z = 0.0;  ///< upward shift [m]

  Vector vector() const;
  static MassParameters from(const Vector& vector);
};

/// Standard deviations of what is predicted from the motion, one column per frame.
struct MotionUncertainty {
  Matrix3Xd com;                                    ///< CoM [m]
  Eigen::Matrix2Xd cop;                             ///< CoP (x, y) in the plane of the foot plates [m]
  Eigen::Vector2d force = Eigen::Vector2d::Zero();  ///< horizontal force [N]
};

/// Mass distribution adjusted to the plates.
struct MassAdjustment {
  double skin_cutoff_hz = 0.0;  ///< cut-off of the horizontal CoM, found in the fitted windows
  MassParameters parameters;
  MassParameters::Vector deviation = MassParameters::Vector::Zero();  ///< posterior standard deviation, same order
  MassParameters::Covariance covariance = MassParameters::Covariance::Zero();  ///< posterior
  Skeleton skeleton;                                                           ///< adjusted
  std::vector<FrameRange> fitted_windows, judged_windows;
  PlateAgreement before, after;                ///< in all windows
  PlateAgreement judged_before, judged_after;  ///< in the held-out windows
  double mean_body_offset = 0.0;               ///< mean distance of the mean body's CoP from the plates' [m]
  std::optional<PlateShift> plate_shift;       ///< the most significant one; absent without windows
  Verdict verdict_before, verdict;             ///< in the held-out windows
  /// Fraction of the CoP samples in the held-out windows (x and y) with an error within two standard deviations of
  /// their own, all from the fitted windows.
  double judged_within_two_deviations = 0.0;
  MotionUncertainty uncertainty;  ///< with the final masses
  int num_iterations = 0;
};

/// Net joint moments in the windows where the plates carry the whole body; without plates, in all frames from
/// ReactionForces.
struct JointMoments {
  std::vector<std::string> names;  ///< joints, in the order of the rows
  Eigen::MatrixXd moment;          ///< [N m], one column per frame; NaN outside the windows
  /// Residual wrench at the pelvis, in its axes about mid-hip: force [N], moment [N m].
  Matrix6Xd pelvis_residual;
  bool are_legs_split = true;  ///< false: a plate carries both feet, so a leg's flexion rows hold the sum of both legs
                               ///< (exact where the legs are parallel), and its other rows NaN
  bool are_measured = true;    ///< false: the forces are ReactionForces, from the motion alone
  std::string note;            ///< explains what is special in a sentence; empty: nothing
};

/// Ground reaction of feet and seat from the motion alone: no plate is used, nor the masses that plates adjust. One
/// column per frame, in the motion's frame.
struct ReactionForces {
  static constexpr int kLeftFoot = 0, kRightFoot = 1, kSeat = 2, kCount = 3;
  static const char* name(int contact);  ///< "left_foot", "right_foot", "seat"

  std::array<Matrix3Xd, kCount> force;       ///< [N]
  std::array<Eigen::Matrix2Xd, kCount> cop;  ///< CoP (x, y); where a contact carries nothing, its centre [m]
  Eigen::VectorXd seat_share;                ///< fraction of the vertical force, 0 ... 1
  Eigen::VectorXd seat_share_deviation;      ///< its standard deviation
  Eigen::VectorXd left_share_deviation;      ///< of the left foot's fraction of the feet's vertical force
  double plane_height = 0.0;                 ///< of the floor [m]
  std::string note;                          ///< why there are no forces; empty: there are

  bool is_known() const { return note.empty(); }
};

/// Agreement of ReactionForces with the plates, from 0.1 s before seat-off until seat-on; seat: the other frames.
/// Without rises (walking, squats): where the plates carry the whole body. All root mean square. Forces in fractions of
/// body weight, each in its own.
struct ReactionAgreement {
  double feet_force = 0.0;  ///< vertical force of both feet
  double foot_force = 0.0;  ///< vertical force of each foot
  double feet_cop = 0.0;    ///< CoP of both feet, forwards [m]
  double seat_share = 0.0;  ///< force that the foot plates miss
};

struct PlateJudgementOptions {
  double cutoff_hz = 4.0;             ///< cut-off of the zero-phase filter, for motion and plates alike
  std::optional<double> stated_mass;  ///< [kg]
  std::optional<double> lag_s;        ///< delay of the plates behind the markers; absent: found from the vertical force
  std::vector<int> lost_markers;      ///< missing pelvis and trunk markers by frame; such frames weigh less
  Matrix3Xd marker_variance;          ///< of the CoM by axis and frame, due to the markers [m²]; empty: none
  bool adjusts_masses = true;         ///< false: the mass distribution is kept, only the total mass is from the plates
  Eigen::Isometry3d T_motion_lab = Eigen::Isometry3d::Identity();  ///< from the recording's frame to the motion's
};

/// Centroidal motion, rises and, with force plates, mass distribution and agreement of one recording.
struct PlateJudgement {
  bool has_plates = false;                  ///< the recording has force plates, loaded or not
  bool plates_carry_body = false;           ///< they carry the whole body for at least 0.5 s
  std::optional<double> mass_disagreement;  ///< |plates' mass / stated mass − 1|
  double coverage = 0.0;                    ///< fraction of the frames in which the plates were recorded
  CentroidalMotion body;                    ///< with the final masses
  MotionUncertainty uncertainty;            ///< of `body`
  Skeleton skeleton;                        ///< with the final masses
  GroundForces forces;                      ///< no plates: empty
  std::optional<PlateMass> mass;
  Rises rises;                               ///< from the best evidence available
  Rises motion_rises;                        ///< from the motion alone
  ContactSchedule contacts;                  ///< of feet, seat and hands, from the best evidence available
  std::vector<FrameRange> windows;           ///< intervals in which the plates carry the whole body
  std::optional<MassAdjustment> adjustment;  ///< absent without windows
  Verdict verdict;                           ///< accepted when mass, times, forces and CoP of the plates agree
  JointMoments moments;
  ReactionForces reactions;
  std::optional<ReactionAgreement> reaction_agreement;  ///< absent without complete windows
  std::vector<std::string> warnings;
};

/// Compares the motion with the plates, and adjusts the masses to them. Throws InvalidValue for a motion that is not
/// the skeleton's, or a cut-off that its rate does not allow.
PlateJudgement judge_by_plates(const Skeleton& skeleton, const HumanMotion& motion,
                               const std::vector<std::unique_ptr<ForcePlate>>& plates,
                               const PlateJudgementOptions& options);

/// A motion with its plates, to be judged together with others of the same person.
struct PlatedMotion {
  const HumanMotion& motion;
  const std::vector<std::unique_ptr<ForcePlate>>& plates;
  PlateJudgementOptions options;
};

/// Compares several motions of one person with their plates and adjusts one mass distribution to all of them. Each
/// motion is judged by the masses that the others give; a single one with plates by its own held-out windows. Motions
/// without plates get the masses, too.
std::vector<PlateJudgement> judge_together(const Skeleton& skeleton, const std::vector<PlatedMotion>& motions);

}  // namespace aplomb
