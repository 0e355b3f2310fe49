#include "aplomb/recording/force_plate.hpp"

#include <Eigen/Geometry>
#include <algorithm>

namespace aplomb {
namespace {

constexpr double kMargin = 0.01;  ///< [m] tolerance around the corners: a foot can press on the rim

}  // namespace

GroundWrench ground_wrench(const std::vector<std::unique_ptr<ForcePlate>>& plates, std::size_t index) {
  GroundWrench sum;
  for (const auto& plate : plates) {
    const PlateSample sample = plate->sample(index);
    if (!sample.is_loaded) continue;
    sum.is_valid = true;
    sum.force += sample.force;
    sum.moment += sample.cop.cross(sample.force) + sample.free_moment;
  }
  // On the ground (z = 0) the moment about the CoP has no horizontal part.
  if (sum.is_valid && sum.force.z() > 0.0) {
    sum.cop = {-sum.moment.y() / sum.force.z(), sum.moment.x() / sum.force.z(), 0.0};
  } else {
    sum.is_valid = false;
  }
  return sum;
}

std::optional<double> cop_inside_ratio(const ForcePlate& plate) {
  if (!plate.info().corners) return std::nullopt;
  const std::array<Eigen::Vector3d, 4>& corners = *plate.info().corners;
  const Eigen::Vector3d centre = 0.25 * (corners[0] + corners[1] + corners[2] + corners[3]);
  const Eigen::Vector3d along_x = corners[0] - corners[1];
  const Eigen::Vector3d along_y = corners[0] - corners[3];
  std::size_t num_loaded = 0, num_inside = 0;
  const std::size_t stride = std::max<std::size_t>(1, plate.num_samples() / 20000);
  for (std::size_t i = 0; i < plate.num_samples(); i += stride) {
    const PlateSample sample = plate.sample(i);
    if (!sample.is_loaded) continue;
    ++num_loaded;
    const Eigen::Vector3d from_centre = sample.cop - centre;
    const bool is_inside = std::abs(from_centre.dot(along_x.normalized())) <= 0.5 * along_x.norm() + kMargin &&
                           std::abs(from_centre.dot(along_y.normalized())) <= 0.5 * along_y.norm() + kMargin;
    if (is_inside) ++num_inside;
  }
  if (num_loaded == 0) return std::nullopt;
  return static_cast<double>(num_inside) / static_cast<double>(num_loaded);
}

}  // namespace aplomb
