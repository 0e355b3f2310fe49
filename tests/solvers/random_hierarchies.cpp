#include "solvers/random_hierarchies.hpp"

#include "solvers/random_source.hpp"

namespace aplomb::test {
namespace {

void fill_level(HierarchyLevel& level, bool has_integers, RandomSource& random) {
  const auto number = [&] { return has_integers ? static_cast<double>(random.integer(-1, 1)) : random.normal(); };
  for (Eigen::Index i = 0; i < level.A.size(); ++i) level.A.data()[i] = number();
  for (Eigen::Index i = 0; i < level.b.size(); ++i) level.b[i] = number();
  for (Eigen::Index i = 0; i < level.C.size(); ++i) level.C.data()[i] = number();
  for (Eigen::Index i = 0; i < level.C.rows(); ++i) {
    const int kind = random.integer(0, 5);  // only upper, only lower, both, or equal
    const double bound = number();
    if (kind != 0) level.lower[i] = bound;
    if (kind != 1) level.upper[i] = kind == 5 ? bound : bound + std::abs(number());
  }
}

void repeat_rows(HierarchyProblem& problem, RandomSource& random) {
  for (std::size_t k = 0; k < problem.levels.size(); ++k) {
    HierarchyLevel& level = problem.levels[k];
    for (int i = 1; i < level.A.rows(); ++i) {
      if (random.chance(2)) level.A.row(i) = level.A.row(random.integer(0, i - 1));
    }
    if (k == 0 || problem.levels[k - 1].A.rows() == 0 || level.A.rows() == 0) continue;
    if (random.chance(2)) level.A.row(0) = problem.levels[k - 1].A.row(0);
  }
}

void bound_single_variables(HierarchyProblem& problem, int columns, RandomSource& random) {
  for (HierarchyLevel& level : problem.levels) {
    level.C.setZero();
    for (Eigen::Index i = 0; i < level.C.rows(); ++i) level.C(i, random.integer(0, columns - 1)) = 1.0;
  }
}

void change_units(HierarchyProblem& problem, RandomSource& random) {
  for (HierarchyLevel& level : problem.levels) {
    const double unit = random.power_of_ten(-2, 2);
    level.A *= unit;
    level.b *= unit;
    level.C *= unit;
    level.lower *= unit;
    level.upper *= unit;
  }
}

}  // namespace

RandomHierarchy random_hierarchy(std::uint64_t index) {
  RandomSource random(index);
  const bool is_large = index % 49 == 0;
  const int columns = is_large ? random.integer(20, 45) : random.integer(2, 12);
  const int num_levels = random.integer(2, 5);
  const bool has_bounds = random.chance(2);
  std::vector<HierarchyLevelSize> sizes;
  for (int i = 0; i < num_levels; ++i) {
    const int equality_rows = random.integer(0, is_large ? 20 : 5);
    sizes.push_back({equality_rows, has_bounds ? random.integer(0, is_large ? 30 : 6) : 0});
  }
  RandomHierarchy hierarchy{columns, sizes, HierarchyProblem(columns, sizes)};
  const std::uint64_t kind = index % 5;
  for (HierarchyLevel& level : hierarchy.problem.levels) fill_level(level, kind == 1, random);
  if (kind == 2) repeat_rows(hierarchy.problem, random);
  if (kind == 3) bound_single_variables(hierarchy.problem, columns, random);
  if (kind == 4) change_units(hierarchy.problem, random);
  return hierarchy;
}

Eigen::VectorXd level_costs(const HierarchyProblem& problem, const Eigen::VectorXd& x) {
  Eigen::VectorXd costs(problem.levels.size());
  for (std::size_t k = 0; k < problem.levels.size(); ++k) {
    const HierarchyLevel& level = problem.levels[k];
    const Eigen::VectorXd value = level.C * x;
    const Eigen::VectorXd distance = (value - level.upper).cwiseMax(0.0) + (level.lower - value).cwiseMax(0.0);
    costs[static_cast<Eigen::Index>(k)] = (level.A * x - level.b).squaredNorm() + distance.squaredNorm();
  }
  return costs;
}

}  // namespace aplomb::test
