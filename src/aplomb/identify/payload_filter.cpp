#include "aplomb/identify/payload_filter.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <vector>

#include "aplomb/identify/model/link_parameters.hpp"
#include "aplomb/identify/model/regressor.hpp"
#include "aplomb/robot/robot_terms.hpp"

namespace aplomb {

using Matrix10 = Eigen::Matrix<double, 10, 10>;

namespace {

constexpr double kShapeWalk = 1e-4;  // random walk of the shape coordinates of θ, per √s: hardly identifiable
constexpr double kPush = 4.0;        // standard deviations of the net horizontal force; a larger force is a push

}  // namespace

class PayloadFilter::Filter {
 public:
  Filter(const RobotModel& model, FrameId link, const Settings& settings);

  void update(const RobotState& state, const Eigen::VectorXd& acceleration, const SensorReadings& readings, double dt);
  LinkParameters parameters() const { return from_log_cholesky(theta_); }  ///< parameters of the body with its payload
  double added_mass() const { return parameters()[0] - nominal_[0]; }
  int body() const { return body_; }
  const Eigen::Vector3d& com_correction() const { return com_correction_; }

 private:
  struct Contact {
    FrameId link{};
    bool is_hand = false;
    std::size_t side = 0;
  };

  void predict(double dt);
  void read_wrenches(const SensorReadings& readings);
  void correct(const Vector6d& error, double dt);
  void update_com_correction();

