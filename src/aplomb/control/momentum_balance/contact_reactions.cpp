#include "aplomb/control/momentum_balance/contact_reactions.hpp"

namespace aplomb {
namespace {

constexpr double kAvailable = 0.5;   // availability above which a contact holds, as in BalanceContacts
constexpr double kRounding = 1e-12;  // regularisation over the largest mobility, for dependent rows

int rows_of(const BalanceContacts::Site& site) { return site.is_point ? 3 : 6; }

int num_rows(const std::vector<BalanceContacts::Site>& sites) {
  int count = 0;
  for (const BalanceContacts::Site& site : sites) count += rows_of(site);
  return count;
}

}  // namespace

ContactReactions::ContactReactions(const RobotModel& model, const std::vector<BalanceContacts::Site>& sites)
    : sites_(sites),
      point_(model.nv()),
      rows_(Eigen::MatrixXd::Zero(model.nv(), num_rows(sites))),
      bias_(Eigen::VectorXd::Zero(rows_.cols())),
      acceleration_(Eigen::VectorXd::Zero(model.nv())),
      mass_(model.nv()),
      mobility_(Eigen::MatrixXd::Zero(rows_.cols(), rows_.cols())),
      factor_(rows_.cols()) {}

void ContactReactions::write_rows(const RobotTerms& terms, std::span<const Contact> contacts) {
  Eigen::Index row = 0;
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    const int count = rows_of(sites_[i]);
    auto columns = rows_.middleCols(row, count);
    auto bias = bias_.segment(row, count);
    row += count;
    if (contacts[i].availability <= kAvailable) {
      columns.setZero();
      bias.setZero();
      continue;
    }
    point_.write(terms.frame(sites_[i].frame), contacts[i].point, Eigen::Matrix3d::Identity());
    columns = point_.jacobian.topRows(count).transpose();
    bias = point_.bias.head(count);
  }
}

MomentumRate ContactReactions::rate(const RobotTerms& terms, std::span<const Contact> contacts,
                                    const Eigen::VectorXd& torque) {
  write_rows(terms, contacts);
  acceleration_ = -terms.bias();
  acceleration_.tail(torque.size()) += torque;
  mass_.compute(terms.mass_matrix());
  mass_.matrixL().solveInPlace(acceleration_);
  mass_.matrixL().solveInPlace(rows_);
  mobility_.setZero();
  mobility_.selfadjointView<Eigen::Lower>().rankUpdate(rows_.transpose());
  const double rounding = kRounding * mobility_.diagonal().maxCoeff();
  for (Eigen::Index i = 0; i < mobility_.rows(); ++i) mobility_(i, i) += mobility_(i, i) > 0.0 ? rounding : 1.0;
  factor_.compute(mobility_);
  bias_.noalias() += rows_.transpose() * acceleration_;
  factor_.solveInPlace(bias_);
  acceleration_.noalias() -= rows_ * bias_;
  mass_.matrixU().solveInPlace(acceleration_);
  Vector6d rate = terms.momentum_bias();
  rate.noalias() += terms.momentum_matrix() * acceleration_;
  return {rate.head<3>(), rate.tail<3>()};
}

}  // namespace aplomb
