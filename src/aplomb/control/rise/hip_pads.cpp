#include "aplomb/control/rise/hip_pads.hpp"

#include <optional>

#include "aplomb/robot/limbs.hpp"
#include "aplomb/robot/shapes/seat_shapes.hpp"

namespace aplomb {

std::vector<HipPad> hip_pads(const RobotModel& model) {
  std::vector<HipPad> pads;
  const std::optional<Limbs> limbs = limbs_if_any(model);
  if (!limbs) return pads;
  for (const SeatShape& one : seat_shapes(model, *limbs)) {
    if (one.body == limbs->pelvis) continue;
    const auto& body = model.tree().bodies[static_cast<std::size_t>(one.body)];
    pads.push_back({one.body, model.frame(body.link), one.shape.T_link_shape.translation(), one.shape.size.x()});
  }
  return pads;
}

}  // namespace aplomb
