#include "aplomb/scenario/make_controller.hpp"

#include "aplomb/control/joint_pd.hpp"
#include "aplomb/core/error.hpp"
#include "aplomb/scenario/scenario_schema.hpp"

namespace aplomb {

std::unique_ptr<Controller> make_controller(const Scenario& scenario, const RobotModel& model,
                                            const RobotState& start) {
  const ControllerRequest& request = scenario.controller;
  if (request.kind == "joint_pd") {
    return std::make_unique<JointPd>(model, start, JointPd::Settings{.gain_scale = request.gain_scale});
  }
  throw UnknownName("controller", request.kind, "`aplomb list`", controller_kinds());
}

}  // namespace aplomb
