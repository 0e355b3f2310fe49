#include "aplomb/identify/sensor_bias.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <numbers>

namespace aplomb {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;
constexpr double kOffset = 3.0;  // [N m]

class BiasTrial {
 public:
  BiasTrial(const RobotModel& cad, const PostureSet& set, const Identification& found, const IdentifyOptions& options)
      : cad_(cad), set_(set), found_(found), noise_(options.noise) {
    noise_.joint_rad = 0.0;  // the same weights before and after, from the force sensors
    before_ = make_problem(cad, found, set, noise_);
  }

  SensorBias judge(std::string name, const std::function<void(Posture&)>& disturb) const {
    PostureSet biased{.file = set_.file, .sensors = set_.sensors, .postures = set_.postures};
    for (Posture& posture : biased.postures) {
      disturb(posture);
      place_base(cad_, set_.sensors.has_orientation, posture.state);
    }
    const StaticProblem after = make_problem(cad_, found_, biased, noise_);
    const Eigen::VectorXd& phi = found_.estimate.phi;
    // The effect δ of the bias on the residuals, and the dφ that hides most of it: min |W dφ + δ|².
    NormalEquations hiding(before_.num_parameters());
    double residual = 0.0;
    for (std::size_t k = 0; k < before_.rows.size(); ++k) {
      const Eigen::VectorXd here = before_.rows[k].W * phi - before_.rows[k].y;
      hiding.add(before_.rows[k].W, -(after.rows[k].W * phi - after.rows[k].y - here));
      residual += here.squaredNorm();
    }
    const LeastSquares hidden = least_squares(hiding, found_.plain.scale, 1e-5);
    const double left = std::max(0.0, hidden.variance * static_cast<double>(hidden.freedom));
    SensorBias bias{.name = std::move(name)};
    bias.visible = hiding.btb > 0.0 ? std::sqrt(std::min(1.0, left / hiding.btb)) : 0.0;
    bias.residual_growth = std::sqrt((residual + left) / residual);
    double sum = 0.0;
    for (const CopPrediction& cop : before_.cops) {
      const double mass = before_.mass.dot(phi), com = cop.moments.row(0).dot(phi) / mass;
      sum += std::pow((cop.moments.row(0) - com * before_.mass).dot(hidden.phi) / mass, 2);
    }
    bias.com_shift_m = std::sqrt(sum / static_cast<double>(before_.cops.size()));
    return bias;
  }

 private:
  const RobotModel& cad_;
  const PostureSet& set_;
  const Identification& found_;
  MeasurementNoise noise_;
  StaticProblem before_;
};

/// Joints whose zero is tried: those between the planar links, both sides at once, or each one that moves.
std::vector<std::vector<int>> tried_joints(const RobotModel& cad, const PostureSet& set, const Identification& found) {
  std::vector<std::vector<int>> tried;
  if (found.sagittal) {
    for (const SagittalModel::Link& link : found.sagittal->links()) {
      if (link.frame_bodies.front() == 0) continue;
      tried.emplace_back();
      for (int body : link.frame_bodies) tried.back().push_back(body - 1);
    }
    return tried;
  }
  for (int joint = 0; joint < cad.num_joints(); ++joint) {
    double low = 1e9, high = -1e9;
    for (const Posture& posture : set.postures) {
      low = std::min(low, posture.state.q[7 + joint]);
      high = std::max(high, posture.state.q[7 + joint]);
    }
    if (high - low > 0.3) tried.push_back({joint});
  }
  return tried;
}

}  // namespace

std::vector<SensorBias> sensor_biases(const RobotModel& cad, const PostureSet& set, const Identification& found,
                                      const IdentifyOptions& options) {
  const BiasTrial trial(cad, set, found, options);
  std::vector<SensorBias> biases;
  for (const std::vector<int>& joints : tried_joints(cad, set, found)) {
    std::string name = cad.joints()[static_cast<std::size_t>(joints.front())].name;
    if (joints.size() > 1) name += " and " + cad.joints()[static_cast<std::size_t>(joints.back())].name;
    biases.push_back(trial.judge(fmt::format("zero of {}, 1 degree", name), [&](Posture& posture) {
      for (int joint : joints) posture.state.q[7 + joint] += kDegree;
    }));
  }
  for (std::size_t k = 0; k < set.sensors.contacts.size(); ++k) {
    const ContactSensor& sensor = set.sensors.contacts[k];
    biases.push_back(
        trial.judge(fmt::format("pitch moment of {}, {:g} N m", sensor.name, kOffset), [&](Posture& posture) {
          if (sensor.kind == ContactSensor::Kind::wrench) posture.contacts[k][4] += kOffset;
          if (sensor.kind == ContactSensor::Kind::cop) posture.contacts[k][0] -= kOffset / posture.contacts[k][2];
        }));
  }
  return biases;
}

}  // namespace aplomb