  const RobotModel* model_;
  Settings settings_;
  int body_;
  std::vector<Contact> contacts_;  ///< feet and hands of the robot
  BodyMotions motions_;
  RegressorColumns all_, one_;
  Eigen::MatrixXd K_all_, K_one_;
  Eigen::VectorXd phi_all_, known_;
  LinkParameters nominal_, theta_nominal_, theta_;
  Matrix10 covariance_;
  Eigen::Vector3d com_correction_ = Eigen::Vector3d::Zero();
};

PayloadFilter::Filter::Filter(const RobotModel& model, FrameId link, const Settings& settings)
    : model_(&model),
      settings_(settings),
      body_(model.tree().links[static_cast<std::size_t>(link)].body),
      motions_(model),
      all_{.bodies = massive_bodies(model), .per_body = kDynamicParameters},
      one_{.bodies = {body_}, .per_body = kDynamicParameters},
      K_all_(model.nv(), all_.size()),
      K_one_(model.nv(), 10),
      phi_all_(parameters_of(model, all_)),
      known_(model.nv()),
      nominal_(to_parameters(model.tree().bodies[static_cast<std::size_t>(body_)].inertia)),
      theta_nominal_(to_log_cholesky(nominal_)),
      theta_(theta_nominal_),
      covariance_(1e-8 * Matrix10::Identity()) {  // initially the model is trusted
  const auto& roles = model.description().roles;
  for (std::size_t side = 0; side < 2; ++side) {
    if (!roles.foot[side].empty()) contacts_.push_back({.link = model.frame(roles.foot[side]), .side = side});
    if (!roles.hand[side].empty()) {
      contacts_.push_back({.link = model.frame(roles.hand[side]), .is_hand = true, .side = side});
    }
  }
}

void PayloadFilter::Filter::predict(double dt) {
  // θ is a random walk that decays to the model's with the time constant prior_time_s.
  const double keep = 1.0 - std::min(1.0, dt / settings_.prior_time_s);
  theta_ = theta_nominal_ + keep * (theta_ - theta_nominal_);
  covariance_ *= keep * keep;
  // dm = 2 m dα, and at constant mass dh = m dt.
  const double mass = parameters()[0];
  covariance_(0, 0) += std::pow(settings_.mass_walk_kg / (2.0 * mass), 2) * dt;
  for (int i = 7; i < 10; ++i) covariance_(i, i) += std::pow(settings_.moment_walk_kgm / mass, 2) * dt;
  for (int i = 1; i < 7; ++i) covariance_(i, i) += kShapeWalk * kShapeWalk * dt;
}

void PayloadFilter::Filter::read_wrenches(const SensorReadings& readings) {
  known_.setZero();
  for (const Contact& contact : contacts_) {
    const Wrench& wrench = (contact.is_hand ? readings.hand_wrench : readings.foot_wrench)[contact.side];
    const Eigen::Isometry3d T = motions_.link_pose(contact.link);
    add_wrench(motions_, model_->tree().links[static_cast<std::size_t>(contact.link)].body, T.translation(),
               T.linear() * wrench.force, T.linear() * wrench.moment, known_);
  }
}

void PayloadFilter::Filter::update(const RobotState& state, const Eigen::VectorXd& acceleration,
                                   const SensorReadings& readings, double dt) {
  predict(dt);
  motions_.update(state, acceleration);
  write_regressor(motions_, all_, K_all_);
  write_regressor(motions_, one_, K_one_);
  read_wrenches(readings);
  // Innovation: measured wrench − predicted wrench, with the estimate in place of the body's model.
  const LinkParameters change = parameters() - nominal_;
  Vector6d error = known_.head<6>();
  error.noalias() -= K_all_.topRows<6>() * phi_all_;
  error.noalias() -= K_one_.topRows<6>() * change;
  const Eigen::Vector3d force = motions_.body(0).T_world_body.linear() * error.head<3>();
  if (force.head<2>().norm() < kPush * settings_.force_n) correct(error, dt);
  update_com_correction();
}

void PayloadFilter::Filter::correct(const Vector6d& error, double dt) {
  const Eigen::Matrix<double, 6, 10> H = K_one_.topRows<6>() * log_cholesky_jacobian(theta_);
  // Noise is white per second: a tick of dt counts as dt over 10 ms of an independent reading.
  const double tick_scale = std::max(1.0, 0.01 / dt);
  Eigen::Matrix<double, 6, 6> S = H * covariance_ * H.transpose();
  for (int i = 0; i < 3; ++i) {
    S(i, i) += tick_scale * settings_.force_n * settings_.force_n;
    S(3 + i, 3 + i) += tick_scale * settings_.moment_nm * settings_.moment_nm;
  }
  const Eigen::Matrix<double, 10, 6> gain = S.ldlt().solve(H * covariance_).transpose();
  theta_ += gain * error;
  const Matrix10 rest = Matrix10::Identity() - gain * H;
  covariance_ = rest * covariance_;
  covariance_ = 0.5 * (covariance_ + covariance_.transpose()).eval();
}

void PayloadFilter::Filter::update_com_correction() {
  const LinkParameters change = parameters() - nominal_;
  const Eigen::Isometry3d& T = motions_.body(body_).T_world_body;
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();
  for (std::size_t slot = 0; slot < all_.bodies.size(); ++slot) {
    const Eigen::Isometry3d& pose = motions_.body(all_.bodies[slot]).T_world_body;
    moment +=
        pose.translation() * phi_all_[all_.first(slot)] + pose.linear() * phi_all_.segment<3>(all_.first(slot) + 1);
  }
  const double mass = model_->mass();
  const Eigen::Vector3d added = T.translation() * change[0] + T.linear() * change.segment<3>(1);
  com_correction_ = (moment + added) / (mass + change[0]) - moment / mass;
}

PayloadFilter::PayloadFilter(const RobotModel& model, FrameId link, const Settings& settings)
    : filter_(std::make_unique<Filter>(model, link, settings)) {}
PayloadFilter::~PayloadFilter() = default;
PayloadFilter::PayloadFilter(PayloadFilter&&) noexcept = default;
PayloadFilter& PayloadFilter::operator=(PayloadFilter&&) noexcept = default;

void PayloadFilter::update(const RobotState& state, const Eigen::VectorXd& acceleration, const SensorReadings& readings,
                           double dt) {
  filter_->update(state, acceleration, readings, dt);
}

ModelCorrection PayloadFilter::correction() const { return {.body = filter_->body(), .inertia = inertia()}; }
double PayloadFilter::added_mass() const { return filter_->added_mass(); }
Inertia PayloadFilter::inertia() const { return to_inertia(filter_->parameters()); }
Eigen::Vector3d PayloadFilter::com_correction() const { return filter_->com_correction(); }

}  // namespace aplomb
