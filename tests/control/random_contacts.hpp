#pragma once

#include <Eigen/Geometry>
#include <random>
#include <vector>

#include "aplomb/control/contact/contact.hpp"

namespace aplomb::test {

inline const Eigen::Vector3d kCom(0.03, 0.0, 0.77);
inline constexpr double kWeight = 510.0;  ///< [N]

/// Two feet of a robot of human size on ground that is tilted by up to `tilt` rad under each.
inline std::vector<Contact> two_feet(std::mt19937_64& engine, double tilt, double friction = 0.8) {
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  std::vector<Contact> feet(2);
  for (int side = 0; side < 2; ++side) {
    Contact& foot = feet[static_cast<std::size_t>(side)];
    const Eigen::Vector3d axis(unit(engine), unit(engine), unit(engine));
    foot.R_world_contact = Eigen::AngleAxisd(tilt * unit(engine), axis.normalized()).toRotationMatrix();
    foot.centre = Eigen::Vector3d(0.03 + 0.05 * unit(engine), side == 0 ? 0.1 : -0.1, 0.02 * unit(engine));
    foot.point = foot.centre;
    foot.half_length = 0.1;
    foot.half_width = 0.05;
    foot.twist_radius = 0.05;
    foot.friction = friction;
    foot.availability = 1.0;
  }
  return feet;
}

inline MomentumRate random_rate(std::mt19937_64& engine, double newtons, double newton_metres) {
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  MomentumRate rate;
  for (int i = 0; i < 3; ++i) rate.linear[i] = newtons * unit(engine);
  for (int i = 0; i < 3; ++i) rate.angular[i] = newton_metres * unit(engine);
  return rate;
}

inline MomentumRate rate_of(const std::vector<Contact>& contacts, const std::vector<ContactLoad>& loads) {
  MomentumRate rate{.linear = Eigen::Vector3d(0.0, 0.0, -kWeight)};
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    rate.linear += loads[i].force;
    rate.angular += loads[i].moment + (contacts[i].point - kCom).cross(loads[i].force);
  }
  return rate;
}

}  // namespace aplomb::test
