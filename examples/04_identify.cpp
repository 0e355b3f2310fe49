// Identifies a robot's masses from static postures and a force plate. Without a file the postures are those of
// `sarcos_real`, whose masses differ from its CAD model `sarcos`.
//   build/examples/04_identify [POSTURES.csv ROBOT]
#include <cmath>
#include <cstdio>
#include <exception>
#include <random>
#include <string>
#include <vector>

#include "aplomb/identify/identification.hpp"
#include "aplomb/identify/uncertainty.hpp"

namespace {

/// Simulated measurements of static postures: at rest the CoP is below the CoM. (docs/identification.md)
aplomb::TableFile stand_on_a_plate(const aplomb::RobotModel& robot, int count) {
  std::vector<std::string> columns = {"posture"};
  for (const aplomb::Joint& joint : robot.joints()) columns.push_back(aplomb::angle_column(joint));
  columns.insert(columns.end(), {"plate_cop_x_m", "plate_cop_y_m", "plate_fz_n"});
  aplomb::TableFile file{.file = "made here", .table = aplomb::Log(columns)};

  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  std::normal_distribution<double> normal;
  aplomb::RobotTerms terms(robot, {});
  const aplomb::Sole sole = robot.description().soles[aplomb::kLeft].value();
  const double farthest = 0.5 * (sole.x_max - sole.x_min) - 0.03;  // [m] limit of |CoM x| from the soles' centre
  for (int id = 0; id < count;) {
    aplomb::RobotState state = robot.posture("half_sitting");
    const double bend = 0.4 * unit(engine), knees = 0.35 * unit(engine), lean = 0.05 * unit(engine);
    for (const std::string side : {"left_", "right_"}) {
      state.q[7 + robot.joint(side + "hip_pitch")] += 0.5 * knees + bend;
      state.q[7 + robot.joint(side + "knee")] += knees;
      state.q[7 + robot.joint(side + "ankle_pitch")] += 0.5 * knees + lean;
    }
    state.q[7 + robot.joint("torso_pitch")] = 0.25 * unit(engine);
    robot.stand_on_soles(state);
    terms.update(state);
    if (std::abs(terms.com().x()) > farthest) continue;  // it would fall: draw another one
    std::vector<double> row = {static_cast<double>(id++)};
    for (int i = 0; i < robot.num_joints(); ++i) row.push_back(state.q[7 + i] + 0.0035 * normal(engine));
    row.push_back(terms.com().x() + 0.002 * normal(engine));
    row.push_back(terms.com().y() + 0.002 * normal(engine));
    row.push_back(robot.mass() * aplomb::kGravity + 2.0 * normal(engine));
    file.table.append(row);
  }
  return file;
}

void identify_and_tell(const aplomb::RobotModel& cad, const aplomb::PostureSet& set) {
  for (const std::string& dropped : set.dropped) std::printf("dropped: %s\n", dropped.c_str());
  const aplomb::Identification found = aplomb::identify(cad, set, {});
  std::printf("%s model: %d of %d parameter combinations are seen by %zu postures\n", found.model.c_str(),
              found.plain.rank, found.problem.num_parameters(), set.postures.size());
  std::printf("predicted CoM against measured CoP, postures held out: %.1f mm (CAD %.1f mm)\n",
              1e3 * found.folds.identified.forward, 1e3 * found.folds.cad.forward);

  // The corrected robot is an ordinary RobotModel.
  const aplomb::RobotModel corrected = aplomb::with_body_inertias(cad, found.body_inertias);
  aplomb::RobotTerms believed(cad, {}), known(corrected, {});
  const aplomb::RobotState state = cad.posture("half_sitting");
  believed.update(state);
  known.update(state);
  const auto covariance =
      aplomb::com_covariance(found.problem, found.plain, found.estimate.phi, aplomb::moments_at(found, cad, state.q));
  std::printf("half sitting: %.2f kg, CoM %.1f mm forward, standard deviation %.1f mm (CAD: %.2f kg, %.1f mm)\n",
              corrected.mass(), 1e3 * known.com().x(), 1e3 * std::sqrt(covariance(0, 0)), cad.mass(),
              1e3 * believed.com().x());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 3) {
      const aplomb::RobotModel cad = aplomb::RobotModel::load(argv[2]);
      identify_and_tell(cad, aplomb::read_postures(argv[1], cad));
      return 0;
    }
    const aplomb::RobotModel cad = aplomb::RobotModel::load("sarcos"), real = aplomb::RobotModel::load("sarcos_real");
    identify_and_tell(cad, aplomb::read_postures(stand_on_a_plate(real, 60), cad));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "04_identify: %s\n", error.what());
    return 1;
  }
}
