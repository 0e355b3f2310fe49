#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <random>

#include "aplomb/identify/model.hpp"
#include "aplomb/identify/model/regressor.hpp"
#include "aplomb/identify/model/sagittal_model.hpp"
#include "aplomb/identify/postures.hpp"

namespace aplomb {
namespace {

constexpr std::uint64_t kSeed = 1;  // the structural rank does not depend on the drawn states, so one seed is enough

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}
  double within(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1.0p-53;
  }

 private:
  std::mt19937_64 engine_;
};

double random_angle(Draw& draw, const Joint& joint) {
  return draw.within(std::max(joint.lower, -3.0), std::min(joint.upper, 3.0));
}

/// Columns shorter than this fraction of the longest one are rounding errors of a column of zeros (a projection leaves
/// some 1e-15 of its terms); scaled to unit length they would count as a parameter that is seen.
constexpr double kRoundingError = 1e-10;

/// Factors that scale the columns of W to unit length; zero for columns that only rounding errors keep from being zero.
Eigen::VectorXd column_scales(const Eigen::MatrixXd& W) {
  const Eigen::VectorXd norms = W.colwise().norm();
  const double least = norms.size() > 0 ? kRoundingError * norms.maxCoeff() : 0.0;
  return norms.unaryExpr([least](double norm) { return norm > least ? 1.0 / norm : 0.0; });
}

int rank_of(const Eigen::MatrixXd& W) {
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(W * column_scales(W).asDiagonal());
  qr.setThreshold(1e-9);
  return static_cast<int>(qr.rank());
}

RobotState random_state(const RobotModel& model, const RankQuestion& question, Draw& draw) {
  RobotState state = model.neutral_state();
  for (int i = 0; i < model.num_joints(); ++i)
    state.q[7 + i] = random_angle(draw, model.joints()[static_cast<std::size_t>(i)]);
  if (!question.is_upright) {
    for (int i = 3; i < 7; ++i) state.q[i] = draw.within(-1.0, 1.0);
    state.q.segment<4>(3).normalize();
  }
  if (question.is_moving) {
    for (int i = 0; i < model.nv(); ++i) state.v[i] = draw.within(-1.0, 1.0);
  }
  return state;
}

/// Rows of K with the unknown contact wrenches projected out: NᵀK with Nᵀ Jᵀ = 0.
Eigen::MatrixXd known_rows(const BodyMotions& motions, const std::vector<int>& rows, const RankQuestion& question,
                           const Eigen::MatrixXd& K) {
  const RobotModel& model = motions.model();
  Eigen::MatrixXd kept(static_cast<Eigen::Index>(rows.size()), K.cols());
  Eigen::MatrixXd unknown(kept.rows(), 6 * static_cast<Eigen::Index>(question.unknown_contacts.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) kept.row(static_cast<Eigen::Index>(i)) = K.row(rows[i]);
  for (Eigen::Index column = 0; column < unknown.cols(); ++column) {
    const FrameId link = question.unknown_contacts[static_cast<std::size_t>(column / 6)];
    const Eigen::Matrix<double, 6, 1> unit = Eigen::Matrix<double, 6, 1>::Unit(column % 6);
    Eigen::VectorXd direction = Eigen::VectorXd::Zero(model.nv());
    add_wrench(motions, model.tree().links[static_cast<std::size_t>(link)].body, motions.link_pose(link).translation(),
               unit.head<3>(), unit.tail<3>(), direction);
    for (std::size_t i = 0; i < rows.size(); ++i) unknown(static_cast<Eigen::Index>(i), column) = direction[rows[i]];
  }
  return directions_beside(unknown).transpose() * kept;
}

}  // namespace

