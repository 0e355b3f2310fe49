#pragma once

// Private to sim/.
#include <array>

#include "aplomb/sim/mujoco/engine.hpp"
#include "aplomb/sim/mujoco/spring_contacts.hpp"

namespace aplomb {

/// Contact wrenches of the world on the robot, summed by limb.
struct ContactWrenches {
  std::array<Wrench, 2> foot;                         ///< in the foot's frame, about its origin
  std::array<Wrench, 2> hand;                         ///< in the hand's frame, about its origin
  std::array<std::array<double, 4>, 2> load_cells{};  ///< along the foot's z, at each corner of the sole [N]
  Wrench seat;             ///< of seat and back on the robot: world axes, about the middle of the seat's front edge
  bool only_soles = true;  ///< no contact other than at the soles
};

/// Overlap of the robot with the top of the seat.
struct SeatOverlap {
  int count = 0;       ///< number of contacts
  double depth = 0.0;  ///< largest penetration [m]
  double x = 0.0;      ///< mean x of the contacts, in the world [m]
};

/// Sums contact forces at the engine's last step, its own and those of springs.
class ContactReader {
 public:
  ContactReader(const RobotModel& robot, const World& world, const MujocoModel& built);
  ContactWrenches read(const Engine& engine, const SpringContacts& springs) const;
  SeatOverlap seat_overlap(const Engine& engine) const;

 private:
  struct Limb {
    int body = -1;  ///< -1: the robot has none
    Eigen::Isometry3d T_body_link = Eigen::Isometry3d::Identity();
  };
  struct Corner {
    int geom = -1, side = kLeft;
    std::size_t index = 0;
  };
  static Wrench in_limb(const Engine& engine, const Limb& limb, const Wrench& in_world);

  int first_body_ = 0;  ///< first body of the robot; lower indices belong to the world
  std::array<Limb, 2> feet_, hands_;
  std::vector<Corner> corners_;
  std::array<std::array<std::size_t, 4>, 2> corner_of_cell_{};  ///< the order in which cells are read
  std::vector<int> chair_geoms_;
  Eigen::Vector3d seat_origin_ = Eigen::Vector3d::Zero();
};

}  // namespace aplomb
