#include "shared/write_identified.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "aplomb/identify/next_postures.hpp"
#include "aplomb/report/result_files.hpp"

namespace aplomb {
namespace {

constexpr int kCandidates = 400;
constexpr int kRandomChoices = 30;
constexpr double kMargin = 0.03;  // [m] of the CoM inside the soles

double random_deviation(const StaticProblem& problem, const Eigen::VectorXd& phi, int count,
                        std::span<const std::size_t> all, const Eigen::MatrixXd& information) {
  double sum = 0.0;
  for (int i = 0; i < kRandomChoices; ++i) {
    std::vector<std::size_t> order(all.begin(), all.end());
    std::mt19937_64 random(static_cast<std::uint64_t>(i));
    for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[random() % k]);
    order.resize(static_cast<std::size_t>(count));
    sum += mean_com_deviation(problem, phi, order, all, information) / kRandomChoices;
  }
  return sum;
}

}  // namespace

void require_standing(const RobotModel& robot) {
  const RobotDescription& description = robot.description();
  if (!description.soles[0] || !description.soles[1] || !description.postures.contains("half_sitting")) {
    throw InvalidValue(
        fmt::format("{} has no two soles and a posture half_sitting in its YAML, so that it cannot be stood "
                    "up; `aplomb info URDF --write-yaml` makes a first one",
                    robot.name()));
  }
}

void write_identified(const IdentifyOutput& output, const RobotModel& cad, const std::map<int, Inertia>& body_inertias,
                      const std::filesystem::path& folder) {
  write_urdf_with_inertias(cad.urdf().file, link_inertias(cad, body_inertias), folder / "identified.urdf");
  const std::filesystem::path& yaml = cad.description().file;
  if (!yaml.empty()) {
    // A URDF elsewhere (package://) would be taken instead of the one beside it: that line goes.
    std::string text;
    const std::string original = read_file(yaml, std::size_t{1} << 24);
    for (std::size_t begin = 0; begin < original.size();) {
      const std::size_t end = std::min(original.find('\n', begin), original.size() - 1) + 1;
      const std::string line = original.substr(begin, end - begin);
      if (line.starts_with("about:")) {
        text += fmt::format("about: {} with the masses that `aplomb identify` found.\n", cad.name());
      } else if (!line.starts_with("urdf:")) {
        text += line;
      }
      begin = end;
    }
    write_file(folder / "identified.yaml", text);
  }
  write_result_files(output.result, output.log, output.page, {LogFormat::csv, LogFormat::npz}, folder);
}

PageTable next_table(const RobotModel& cad, const PostureSet& set, const Identification& found,
                     const IdentifyOptions& options, int count) {
  const RobotModel estimated = with_body_inertias(cad, found.body_inertias);
  const std::vector<RobotState> states = candidate_postures(estimated, set, found, kCandidates, kMargin, options.seed);
  const StaticProblem problem = make_problem(cad, found, imagined(states, estimated, set.sensors), options.noise);
  const Eigen::VectorXd& phi = found.estimate.phi;
  const std::vector<std::size_t> all = all_but(states.size(), {});
  const Eigen::MatrixXd known = normal_equations(found.problem, all_but(found.problem.rows.size(), {})).AtA;
  const auto deviation = [&](const std::vector<std::size_t>& added) {
    return 1e3 * mean_com_deviation(problem, phi, added, all, known);
  };
  const auto chosen = choose_postures(problem, count, Optimality::i, phi, known);
  PageTable table{.title = fmt::format("{} postures to measure next", count)};
  table.about = fmt::format(
      "Chosen to add most to what is known (I-optimal). By the data alone the CoM has a mean deviation of {:.2f} mm "
      "over "
      "postures of these ranges; {} more leave {:.2f} mm when chosen so, {:.2f} mm when chosen by D, {:.2f} mm when "
      "drawn "
      "at random.",
      deviation({}), count, deviation(chosen), deviation(choose_postures(problem, count, Optimality::d, phi, known)),
      1e3 * random_deviation(problem, phi, count, all, known));
  table.header = {"next"};
  std::vector<int> shown;
  for (int joint = 0; joint < cad.num_joints(); ++joint) {
    const auto [low, high] =
        std::ranges::minmax_element(states, {}, [&](const RobotState& state) { return state.q[7 + joint]; });
    if (high->q[7 + joint] - low->q[7 + joint] > 0.05) shown.push_back(joint);
  }
  for (int joint : shown) table.header.push_back(cad.joints()[static_cast<std::size_t>(joint)].name);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    table.rows.push_back({fmt::format("{}", i + 1)});
    for (int joint : shown) table.rows.back().push_back(fmt::format("{:.3f}", states[chosen[i]].q[7 + joint]));
  }
  return table;
}

}  // namespace aplomb
