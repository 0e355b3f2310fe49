// A user-defined controller for every scenario: registered by name, with a key in the scenario file and two signals in
// the log. This program runs a scenario with it, repeats that, compares it with joint_pd and writes two reports.
//   build/examples/09_registered_controller [FOLDER]
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "aplomb/control/controller_registry.hpp"
#include "aplomb/present/comparison_report.hpp"
#include "aplomb/present/run_page.hpp"
#include "aplomb/report/result_files.hpp"
#include "aplomb/robot/dynamics/statics.hpp"
#include "aplomb/scenario/compare.hpp"
#include "aplomb/scenario/repeat.hpp"
#include "aplomb/scenario/run_scenario.hpp"

namespace {

/// Holds the posture of the start:   τ = τ_static(q) + k (q* − q) − d q̇,   k and d in proportion to the robot's mass.
class Hold final : public aplomb::Controller {
 public:
  struct Settings {
    double stiffness = 20.0;  ///< k [N m/rad per kg]
  };
  Hold(const aplomb::ControllerContext& context, const Settings& settings)
      : terms_(context.model, aplomb::sole_frames(context.model)),
        statics_(context.model),
        command_(context.model.num_joints()) {
    command_.position = context.start.q.tail(context.model.num_joints());
    command_.stiffness.setConstant(context.gain_scale * settings.stiffness * context.model.mass());
    command_.damping.setConstant(0.05 * context.gain_scale * settings.stiffness * context.model.mass());
  }

  const aplomb::Command& step(const aplomb::SensorReadings& readings) override {
    terms_.update(readings.state);  // never allocates
    command_.torque = statics_.compute(terms_, {0.5, 0.5});
    signals_[0].value = (command_.position - readings.state.q.tail(command_.position.size())).cwiseAbs().maxCoeff();
    signals_[1].value = command_.torque.cwiseAbs().maxCoeff();
    return command_;
  }
  std::span<const aplomb::Signal> signals() const override { return signals_; }

 private:
  aplomb::RobotTerms terms_;
  aplomb::StaticTorque statics_;
  aplomb::Command command_;
  std::vector<aplomb::Signal> signals_{{"hold_error_max_rad"}, {"hold_static_torque_max_nm"}};
};

void run(const std::filesystem::path& folder) {
  const auto settings = aplomb::SettingsOf<Hold::Settings>().add(
      &Hold::Settings::stiffness,
      aplomb::schema::number("stiffness_nm_per_rad_kg", "of each joint, per kilogram of the robot")
          .above(0)
          .at_most(1000));
  aplomb::register_controller(aplomb::ControllerKind::of(
      "hold", "springs of one stiffness at all joints", settings,
      [](const auto& context, const auto& chosen) { return std::make_unique<Hold>(context, chosen); }));

  const aplomb::Scenario scenario = aplomb::load_scenario(
      "stand_balancer",
      std::vector<aplomb::Override>{{"controller.kind", "hold"}, {"controller.hold.stiffness_nm_per_rad_kg", "30"}});
  const aplomb::RunResult one = aplomb::run_scenario(scenario);
  const aplomb::ManyRunsResult three = aplomb::repeat_scenario(scenario, 3, {});
  const aplomb::ComparisonReport both =
      aplomb::comparison_report(aplomb::compare_controllers("stand_balancer", {"hold", "joint_pd"}, {}));

  for (const char* name : {"run", "compare"}) std::filesystem::create_directories(folder / name);
  aplomb::write_result_files(one.result, one.log, run_page(one, scenario), {aplomb::LogFormat::csv}, folder / "run");
  aplomb::write_result_files(both.result, both.log, both.page, {aplomb::LogFormat::csv}, folder / "compare");
  std::printf("CoM error %.3f mm (joint_pd: %.3f mm), %.0f %% of 3 runs pass; reports in %s\n",
              1e3 * one.result.metrics.number("com_error_max_m").value(),
              1e3 * both.result.metrics.number("joint_pd.com_error_max_m").value(),
              1e2 * three.result.metrics.number("success_ratio").value(), folder.string().c_str());
}

}  // namespace

int main(int argc, char** argv) try {
  run(argc > 1 ? argv[1] : "out/registered_controller");
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
