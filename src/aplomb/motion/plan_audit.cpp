#include "aplomb/motion/plan_audit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "aplomb/core/error.hpp"
#include "aplomb/motion/dynamics/contact_dynamics.hpp"
#include "aplomb/motion/dynamics/planned_dynamics.hpp"
#include "aplomb/motion/interpolation.hpp"

namespace aplomb {
namespace {

constexpr double kUnloaded = 1e-3;     // fraction of the weight below which a foot has no meaningful CoP
constexpr double kNearChange = 0.020;  // [s] from a contact change within which residuals are listed apart

void keep_least(PlanAudit::Extreme& extreme, double value, double time_s, std::string_view where) {
  if (!extreme.exists() || value < extreme.value) extreme = {value, time_s, std::string(where)};
}

void keep_largest(PlanAudit::Extreme& extreme, double value, double time_s, std::string_view where) {
  if (!extreme.exists() || value > extreme.value) extreme = {value, time_s, std::string(where)};
}

bool is_foot(ContactSite site) { return site == ContactSite::left_foot || site == ContactSite::right_foot; }

bool is_limit(double limit) { return std::isfinite(limit) && limit > 0.0; }

void check_sizes(const RobotModel& model, const MotionPlan& plan) {
  const Trajectory& t = plan.trajectory;
  const auto require = [](bool holds, const std::string& what) {
    if (!holds) throw InvalidValue("the plan cannot be audited: " + what);
  };
  const Eigen::Index count = t.num_samples();
  require(count >= 2, "it has fewer than two samples");
  require(t.q.rows() == model.nq() && t.v.rows() == model.nv() && t.a.rows() == model.nv(),
          fmt::format("it has {} joints, robot {} has {}", t.q.rows() - 7, model.name(), model.num_joints()));
  require(t.v.cols() == count && t.a.cols() == count, "q, v and a have different numbers of samples");
  require(t.torque.size() == 0 || (t.torque.rows() == model.num_joints() && t.torque.cols() == count),
          "its torques are not one row per joint and one column per sample");
  for (const Trajectory::ContactWrenches& contact : t.wrenches) {
    require(contact.wrench.cols() == count,
            fmt::format("the wrenches of {} are not one column per sample", to_string(contact.site)));
    require(plan.contacts.has(contact.site),
            fmt::format("it has wrenches of {}, which its contact schedule lacks", to_string(contact.site)));
  }
}

class Auditor {
 public:
  Auditor(const RobotModel& model, const MotionPlan& plan, std::vector<Trajectory::ContactWrenches> wrenches)
      : model_(model),
        trajectory_(plan.trajectory),
        weight_(model.mass() * kGravity),
        planned_(std::move(wrenches)),
        dynamics_(model, plan.contacts),
        state_(model.neutral_state()),
        a_(Eigen::VectorXd::Zero(model.nv())),
        wrenches_(dynamics_.num_contacts()),
        places_(dynamics_.num_contacts()) {
    for (const ContactPlan::Contact& contact : plan.contacts.contacts) {
      for (const double change_s : {contact.start_s, contact.end_s}) {
        if (change_s > trajectory_.start_s && change_s <= trajectory_.end_s()) changes_.push_back(change_s);
      }
    }
    audit_.has_wrenches = !trajectory_.wrenches.empty();
    // Rebuilt wrenches of soles that the schedule lacks: nothing can be said about these contacts.
    std::erase_if(planned_, [&](const auto& contact) { return !plan.contacts.has(contact.site); });
  }

  PlanAudit examine(int points_between) {
    const Eigen::Index last = trajectory_.num_samples() - 1;
    for (Eigen::Index i = 0; i <= last; ++i) {
      examine_sample(i);
      if (i < last) examine_interval(i);
      for (int k = 1; i < last && k <= points_between; ++k) {
        examine_between(i, static_cast<double>(k) / (points_between + 1));
      }
    }
    const Eigen::Index joints = model_.num_joints();
    const Eigen::MatrixXd jerk = trajectory_.rate_hz * (trajectory_.a.bottomRightCorner(joints, last) -
                                                        trajectory_.a.bottomLeftCorner(joints, last));
    audit_.jerk_rms_rad_per_s3 = joints > 0 ? std::sqrt(jerk.squaredNorm() / static_cast<double>(jerk.size())) : 0.0;
    return audit_;
  }

