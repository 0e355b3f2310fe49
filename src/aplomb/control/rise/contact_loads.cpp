#include "aplomb/control/rise/contact_loads.hpp"

#include "aplomb/control/contact/contact_limits.hpp"
#include "aplomb/control/momentum_balance/contact_forces.hpp"

namespace aplomb {
namespace {

constexpr int kCorners = 4;
// Weights of a newton: of linear rate, of angular rate (over the lever), of a load's distance from the planned one, and
// of a force along an edge, which only makes the edges unique. Ratios tuned: each is nearly strict against the next.
constexpr double kLinear = 30.0, kAngular = 3.0, kDeviation = 0.05, kEdge = 1e-3;
constexpr double kLeverOfHeight = 0.1;  // arm of a moment, over the CoM's height: about half of a sole

int corners_of(const BalanceContacts::Site& site) { return site.is_point ? 1 : kCorners; }
int rows_of(const BalanceContacts::Site& site) { return site.is_point ? 3 : 6; }

int num_columns(const std::vector<BalanceContacts::Site>& sites) {
  int count = 0;
  for (const BalanceContacts::Site& site : sites) count += kPyramidEdges * corners_of(site);
  return count;
}

int num_rows(const std::vector<BalanceContacts::Site>& sites) {
  int count = 6;
  for (const BalanceContacts::Site& site : sites) count += rows_of(site);
  return count;
}

}  // namespace

ContactLoads::ContactLoads(const std::vector<BalanceContacts::Site>& sites, double height)
    : sites_(sites),
      lever_(kLeverOfHeight * height),
      problem_(num_rows(sites), num_columns(sites)),
      solver_(num_rows(sites), num_columns(sites)) {
  Eigen::Index row = 6, column = 0;
  for (const BalanceContacts::Site& site : sites) {
    first_row_.push_back(row);
    first_column_.push_back(column);
    row += rows_of(site);
    column += kPyramidEdges * corners_of(site);
  }
  problem_.D.setConstant(kEdge);
  problem_.lower.setZero();
}

void ContactLoads::write_contact(std::size_t index, const Contact& contact, const ContactLoad& planned,
                                 const Eigen::Vector3d& com, double weight_n) {
  const Eigen::Index row = first_row_[index];
  const double most = edge_force_limit(contact, weight_n);
  for (int k = 0; k < corners_of(sites_[index]); ++k) {
    const Eigen::Vector3d corner = patch_corner(contact, contact.centre, k);
    for (int edge = 0; edge < kPyramidEdges; ++edge) {
      const Eigen::Index column = first_column_[index] + kPyramidEdges * k + edge;
      const Eigen::Vector3d force = pyramid_edge(contact, edge);
      problem_.A.col(column).head<3>() = kLinear * force;
      problem_.A.col(column).segment<3>(3) = kAngular / lever_ * (corner - com).cross(force);
      problem_.A.col(column).segment<3>(row) = kDeviation * force;
      if (!sites_[index].is_point) {
        problem_.A.col(column).segment<3>(row + 3) = kDeviation / lever_ * (corner - contact.point).cross(force);
      }
      problem_.upper[column] = most;
    }
  }
  problem_.b.segment<3>(row) = kDeviation * planned.force;
  if (!sites_[index].is_point) problem_.b.segment<3>(row + 3) = kDeviation / lever_ * planned.moment;
}

void ContactLoads::read_load(std::size_t index, const Contact& contact, ContactLoad& load) const {
  load = {};
  Eigen::Vector3d weighted = Eigen::Vector3d::Zero();
  double normal_force = 0.0;
  for (int k = 0; k < corners_of(sites_[index]); ++k) {
    const Eigen::Vector3d corner = patch_corner(contact, contact.centre, k);
    for (int edge = 0; edge < kPyramidEdges; ++edge) {
      const double amount = solver_.solution().x[first_column_[index] + kPyramidEdges * k + edge];
      const Eigen::Vector3d force = amount * pyramid_edge(contact, edge);
      load.force += force;
      load.moment += (corner - contact.point).cross(force);
      weighted += amount * (corner - contact.centre);
      normal_force += amount;
    }
  }
  if (normal_force > 0.0) load.cop = (contact.R_world_contact.transpose() * weighted / normal_force).head<2>();
}

SolveStatus ContactLoads::solve(std::span<const Contact> contacts, std::span<const ContactLoad> planned,
                                const Eigen::Vector3d& com, double weight_n, const MomentumRate& desired,
                                std::span<ContactLoad> loads) noexcept {
  problem_.b.head<3>() = kLinear * (desired.linear + Eigen::Vector3d(0.0, 0.0, weight_n));
  problem_.b.segment<3>(3) = kAngular / lever_ * desired.angular;
  for (std::size_t i = 0; i < sites_.size(); ++i) write_contact(i, contacts[i], planned[i], com, weight_n);
  const SolveStatus status = solver_.solve(problem_);
  for (std::size_t i = 0; i < sites_.size(); ++i) read_load(i, contacts[i], loads[i]);
  return status;
}

}  // namespace aplomb
