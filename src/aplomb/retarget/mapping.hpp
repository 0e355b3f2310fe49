#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "aplomb/core/math/zero_array.hpp"
#include "aplomb/motion/trajectory.hpp"
#include "aplomb/robot/robot_state.hpp"

namespace aplomb {

/// Part of a trial that a clip shows.
enum class ClipKind { rise, sit_down, whole };

/// Frames of a clip in which a part of the person bears on the floor, a seat or an arm rest.
struct ContactInterval {
  ContactSite site = ContactSite::left_foot;
  Eigen::Index begin = 0, end = 0;  ///< first frame in contact, first frame after it
};

/// A moment of a clip that the motion of a robot can be anchored at.
struct KeyFrame {
  enum class Kind { seated, seat_off, standing, seat_on };  ///< at rest on the seat, off it, at rest upright, on it
  Kind kind = Kind::seated;
  Eigen::Index first = 0, last = 0;  ///< frames at rest; the first frame off the seat, or on it, twice
};

/// Frames of one rise of a person; frame 0 is the first of the clip. Of a sit-down: the same moments in reverse order.
struct RiseFrames {
  Eigen::Index overlay = 0;                ///< frame at rest on the seat, whose posture is laid over the seated robot
  Eigen::Index onset = 0;                  ///< the body begins to move; of a sit-down, it has come to rest on the seat
  Eigen::Index seat_off = 0;               ///< first frame off the seat; of a sit-down, first frame on it
  Eigen::Index stand = 0;                  ///< the body has come to rest upright; of a sit-down, it begins to move
  std::array<Eigen::Index, 2> hand_off{};  ///< left, right: first frame off the arm rest; 0: the hand rests on none
};

/// Markers and centre of mass of a person during a clip of a trial; x forward, y left, z up, the floor at z = 0.
struct HumanPath {
  double rate_hz = 0.0, start_s = 0.0;  ///< rate of the clip, and its start in the recording's time
  ClipKind kind = ClipKind::rise;
  RiseFrames rise;                        ///< of a whole trial: of its first rise; all 0 without a seat
  std::vector<KeyFrame> keys;             ///< in the order of time
  std::vector<ContactInterval> contacts;  ///< of feet, hands and seat; those of one site do not overlap
  std::vector<std::string> labels;        ///< labels of the markers
  std::vector<int> segments;              ///< segment of each marker
  Eigen::MatrixXd markers;                ///< three rows per marker, one column per frame [m]
  Eigen::Matrix3Xd com;                   ///< one column per frame [m]
  /// Left foot, then right: centre of the sole [m], and rotation vector from its pose in some frame, the same for all
  /// frames [rad]; one column per frame. Empty: the feet stay where they are.
  Eigen::MatrixXd feet;
  double flight_s = 0.0;                             ///< longest time without a contact of feet and seat
  Eigen::Vector3d ankles = Eigen::Vector3d::Zero();  ///< mid-point of the ankle joints in the overlay frame [m]
  double leg_length = 0.0;                           ///< thigh and shank [m]
  double heel_x = 0.0, toe_x = 0.0;                  ///< ends of both soles together, in the overlay frame [m]
  std::array<Eigen::Vector3d, 2> wrists = zero_array<Eigen::Vector3d, 2>();  ///< left, right, in the overlay frame [m]
  std::optional<double> hand_share;  ///< largest fraction of the force on the arm rests; absent: not measured

  Eigen::Index num_frames() const { return com.cols(); }
  double time_s(Eigen::Index frame) const { return start_s + static_cast<double>(frame) / rate_hz; }
  bool is_in_contact(ContactSite site, Eigen::Index frame) const;
  Eigen::Vector3d marker(std::size_t i, Eigen::Index frame) const {
    return markers.block<3, 1>(3 * static_cast<Eigen::Index>(i), frame);
  }
};

/// Time from a frame to the nearest one on the seat: 0 on it, infinite when the clip has no seat [s].
double seat_distance_s(const HumanPath& human, Eigen::Index frame);

/// Robot body that follows each segment of the person.
struct LinkMap {
  struct Entry {
    std::string segment;    ///< segment of the skeleton
    std::string link;       ///< link of the robot; empty: the segment's markers are not used
    int body = -1;          ///< body of the link
    bool is_given = false;  ///< chosen by the user
  };
  std::vector<Entry> entries;  ///< one per segment, in the skeleton's order

