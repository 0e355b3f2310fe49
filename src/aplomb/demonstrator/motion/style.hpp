#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace aplomb {

/// A style of moving, as parameters of a person of 1.75 m. Lengths are scaled with the height, times with its square
/// root (the same motion at the same Froude number), so that balance does not depend on the height.
struct DemonstrationStyle {
  /// Forward pitch of the trunk [rad] at a time; at rest at each key, before the first and after the last one.
  struct TrunkKey {
    double time_s = 0.0, pitch = 0.0;
  };
  /// Hips at rest at a time: the position with knee flexion `knee` [rad] and the centre of mass at (com_x, com_y) from
  /// the mid-point of the ankles [m], for the trunk's pitch at that time.
  struct Station {
    double time_s = 0.0, knee = 0.0, com_x = 0.0, com_y = 0.0;
    double over_foot = 0.0;  ///< added to com_y, in half stance widths: 1 over the left foot, -1 over the right one
  };

  /// A foot that is lifted, moved or put down, from rest to rest.
  struct FootMove {
    int side = 0;  ///< 0 left, 1 right
    double start_s = 0.0, end_s = 0.0;
    double forward = 0.0, up = 0.0;  ///< displacement that remains [m]
    double arc = 0.0;                ///< additional height in the middle [m]
  };

  /// Both arms, stretched out forward and taken back.
  struct Reach {
    double start_s = 0.0, there_s = 0.0, leave_s = 0.0, back_s = 0.0;  ///< back_s 0: the arms hang
    double flexion = 0.0;  ///< of the shoulders, more than that of hanging arms [rad]
  };

  /// Hands that push off arm rests.
  struct Hands {
    double release_s = 0.0;      ///< time of release; 0: no arm rests, the arms hang
    double let_go_s = 0.0;       ///< duration of the motion from the rest to hanging arms
    double share_at_rest = 0.0;  ///< fraction of the contact force on the hands while sitting still
    double share = 0.0;          ///< the same at seat-off; fades to zero at the release
  };

  /// Which way the motion is played; backwards, a rise is a sit-down with the same accelerations and forces.
  enum class Direction { forward, backward, there_and_back };

  std::string name, about;
  Direction direction = Direction::forward;
  bool is_seated = false;   ///< starts on a chair, else standing at the first station
  double shank_lean = 0.0;  ///< forward lean of the shanks while seated [rad]
  double seat_off_s = 0.0;  ///< time of seat-off, when seated at first
  std::vector<TrunkKey> trunk;
  std::vector<Station> stations;  ///< in the order of their times
  double duration_s = 0.0;
  Hands hands{};
  std::vector<FootMove> foot_moves{};  ///< in the order of their times; empty: both feet stand all the time
  Reach reach{};
};

const std::vector<DemonstrationStyle>& demonstration_styles();
/// Throws UnknownName, which lists the known styles.
const DemonstrationStyle& demonstration_style(std::string_view name);

/// The style in metres and seconds for a person of `height_m` at `speed` times the usual speed.
DemonstrationStyle scaled_style(const DemonstrationStyle& style, double height_m, double speed);

}  // namespace aplomb
