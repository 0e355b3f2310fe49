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

/// Name and description of a style of moving.
struct StyleSummary {
  std::string name, about;
  bool has_rise = false, has_sit_down = false;  ///< from a chair, onto a chair
};
std::vector<StyleSummary> known_styles();

struct DemonstratorOptions {
  Person person;
  std::string style = "natural";  ///< one of known_styles()
  double speed = 1.0;             ///< factor on the style's usual speed
  int repeats = 1;                ///< number of repetitions; between two rises the person sits down
};

inline constexpr double kSlowest = 0.4, kFastest = 1.15;
inline constexpr int kMostRepeats = 50;

/// Noise-free measurement of one force plate on the floor (z = 0), one column per sample.
struct PlateTruth {
  std::array<Eigen::Vector3d, 4> corners;  ///< [m], in the order of C3D
  Eigen::Matrix3Xd force;                  ///< ground reaction on the body [N]
  Eigen::Matrix2Xd cop;                    ///< [m]; without load: the plate's centre
  Eigen::RowVectorXd free_moment;          ///< about the vertical through the CoP, on the body [N m]
};

/// Samples in which the same feet stand on the same places.
struct SupportPhase {
  Eigen::Index begin = 0;                   ///< first sample; it ends where the next one begins
  std::array<bool, 2> is_down{true, true};  ///< left, right
  std::vector<Eigen::Vector2d> polygon;     ///< convex hull of the soles on the floor [m]
};
/// The phase of a sample. The first phase begins with sample 0.
const SupportPhase& phase_at(const std::vector<SupportPhase>& phases, Eigen::Index sample);

/// A synthetic motion with its ground truth. Lab frame: the origin on the floor between the ankles, x where the person
/// faces, y left, z up. Plates have `samples_per_frame` samples for each frame of the motion.
struct Demonstration {
  DemonstratorOptions options;
  Skeleton skeleton;                    ///< with the person's scales and masses
  std::vector<AttachedMarker> markers;  ///< true positions: 41, and six medial ones for the static trial only
  HumanMotion motion;                   ///< 100 Hz, of human_robot(skeleton)
  Eigen::VectorXd neutral;              ///< q of the static trial

  int samples_per_frame = 4;
  CentroidalDynamics forces;      ///< one column per sample
  Eigen::Matrix2Xd zmp;           ///< ZMP of all contacts [m]
  Eigen::RowVectorXd seat_share;  ///< fraction of the vertical force on the seat; zero from seat-off on
  Eigen::RowVectorXd hand_share;  ///< fraction of the force on the arm rests, half on each hand; no plate measures it
  /// Contact points of the palms on the arm rests, left and right [m].
  std::array<Eigen::Vector3d, 2> rests = zero_array<Eigen::Vector3d, 2>();
  PlateTruth feet, seat;              ///< two plates, as in Mistry et al. (2010): under the feet and under the chair
  std::vector<SupportPhase> support;  ///< which feet stand, in the order of time

  /// Convex hull of the soles on the floor [m].
  const std::vector<Eigen::Vector2d>& support_at(Eigen::Index sample) const {
    return phase_at(support, sample).polygon;
  }

  std::vector<double> seat_off_s, seat_on_s;
  std::vector<double> hands_off_s, hands_on_s;  ///< empty without arm rests
  double chair_height_m = 0.0;                  ///< height of the seat; 0: no chair
  double zmp_margin_m = 0.0;  ///< smallest distance of the ZMP to the edge of the support polygon without seat contact
  int iterations = 0;         ///< iterations of the ZMP correction

  Eigen::Index sample_of(Eigen::Index frame) const { return frame * samples_per_frame; }
};

/// Generates a demonstration. Throws UnknownName for an unknown style, InvalidValue for a number out of range or a
/// speed at which the ZMP leaves the feet.
Demonstration demonstrate(const DemonstratorOptions& options);
/// The same with the sizes and masses of a given light skeleton.
Demonstration demonstrate(const DemonstratorOptions& options, Skeleton skeleton);

}  // namespace aplomb
