// How PostureSolver writes its rows: points, the centre of mass, capsules that stay apart.

#include <Eigen/Geometry>

#include "aplomb/retarget/frames/posture_solver.hpp"

namespace aplomb {
namespace {

constexpr double kPairSoftness = 1e-10;

}  // namespace

/// Adds the derivative of direction · x to a row:  a · ((x − p) × direction) of every turning joint above.
void PostureSolver::add_along(int body, const Eigen::Vector3d& x, const Eigen::Vector3d& direction,
                              Eigen::Index index) {
  double* row = problem_.rows.row(index).data();
  const Eigen::Vector3d turn = (x - tree_.origin(0)).cross(direction);
  for (int axis = 0; axis < 3; ++axis) {
    row[axis] += direction[axis];
    row[3 + axis] += turn[axis];
  }
  for (int i = body; i > 0; i = tree_.parent(i)) {
    const Eigen::Vector3d& a = tree_.axis(i - 1);
    row[5 + i] += tree_.is_prismatic(i - 1) ? a.dot(direction) : a.dot((x - tree_.origin(i)).cross(direction));
  }
}

void PostureSolver::write_point_row(const PointRow& row, Eigen::Index index) {
  const Eigen::Vector3d x = tree_.point(row.body, row.offset);
  add_along(row.body, x, row.direction, index);
  problem_.row_value[index] = row.direction.dot(x) - row.value;
}

void PostureSolver::write_com_rows() {
  for (int body = 0; body < tree_.num_bodies(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    mass_below_[i] = tree_.mass(body);
    moment_below_[i] = tree_.mass(body) * tree_.point(body, tree_.body_com(body));
  }
  for (int body = tree_.num_bodies() - 1; body > 0; --body) {
    const auto above = static_cast<std::size_t>(tree_.parent(body));
    mass_below_[above] += mass_below_[static_cast<std::size_t>(body)];
    moment_below_[above] += moment_below_[static_cast<std::size_t>(body)];
  }
  const Eigen::Vector3d com = moment_below_[0] / mass_;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (problem_.row_kind[k] == RowKind::off || rows[k].body != PointRow::kCentreOfMass) continue;
    const Eigen::Vector3d direction = rows[k].direction;
    const auto index = static_cast<Eigen::Index>(k);
    add_along(0, com, direction, index);
    for (int body = 1; body < tree_.num_bodies(); ++body) {
      const auto i = static_cast<std::size_t>(body);
      const Eigen::Vector3d& a = tree_.axis(body - 1);
      const Eigen::Vector3d arm = moment_below_[i] - mass_below_[i] * tree_.origin(body);
      problem_.rows(index, 5 + body) =
          (tree_.is_prismatic(body - 1) ? mass_below_[i] * a.dot(direction) : a.dot(arm.cross(direction))) / mass_;
    }
    problem_.row_value[index] = direction.dot(com) - rows[k].value;
  }
}

void PostureSolver::write_pair(const CapsulePair& pair, Eigen::Index index) {
  const auto at = [this](const Capsule& capsule, const Eigen::Vector3d& end) { return tree_.point(capsule.body, end); };
  const ClosestPoints closest = closest_points(at(pair.first, pair.first.begin), at(pair.first, pair.first.end),
                                               at(pair.second, pair.second.begin), at(pair.second, pair.second.end));
  const Eigen::Vector3d apart = closest.first - closest.second;
  const double distance = apart.norm();
  // Axes that cross have no direction to part in; up is as good as any.
  const Eigen::Vector3d direction = distance > 1e-9 ? Eigen::Vector3d(apart / distance) : Eigen::Vector3d::UnitZ();
  add_along(pair.first.body, closest.first, direction, index);
  add_along(pair.second.body, closest.second, -direction, index);
  problem_.row_value[index] = distance - pair.first.radius - pair.second.radius - pair.gap;
  problem_.row_softness[index] = kPairSoftness;
}

}  // namespace aplomb