 private:
  void examine_sample(Eigen::Index sample) {
    now_s_ = trajectory_.time_s(sample);
    state_.q = trajectory_.q.col(sample);
    state_.v = trajectory_.v.col(sample);
    a_ = trajectory_.a.col(sample);
    std::ranges::fill(wrenches_, Vector6d::Zero());
    for (const Trajectory::ContactWrenches& contact : planned_) {
      wrenches_[index_of(contact.site)] = contact.wrench.col(sample);
    }
    const Vector6d residual = examine_instant([](std::size_t) { return true; });
    keep_largest(audit_.base_residual_max_n, residual.head<3>().norm(), now_s_, "base");
    keep_largest(audit_.base_residual_max_nm, residual.tail<3>().norm(), now_s_, "base");
    if (trajectory_.com.cols() == trajectory_.num_samples()) {
      const double error = (trajectory_.com.col(sample) - dynamics_.com()).norm();
      keep_largest(audit_.com_error_max_m, error, now_s_, "CoM");
    }
    if (trajectory_.torque.size() == 0) return;
    for (Eigen::Index i = 0; i < trajectory_.torque.rows(); ++i) {
      keep_largest(audit_.torque_error_max_nm, std::abs(trajectory_.torque(i, sample) - torque_[i]), now_s_,
                   model_.joints()[static_cast<std::size_t>(i)].name);
    }
  }

  void examine_between(Eigen::Index sample, double u) {
    now_s_ = trajectory_.time_s(sample) + u / trajectory_.rate_hz;
    const double first_s = trajectory_.time_s(sample), second_s = trajectory_.time_s(sample + 1);
    interpolate_motion(trajectory_, sample, u, state_.q, state_.v, a_);
    std::ranges::fill(wrenches_, Vector6d::Zero());
    for (const Trajectory::ContactWrenches& contact : planned_) {
      wrenches_[index_of(contact.site)] = (1.0 - u) * contact.wrench.col(sample) + u * contact.wrench.col(sample + 1);
    }
    // A contact that begins or ends within the interval is judged at its samples only.
    const Vector6d residual = examine_instant([&](std::size_t contact) {
      const ContactPlan::Contact& interval = dynamics_.plan().contacts[contact];
      return interval.holds(first_s) && interval.holds(second_s);
    });
    const bool is_near_change =
        std::ranges::any_of(changes_, [&](double change_s) { return std::abs(now_s_ - change_s) < kNearChange; });
    keep_largest(is_near_change ? audit_.change_residual_max_n : audit_.between_residual_max_n,
                 residual.head<3>().norm(), now_s_, "base");
    keep_largest(is_near_change ? audit_.change_residual_max_nm : audit_.between_residual_max_nm,
                 residual.tail<3>().norm(), now_s_, "base");
  }

  void examine_interval(Eigen::Index sample) {
    const Trajectory& t = trajectory_;
    for (Eigen::Index k = 6; k < t.v.rows(); ++k) {
      const CubicPiece joint(t.q(k + 1, sample), t.v(k, sample), t.a(k, sample), t.q(k + 1, sample + 1),
                             t.v(k, sample + 1), t.a(k, sample + 1), 1.0 / t.rate_hz);
      keep_largest(audit_.spline_error_max_rad_per_s2, joint.contradiction(), t.time_s(sample),
                   model_.joints()[static_cast<std::size_t>(k - 6)].name);
    }
  }

  /// Examines contacts and joints at `now_s_`; `is_judged` tells for a contact in force whether its limits count.
  /// Returns the residual of the base's rows.
  template <class IsJudged>
  Vector6d examine_instant(const IsJudged& is_judged) {
    dynamics_.update(state_, a_);
    double vertical = 0.0;
    for (std::size_t k = 0; k < wrenches_.size(); ++k) {
      vertical += wrenches_[k].z();
      const ContactPlan::Contact& contact = dynamics_.plan().contacts[k];
      if (!contact.holds(now_s_) || !is_judged(k)) continue;
      const std::string_view name = to_string(contact.site);
      const Eigen::Vector3d place = dynamics_.point(k);
      if (!places_[k]) places_[k] = place;
      keep_largest(audit_.contact_drift_max_m, (place - *places_[k]).norm(), now_s_, name);
      if (is_foot(contact.site)) {
        examine_foot(k);
      } else {
        keep_least(audit_.support_force_min_per_weight, wrenches_[k].z() / weight_, now_s_, name);
      }
    }
    keep_least(audit_.force_min_per_weight, vertical / weight_, now_s_, "all contacts");
    keep_largest(audit_.force_max_per_weight, vertical / weight_, now_s_, "all contacts");
    const Eigen::VectorXd& rows = dynamics_.torque(wrenches_);
    torque_ = rows.tail(model_.num_joints());
    examine_joints();
    return rows.head<6>();
  }

