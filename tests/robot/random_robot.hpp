#pragma once

#include <map>
#include <random>
#include <string>
#include <vector>

#include "aplomb/robot/dynamics/body_tree.hpp"

namespace aplomb::test {

struct PointMass {
  double mass = 0.0;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
};

/// Straight from the definition: the sum of m (|r|² 1 − r rᵀ) over the points.
inline Eigen::Matrix3d inertia_about(const std::vector<PointMass>& points, const Eigen::Vector3d& origin) {
  Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
  for (const PointMass& point : points) {
    const Eigen::Vector3d r = point.position - origin;
    sum += point.mass * (r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose());
  }
  return sum;
}

inline Inertia inertia_of(const std::vector<PointMass>& points) {
  Inertia inertia;
  for (const PointMass& point : points) {
    inertia.mass += point.mass;
    inertia.com += point.mass * point.position;
  }
  if (inertia.mass > 0.0) inertia.com /= inertia.mass;
  inertia.about_com = inertia_about(points, inertia.com);
  return inertia;
}

class RandomNumbers {
 public:
  explicit RandomNumbers(unsigned seed) : engine_(seed) {}
  double within(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  int below(int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(engine_); }
  Eigen::Vector3d vector() { return {within(-1.0, 1.0), within(-1.0, 1.0), within(-1.0, 1.0)}; }
  Eigen::Isometry3d pose() {
    Eigen::Isometry3d T = Eigen::Translation3d(vector()) * Eigen::AngleAxisd(within(-3.0, 3.0), vector().normalized());
    return T;
  }

 private:
  std::mt19937_64 engine_;
};

/// Of six random points.
inline Inertia random_inertia(unsigned seed) {
  RandomNumbers random(seed);
  std::vector<PointMass> cloud;
  for (int i = 0; i < 6; ++i) cloud.push_back({random.within(0.1, 2.0), random.vector()});
  return inertia_of(cloud);
}

/// A random tree whose links are clouds of six points each, so that every inertia is known from its definition;
/// some fixed links have no mass, and some are a single point.
class RandomRobot {
 public:
  RandomRobot(unsigned seed, int num_links) {
    RandomNumbers random(seed);
    urdf.file = "random.urdf";
    for (int i = 0; i < num_links; ++i) {
      UrdfLink link;
      link.name = "link" + std::to_string(i);
      const bool is_fixed = i > 0 && random.below(2) == 0;
      const int num_points = is_fixed ? std::vector<int>{0, 1, 6}[static_cast<std::size_t>(random.below(3))] : 6;
      std::vector<PointMass>& cloud = points_[link.name];
      for (int k = 0; k < num_points; ++k) cloud.push_back({random.within(0.1, 2.0), random.vector()});
      link.inertia = inertia_of(cloud);
      urdf.links.push_back(link);
      T_root_link_[link.name] = Eigen::Isometry3d::Identity();
      if (i > 0) add_joint(random, is_fixed, urdf.links[static_cast<std::size_t>(random.below(i))].name, link.name);
    }
  }

  /// Pose of a link in the root's frame, all joints at zero.
  const Eigen::Isometry3d& pose_of(const std::string& link) const { return T_root_link_.at(link); }

  /// The points of all links of a body, in the body's frame, placed by the file's own poses.
  std::vector<PointMass> points_of_body(const BodyTree& tree, int body) const {
    const Eigen::Isometry3d T_body_root = pose_of(tree.bodies[static_cast<std::size_t>(body)].link).inverse();
    std::vector<PointMass> all;
    for (const LinkPlacement& link : tree.links) {
      if (link.body != body) continue;
      for (const PointMass& point : points_.at(link.link)) {
        all.push_back({point.mass, T_body_root * pose_of(link.link) * point.position});
      }
    }
    return all;
  }

  Urdf urdf;

 private:
  void add_joint(RandomNumbers& random, bool is_fixed, const std::string& parent, const std::string& child) {
    UrdfJoint joint;
    joint.name = "to_" + child;
    joint.type = is_fixed ? UrdfJoint::Type::fixed : UrdfJoint::Type::revolute;
    joint.parent = parent;
    joint.child = child;
    joint.axis = random.vector().normalized();
    joint.T_parent_joint = random.pose();
    T_root_link_[child] = T_root_link_.at(parent) * joint.T_parent_joint;
    urdf.joints.push_back(joint);
  }

  std::map<std::string, std::vector<PointMass>> points_;
  std::map<std::string, Eigen::Isometry3d> T_root_link_;
};

}  // namespace aplomb::test