BaseParameters base_parameters(const Eigen::MatrixXd& W, const std::vector<std::string>& names, double tolerance) {
  const Eigen::VectorXd scale = column_scales(W);
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(W * scale.asDiagonal());
  qr.setThreshold(tolerance);
  BaseParameters base;
  base.rank = static_cast<int>(qr.rank());
  const auto r = static_cast<Eigen::Index>(base.rank);
  const Eigen::MatrixXd R = qr.matrixR().topRows(r).triangularView<Eigen::Upper>();
  const Eigen::MatrixXd beta = R.leftCols(r).triangularView<Eigen::Upper>().solve(R.rightCols(W.cols() - r));
  const auto& order = qr.colsPermutation().indices();
  base.combination = Eigen::MatrixXd::Zero(r, W.cols());
  for (Eigen::Index i = 0; i < r; ++i) {
    base.combination(i, order[i]) = 1.0;
    base.pivots.push_back(order[i]);
    std::string name = names[static_cast<std::size_t>(order[i])];
    for (Eigen::Index k = 0; k < beta.cols(); ++k) {
      const Eigen::Index other = order[r + k];
      if (scale[other] == 0.0) continue;  // not seen at all
      // φ_b in the columns' own units: W_i φ_i + W_k φ_k = W_i (φ_i + β s_i/s_k φ_k)
      const double factor = beta(i, k) * scale[order[i]] / scale[other];
      base.combination(i, other) = factor;
      if (std::abs(factor) > 1e-6) {
        name += fmt::format(" {} {:.4g} {}", factor < 0 ? "-" : "+", std::abs(factor),
                            names[static_cast<std::size_t>(other)]);
      }
    }
    base.names.push_back(name);
  }
  return base;
}

int structural_rank(const RobotModel& model, const RankQuestion& question) {
  const RegressorColumns columns{.bodies = all_bodies(model),
                                 .per_body = question.is_moving ? kDynamicParameters : kStaticParameters};
  std::vector<int> rows;
  for (int row = 0; row < model.nv(); ++row) {
    if (row < 6 ? question.has_base_rows : question.has_torque_rows) rows.push_back(row);
  }
  const int rows_a_state = static_cast<int>(rows.size()) - 6 * static_cast<int>(question.unknown_contacts.size());
  if (rows_a_state <= 0) return 0;
  const int num_states = 2 + 2 * columns.size() / rows_a_state;
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(num_states * static_cast<int>(rows.size()), columns.size());
  Eigen::MatrixXd K(model.nv(), columns.size());
  BodyMotions motions(model);
  Draw draw(kSeed);
  Eigen::Index at = 0;
  for (int i = 0; i < num_states; ++i) {
    const RobotState state = random_state(model, question, draw);
    Eigen::VectorXd a = Eigen::VectorXd::Zero(model.nv());
    if (question.is_moving) {
      for (double& value : a) value = draw.within(-3.0, 3.0);
    }
    motions.update(state, a);
    write_regressor(motions, columns, K);
    const Eigen::MatrixXd known = known_rows(motions, rows, question, K);
    W.middleRows(at, known.rows()) = known;
    at += known.rows();
  }
  return rank_of(W);
}

int structural_rank(const RobotModel& cad, const SagittalModel& model, bool feet_are_level, bool has_force) {
  const int num_states = 60;
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(2 * num_states, model.mass_row().size());
  BodyMotions motions(cad);
  Draw draw(kSeed);
  for (int i = 0; i < num_states; ++i) {
    RobotState state = cad.neutral_state();
    for (const SagittalModel::Link& link : model.links()) {
      if (link.frame_bodies.front() == 0) continue;
      const double angle = random_angle(draw, cad.joints()[static_cast<std::size_t>(link.frame_bodies.front() - 1)]);
      for (int body : link.frame_bodies) state.q[6 + body] = angle;
    }
    place_base(cad, false, state);
    double cop = draw.within(-0.1, 0.1);  // any value; without a measured force only (Y_x − p_x 1ᵀ) φ = 0 is known
    if (!feet_are_level) {
      const Eigen::Quaterniond tilt(Eigen::AngleAxisd(draw.within(-0.5, 0.5), Eigen::Vector3d::UnitY()));
      state.q.segment<4>(3) = (tilt * Eigen::Quaterniond(Eigen::Vector4d(state.q.segment<4>(3)))).coeffs();
      state.q.head<3>() = tilt * Eigen::Vector3d(state.q.head<3>());
    }
    motions.place(state.q);
    const Eigen::RowVectorXd moment = model.moment_row(motions, feet_are_level);
    if (!has_force) cop = moment.dot(model.cad_parameters()) / model.mass_row().dot(model.cad_parameters());
    W.row(2 * i) = has_force ? moment : Eigen::RowVectorXd(moment - cop * model.mass_row());
    if (has_force) W.row(2 * i + 1) = model.mass_row();
  }
  return rank_of(W);
}

}  // namespace aplomb
