#include "aplomb/control/partial_force_setup.hpp"

#include <fmt/format.h>

#include "aplomb/core/error.hpp"

namespace aplomb {
namespace {

MotionLevel level_of(std::size_t rows, int nv) {
  const auto count = static_cast<Eigen::Index>(rows);
  return {Eigen::MatrixXd::Zero(count, nv), Eigen::VectorXd::Zero(count)};
}

}  // namespace

std::vector<FootContact> make_feet(const RobotModel& model, const RobotState& start,
                                   const PartialForce::Settings& settings, std::vector<Side>& sides) {
  std::vector<FootContact> feet;
  for (Side side : {kLeft, kRight}) {
    if (!model.description().soles[side]) continue;
    feet.emplace_back(model, side, start, settings.feet[side]);
    sides.push_back(side);
  }
  if (feet.empty()) throw InvalidValue("partial_force: robot " + model.name() + " has no soles to stand on");
  return feet;
}

std::vector<HandContact> make_hands(const RobotModel& model, const PartialForce::Settings& settings) {
  std::vector<HandContact> hands;
  for (Side side : {kLeft, kRight}) {
    if (!settings.hands[side]) continue;
    if (model.description().roles.hand[side].empty()) {
      throw InvalidValue(fmt::format("partial_force: robot {} has no {} hand to press with (roles in its YAML)",
                                     model.name(), side == kLeft ? "left" : "right"));
    }
    hands.emplace_back(model, side, *settings.hands[side]);
  }
  return hands;
}

std::vector<FrameId> frames_of(const std::vector<FootContact>& feet, const std::vector<HandContact>& hands) {
  std::vector<FrameId> frames;
  for (const FootContact& foot : feet) frames.push_back(foot.frame());
  for (const HandContact& hand : hands) frames.push_back(hand.frame());
  return frames;
}

ForceProblem force_problem_for(const RobotModel& model, const std::vector<FootContact>& feet,
                               const std::vector<HandContact>& hands) {
  ForceProblem problem;
  for (const FootContact& foot : feet) problem.contacts.push_back(foot.make_contact());
  for (const HandContact& hand : hands) problem.contacts.push_back(hand.make_contact());
  problem.levels = {level_of(6 * feet.size() + 3 * hands.size(), model.nv()), level_of(3, model.nv()),
                    level_of(static_cast<std::size_t>(model.num_joints()), model.nv())};
  problem.lowest = problem.highest = Eigen::VectorXd::Zero(model.num_joints());
  return problem;
}

}  // namespace aplomb