  const Entry& of(int segment) const { return entries[static_cast<std::size_t>(segment)]; }
};

/// One hand of a robot on an arm rest.
struct RestingHand {
  std::size_t side = 0;                              ///< 0 left, 1 right
  int body = 0;                                      ///< body of the hand
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();  ///< contact point in the body's frame [m]
  Eigen::Vector3d place = Eigen::Vector3d::Zero();   ///< contact point in the world [m]
};

/// A robot on its chair.
struct SeatedRobot {
  RobotState state;           ///< feet flat, the mid-point of the soles above the origin
  double chair_height = 0.0;  ///< [m]
  double clearance = 0.0;     ///< height of the hip axes above the seat [m]
  bool is_measured = false;   ///< the posture `seated` of the robot's YAML; otherwise computed from its geometry
  std::vector<std::string> notes;
  std::vector<RestingHand> hands;  ///< hands on arm rests

  double hip_height() const { return chair_height + clearance; }
};

/// A marker that is fixed to a body of the robot.
struct RobotMarker {
  int body = 0;
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();  ///< in the body's frame [m]
  double weight = 1.0;
};

/// A person's markers laid over a robot. The body is scaled about its ankles by the ratio of the leg lengths and its
/// ankles are moved to the robot's:  x* = s (x − ankles) + ankles of the robot. Every marker is attached to the link of
/// its segment, at its position in the overlay frame: these are the robot's markers (Mistry et al. 2010, section on
/// retargeting).
struct Overlay {
  double scale = 1.0;                                      ///< s
  Eigen::Vector3d human_ankles = Eigen::Vector3d::Zero();  ///< [m]
  Eigen::Vector3d robot_ankles = Eigen::Vector3d::Zero();  ///< [m]
  std::vector<RobotMarker> markers;
  std::vector<std::size_t> sources;   ///< index of the person's marker, for each of `markers`
  std::vector<std::string> left_out;  ///< labels of the markers without a link on the robot
  /// Shift of each marker's target by frame, x, y, z of every marker below each other [m]. A robot whose legs are not
  /// the person's sits with its hips elsewhere over its feet; laid over it there, the markers would ask for this
  /// difference also where it stands, and the trunk would lean to reach them. So the shift is that with which the
  /// markers fit the robot that stands like the person, fading to zero on the way to the seat. Empty: zero.
  Eigen::MatrixXd shift;

  Eigen::Vector3d map(const Eigen::Vector3d& x) const { return scale * (x - human_ankles) + robot_ankles; }
  /// Target of marker `index` of `markers` in a frame of the clip [m].
  Eigen::Vector3d target(const HumanPath& human, std::size_t index, Eigen::Index frame) const {
    const Eigen::Vector3d laid = map(human.marker(sources[index], frame));
    if (shift.cols() == 0) return laid;
    return laid + shift.block<3, 1>(3 * static_cast<Eigen::Index>(index), frame);
  }
};

/// Reference of the robot's centre of mass from the person's:  c* = s c_h + o, s the ratio of the leg lengths. The
/// offset o has an anchor at every key of the clip:
///   seated            the robot's own centre of mass on its chair;
///   seat-off, seat-on that of the robot with its hips on the seat and the person's posture as far as it can take it;
///   standing          that of the person's posture, at the person's fraction of the soles' length.
/// Between the anchors o is a minimum-jerk blend. Off the seat its vertical part follows the person's height instead of
/// time, so that a person who has not risen yet is not lowered.
struct ComMap {
  struct Anchor {
    KeyFrame key;
    Eigen::Vector3d com = Eigen::Vector3d::Zero();     ///< c* there [m]
    Eigen::Vector3d offset = Eigen::Vector3d::Zero();  ///< o there [m]
    double height = 0.0;                               ///< of the person's centre of mass there [m]
  };
  double scale = 1.0;  ///< s
  std::vector<Anchor> anchors;
  Eigen::Matrix2Xd stance_shift;  ///< by frame, added to o in x and y, see foot_paths.hpp; empty: none [m]

  /// The anchors around a frame, and how far it is from the first to the second (minimum jerk, 0 to 1).
  struct Between {
    std::size_t from = 0, to = 0;
    double part = 0.0;
  };
  Between between(Eigen::Index frame) const;

  /// o at a frame in which the person's centre of mass is at `height` [m].
  Eigen::Vector3d offset(Eigen::Index frame, double height) const;
  Eigen::Vector3d map(const Eigen::Vector3d& human_com, Eigen::Index frame) const {
    return scale * human_com + offset(frame, human_com.z());
  }
  double anchor_change()
      const;  ///< largest change of o from one anchor off the seat, or at its release, to the next [m]
};

}  // namespace aplomb
