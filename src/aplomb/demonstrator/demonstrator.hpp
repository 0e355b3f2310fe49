#pragma once

#include <Eigen/Core>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "aplomb/core/math/zero_array.hpp"
#include "aplomb/demonstrator/person.hpp"
#include "aplomb/human/human_motion.hpp"
#include "aplomb/motion/centroidal_dynamics.hpp"

namespace aplomb {

/// A style of moving, by its name.
struct StyleSummary {
  std::string name, about;
};
std::vector<StyleSummary> known_styles();

struct DemonstratorOptions {
  Person person;
  std::string style = "natural";  ///< one of known_styles()
  double speed = 1.0;             ///< of the usual pace
  int repeats = 1;                ///< times that the motion is shown; between two rises the person sits down
};

inline constexpr double kSlowest = 0.4, kFastest = 1.15;
inline constexpr int kMostRepeats = 50;

/// What one force plate feels, one column a sample. It lies on the floor, z = 0.
struct PlateTruth {
  std::array<Eigen::Vector3d, 4> corners;  ///< [m], in the order of C3D
  Eigen::Matrix3Xd force;                  ///< on the body [N]
  Eigen::Matrix2Xd cop;                    ///< [m]; without load: the middle of the plate
  Eigen::RowVectorXd free_moment;          ///< about the vertical through the CoP, on the body [N m]
};

/// A person who stands up, with all that is true of it. Lab frame: the origin on the floor between the ankles, x where
/// the person faces, y left, z up. Plates have `samples_per_frame` samples for each frame of the motion.
struct Demonstration {
  DemonstratorOptions options;
  Skeleton skeleton;                 ///< with the person's scales and masses
  std::vector<StuckMarker> markers;  ///< where they truly are; 41, and six medial ones that only a trial at rest has
  HumanMotion motion;                ///< 100 Hz, of human_robot(skeleton)
  Eigen::VectorXd neutral;           ///< q of the trial at rest

  int samples_per_frame = 4;
  CentroidalDynamics forces;      ///< a column a sample
  Eigen::Matrix2Xd zmp;           ///< of all forces together [m]
  Eigen::RowVectorXd seat_share;  ///< of the weight that the seat carries; zero from seat-off on
  Eigen::RowVectorXd hand_share;  ///< that both hands carry on arm rests, half each; no plate feels it
  /// Where the palms press on arm rests, left and right [m].
  std::array<Eigen::Vector3d, 2> rests = zero_array<Eigen::Vector3d, 2>();
  PlateTruth feet, seat;                 ///< two plates, as in Mistry et al. (2010): under the feet and under the chair
  std::vector<Eigen::Vector2d> support;  ///< hull of the soles [m]

  std::vector<double> seat_off_s, seat_on_s;
  std::vector<double> hands_off_s, hands_on_s;  ///< none without arm rests
  double chair_height_m = 0.0;                  ///< of the seat; 0: there is no chair
  double zmp_margin_m = 0.0;  ///< smallest distance of the ZMP to the edge of the feet while the seat carries nothing
  int iterations = 0;         ///< of the ZMP's repair

  Eigen::Index sample_of(Eigen::Index frame) const { return frame * samples_per_frame; }
};

/// Throws UnknownName on a style, InvalidValue on a number out of range or a speed at which nobody keeps the balance.
Demonstration demonstrate(const DemonstratorOptions& options);
/// The same with a body of the caller's making (the light skeleton): its sizes and masses are those that move.
Demonstration demonstrate(const DemonstratorOptions& options, Skeleton skeleton);

}  // namespace aplomb
