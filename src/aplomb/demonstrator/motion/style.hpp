#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace aplomb {

/// How somebody moves, as numbers of a person of 1.75 m. Lengths are scaled with the height, times with its square root
/// (the same motion at the same Froude number), so that tall and small people balance alike.
struct DemonstrationStyle {
  /// The trunk's forward pitch [rad] at a time; at rest there, and at rest before the first and after the last key.
  struct TrunkKey {
    double time_s = 0.0, pitch = 0.0;
  };
  /// Where the hips are at a time, at rest: so that the knees are bent by `knee` [rad] and the centre of mass is at
  /// (com_x, com_y) from the mid-point of the ankles [m], with the trunk as its keys say.
  struct Station {
    double time_s = 0.0, knee = 0.0, com_x = 0.0, com_y = 0.0;
  };

  /// Hands that push off arm rests.
  struct Hands {
    double release_s = 0.0;      ///< when they leave the rests; 0: there are none, the arms hang
    double let_go_s = 0.0;       ///< in which they then come to where the arms hang
    double share_at_rest = 0.0;  ///< of the whole force that the hands carry while the person sits still
    double share = 0.0;          ///< at seat-off; from then on it goes to zero at the release
  };

  std::string name, about;
  bool is_seated = false;   ///< at first: on a chair, else standing at the first station
  double shank_lean = 0.0;  ///< of the seated person, knees in front of the ankles [rad]
  double seat_off_s = 0.0;  ///< of the seated person: when the hips leave the seat
  std::vector<TrunkKey> trunk;
  std::vector<Station> stations;  ///< in the order of their times
  double duration_s = 0.0;
  Hands hands{};
};

const std::vector<DemonstrationStyle>& demonstration_styles();
/// Throws UnknownName, which lists them.
const DemonstrationStyle& demonstration_style(std::string_view name);

/// The style in metres and seconds of a person of `height_m` who moves `speed` times as fast as others of that size.
DemonstrationStyle scaled_style(const DemonstrationStyle& style, double height_m, double speed);

}  // namespace aplomb