  void examine_foot(std::size_t k) {
    const ContactPlan::Contact& contact = dynamics_.plan().contacts[k];
    const std::string_view name = to_string(contact.site);
    const std::optional<Sole>& sole = model_.description().soles[static_cast<std::size_t>(side_of(contact.site))];
    const Wrench wrench = dynamics_.in_link(k, wrenches_[k]);
    const double normal = wrench.force.z();
    keep_least(audit_.foot_force_min_per_weight, normal / weight_, now_s_, name);
    if (normal < kUnloaded * weight_) return;
    keep_largest(audit_.friction_ratio_max, wrench.force.head<2>().norm() / normal, now_s_, name);
    if (!sole) return;
    const Eigen::Vector2d cop = centre_of_pressure(wrench, sole->z);
    keep_least(audit_.cop_margin_length_min_m, std::min(cop.x() - sole->x_min, sole->x_max - cop.x()), now_s_, name);
    keep_least(audit_.cop_margin_width_min_m, std::min(cop.y() - sole->y_min, sole->y_max - cop.y()), now_s_, name);
  }

  void examine_joints() {
    for (Eigen::Index i = 0; i < model_.num_joints(); ++i) {
      const Joint& joint = model_.joints()[static_cast<std::size_t>(i)];
      if (is_limit(joint.effort)) {
        keep_largest(audit_.torque_ratio_max, std::abs(torque_[i]) / joint.effort, now_s_, joint.name);
      }
      if (is_limit(joint.velocity)) {
        keep_largest(audit_.speed_ratio_max, std::abs(state_.v[6 + i]) / joint.velocity, now_s_, joint.name);
      }
      const double margin = std::min(state_.q[7 + i] - joint.lower, joint.upper - state_.q[7 + i]);
      if (std::isfinite(margin)) keep_least(audit_.range_margin_min_rad, margin, now_s_, joint.name);
    }
  }

  /// Contact whose point a site's wrench refers to at `now_s_`.
  std::size_t index_of(ContactSite site) const {
    return static_cast<std::size_t>(dynamics_.plan().nearest(site, now_s_) - dynamics_.plan().contacts.data());
  }

  const RobotModel& model_;
  const Trajectory& trajectory_;
  double weight_;
  std::vector<Trajectory::ContactWrenches> planned_;
  ContactDynamics dynamics_;
  std::vector<double> changes_;  ///< times at which a contact begins or ends within the plan
  double now_s_ = 0.0;
  RobotState state_;
  Eigen::VectorXd a_, torque_;
  std::vector<Vector6d> wrenches_;                      ///< by contact, about its point
  std::vector<std::optional<Eigen::Vector3d>> places_;  ///< of each contact's point when first in force
  PlanAudit audit_;
};

}  // namespace

PlanAudit audit_plan(const RobotModel& model, const MotionPlan& plan, int points_between) {
  check_sizes(model, plan);
  if (points_between < 0) throw InvalidValue("an audit needs zero or more points between samples");
  return Auditor(model, plan,
                 plan.trajectory.wrenches.empty() ? planned_dynamics(model, plan, /*speed=*/1.0).wrenches
                                                  : plan.trajectory.wrenches)
      .examine(points_between);
}

void set_metrics(const PlanAudit& audit, Metrics& metrics) {
  const auto set = [&](std::string_view name, const PlanAudit::Extreme& extreme) {
    metrics.set(name, extreme.exists() ? MetricValue(extreme.value) : MetricValue{});
  };
  set("plan_cop_margin_length_min_m", audit.cop_margin_length_min_m);
  set("plan_cop_margin_width_min_m", audit.cop_margin_width_min_m);
  set("plan_foot_force_min_per_weight", audit.foot_force_min_per_weight);
  set("plan_support_force_min_per_weight", audit.support_force_min_per_weight);
  set("plan_friction_ratio_max", audit.friction_ratio_max);
  set("plan_contact_drift_max_m", audit.contact_drift_max_m);
  set("plan_force_min_per_weight", audit.force_min_per_weight);
  set("plan_force_max_per_weight", audit.force_max_per_weight);
  set("plan_torque_ratio_max", audit.torque_ratio_max);
  set("plan_range_margin_min_rad", audit.range_margin_min_rad);
  metrics.set("plan_jerk_rms_rad_per_s3", audit.jerk_rms_rad_per_s3);
  set("plan_spline_error_max_rad_per_s2", audit.spline_error_max_rad_per_s2);
  set("plan_base_residual_max_n", audit.base_residual_max_n);
  set("plan_base_residual_max_nm", audit.base_residual_max_nm);
  set("plan_between_residual_max_n", audit.between_residual_max_n);
  set("plan_between_residual_max_nm", audit.between_residual_max_nm);
  set("plan_change_residual_max_n", audit.change_residual_max_n);
  set("plan_change_residual_max_nm", audit.change_residual_max_nm);
}

}  // namespace aplomb
