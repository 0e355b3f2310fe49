#include "aplomb/motion/interpolation.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "aplomb/core/math/rotation.hpp"
#include "aplomb/robot/configuration.hpp"

namespace aplomb {
namespace {

constexpr double kSmallAngle = 0.1;  // [rad] below it the series are exact to 1e-13, and the closed forms cancel

constexpr double kLargestPitch =
    80.0 * std::numbers::pi / 180.0;  // beyond, yaw and roll turn about nearly the same axis

/// Coefficients of the right Jacobian of the rotation vector φ, with θ = |φ|:
///   ω = φ̇ − b φ × φ̇ + c φ × (φ × φ̇),   b = (1 − cos θ)/θ²,   c = (θ − sin θ)/θ³   (ω in the turned frame)
/// and b_rate = (db/dθ)/θ, c_rate = (dc/dθ)/θ.
struct TurnCoefficients {
  explicit TurnCoefficients(double angle) {
    const double t2 = angle * angle;
    if (angle < kSmallAngle) {
      b = 0.5 - t2 * (1.0 / 24.0 - t2 * (1.0 / 720.0 - t2 / 40320.0));
      c = 1.0 / 6.0 - t2 * (1.0 / 120.0 - t2 * (1.0 / 5040.0 - t2 / 362880.0));
      b_rate = -1.0 / 12.0 + t2 * (1.0 / 180.0 - t2 / 6720.0);
      c_rate = -1.0 / 60.0 + t2 * (1.0 / 1260.0 - t2 / 60480.0);
      return;
    }
    const double sine = std::sin(angle), cosine = std::cos(angle);
    b = (1.0 - cosine) / t2;
    c = (angle - sine) / (t2 * angle);
    b_rate = (angle * sine - 2.0 * (1.0 - cosine)) / (t2 * t2);
    c_rate = (3.0 * sine - 2.0 * angle - angle * cosine) / (t2 * t2 * angle);
  }
  double b, c, b_rate, c_rate;
};

/// Maps derivatives of a rotation vector to angular velocity and acceleration in the turned frame.
class Turn {
 public:
  explicit Turn(const Eigen::Vector3d& phi) : phi_(phi), k_(phi.norm()) {}

  /// J(φ) x
  Eigen::Vector3d map(const Eigen::Vector3d& x) const {
    const Eigen::Vector3d once = phi_.cross(x);
    return x - k_.b * once + k_.c * phi_.cross(once);
  }
  /// J̇ φ̇
  Eigen::Vector3d bias(const Eigen::Vector3d& rate) const {
    const double along = phi_.dot(rate);
    const Eigen::Vector3d once = phi_.cross(rate);
    return along * (k_.c_rate * phi_.cross(once) - k_.b_rate * once) + k_.c * rate.cross(once);
  }
  Eigen::Matrix3d inverse() const {
    Eigen::Matrix3d J;
    for (int axis = 0; axis < 3; ++axis) J.col(axis) = map(Eigen::Vector3d::Unit(axis));
    return J.inverse();
  }

 private:
  Eigen::Vector3d phi_;
  TurnCoefficients k_;
};

/// Polynomial of degree five through two samples with their first two derivatives.
class QuinticPiece {
 public:
  QuinticPiece(double x0, double v0, double a0, double x1, double v1, double a1, double step_s) : step_s_(step_s) {
    const double slope = v0 * step_s, bend = a0 * step_s * step_s;
    const double position = x1 - x0 - slope - 0.5 * bend, rate = v1 * step_s - slope - bend;
    const double acceleration = a1 * step_s * step_s - bend;
    c_ = {x0,
          slope,
          0.5 * bend,
          10.0 * position - 4.0 * rate + 0.5 * acceleration,
          -15.0 * position + 7.0 * rate - acceleration,
          6.0 * position - 3.0 * rate + 0.5 * acceleration};
  }
  double position(double u) const { return c_[0] + u * (c_[1] + u * (c_[2] + u * (c_[3] + u * (c_[4] + u * c_[5])))); }
  double rate(double u) const {
    return (c_[1] + u * (2.0 * c_[2] + u * (3.0 * c_[3] + u * (4.0 * c_[4] + u * 5.0 * c_[5])))) / step_s_;
  }
  double acceleration(double u) const {
    return (2.0 * c_[2] + u * (6.0 * c_[3] + u * (12.0 * c_[4] + u * 20.0 * c_[5]))) / (step_s_ * step_s_);
  }

 private:
  double step_s_;
  std::array<double, 6> c_{};  ///< coefficients of the powers of u
};

/// Base of one sample, with derivatives of its position in world axes.
struct BaseSample {
  BaseSample(const Trajectory& trajectory, Eigen::Index sample)
      : position(trajectory.q.col(sample).head<3>()),
        R_world_base(Eigen::Quaterniond(Eigen::Vector4d(trajectory.q.col(sample).segment<4>(3))).toRotationMatrix()),
        turning(trajectory.v.col(sample).segment<3>(3)),
        turning_rate(trajectory.a.col(sample).segment<3>(3)) {
    const Eigen::Vector3d v = trajectory.v.col(sample).head<3>(), a = trajectory.a.col(sample).head<3>();
    velocity = R_world_base * v;
    acceleration = R_world_base * (a + turning.cross(v));
  }
  Eigen::Vector3d position;
  Eigen::Matrix3d R_world_base;
  Eigen::Vector3d turning, turning_rate;  ///< ω, ω̇ in base axes
  Eigen::Vector3d velocity, acceleration;
};

/// An orientation with its angular velocity and acceleration, both in the turned axes.
struct Turning {
  Eigen::Matrix3d R;
  Eigen::Vector3d velocity, acceleration;
};

/// Yaw, pitch and roll (R = Rz Ry Rx) of a base, with their derivatives:  ω = E(pitch, roll) x'.
struct YawPitchRoll {
  explicit YawPitchRoll(const BaseSample& base)
      : x(std::atan2(base.R_world_base(1, 0), base.R_world_base(0, 0)),
          -std::asin(std::clamp(base.R_world_base(2, 0), -1.0, 1.0)),
          std::atan2(base.R_world_base(2, 1), base.R_world_base(2, 2))) {
    const Eigen::Matrix3d back = map(x).inverse();
    rate = back * base.turning;
    acceleration = back * (base.turning_rate - map_rate(x, rate) * rate);
  }
  static Eigen::Matrix3d map(const Eigen::Vector3d& x) {
    const double sp = std::sin(x[1]), cp = std::cos(x[1]), sr = std::sin(x[2]), cr = std::cos(x[2]);
    Eigen::Matrix3d E;
    E << -sp, 0.0, 1.0, cp * sr, cr, 0.0, cp * cr, -sr, 0.0;
    return E;
  }
  static Eigen::Matrix3d map_rate(const Eigen::Vector3d& x, const Eigen::Vector3d& rate) {
    const double sp = std::sin(x[1]), cp = std::cos(x[1]), sr = std::sin(x[2]), cr = std::cos(x[2]);
    const double p = rate[1], r = rate[2];
    Eigen::Matrix3d E;
    E << -cp * p, 0.0, 0.0, cp * cr * r - sp * sr * p, -sr * r, 0.0, -cp * sr * r - sp * cr * p, -cr * r, 0.0;
    return E;
  }
  bool is_regular() const { return std::abs(x[1]) < kLargestPitch; }
  Eigen::Vector3d x, rate, acceleration;
};

/// Each angle of two regular orientations is a CubicPiece.
Turning between_angles(const YawPitchRoll& first, const YawPitchRoll& second, double step_s, double u) {
  Eigen::Vector3d x, rate, acceleration;
  for (int axis = 0; axis < 3; ++axis) {
    const double change = std::remainder(second.x[axis] - first.x[axis], 2.0 * std::numbers::pi);
    const CubicPiece angle(first.x[axis], first.rate[axis], first.acceleration[axis], first.x[axis] + change,
                           second.rate[axis], second.acceleration[axis], step_s);
    x[axis] = angle.position(u);
    rate[axis] = angle.rate(u);
    acceleration[axis] = angle.acceleration(u);
  }
  const Eigen::Matrix3d E = YawPitchRoll::map(x);
  return {(Eigen::AngleAxisd(x[0], Eigen::Vector3d::UnitZ()) * Eigen::AngleAxisd(x[1], Eigen::Vector3d::UnitY()) *
           Eigen::AngleAxisd(x[2], Eigen::Vector3d::UnitX()))
              .toRotationMatrix(),
          E * rate, E * acceleration + YawPitchRoll::map_rate(x, rate) * rate};
}

/// Each coordinate of the rotation vector from the first orientation is a QuinticPiece.
Turning between_turns(const BaseSample& first, const BaseSample& second, double step_s, double u) {
  const Eigen::Vector3d phi1 = rotation_vector(first.R_world_base.transpose() * second.R_world_base);
  const Turn end(phi1);
  const Eigen::Matrix3d back = end.inverse();
  const Eigen::Vector3d rate1 = back * second.turning;
  const Eigen::Vector3d acceleration1 = back * (second.turning_rate - end.bias(rate1));
  Eigen::Vector3d phi, rate, acceleration;
  for (int axis = 0; axis < 3; ++axis) {
    const QuinticPiece turn(0.0, first.turning[axis], first.turning_rate[axis], phi1[axis], rate1[axis],
                            acceleration1[axis], step_s);
    phi[axis] = turn.position(u);
    rate[axis] = turn.rate(u);
    acceleration[axis] = turn.acceleration(u);
  }
  const Turn now(phi);
  return {first.R_world_base * rotation_by(phi), now.map(rate), now.map(acceleration) + now.bias(rate)};
}

void interpolate_base(const BaseSample& first, const BaseSample& second, double step_s, double u, Eigen::VectorXd& q,
                      Eigen::VectorXd& v, Eigen::VectorXd& a) {
  Eigen::Vector3d velocity, acceleration;
  for (int axis = 0; axis < 3; ++axis) {
    const CubicPiece place(first.position[axis], first.velocity[axis], first.acceleration[axis], second.position[axis],
                           second.velocity[axis], second.acceleration[axis], step_s);
    q[axis] = place.position(u);
    velocity[axis] = place.rate(u);
    acceleration[axis] = place.acceleration(u);
  }
  const YawPitchRoll first_angles(first), second_angles(second);
  const Turning now = first_angles.is_regular() && second_angles.is_regular()
                          ? between_angles(first_angles, second_angles, step_s, u)
                          : between_turns(first, second, step_s, u);
  q.segment<4>(3) = Eigen::Quaterniond(now.R).normalized().coeffs();
  v.head<3>() = now.R.transpose() * velocity;
  v.segment<3>(3) = now.velocity;
  a.head<3>() = now.R.transpose() * acceleration - now.velocity.cross(v.head<3>());
  a.segment<3>(3) = now.acceleration;
}

}  // namespace

CubicPiece::CubicPiece(double x0, double v0, double a0, double x1, double v1, double a1, double step_s)
    : step_s_(step_s), x0_(x0), v0_(v0), a0_(a0), x1_(x1), v1_(v1), a1_(a1) {}

double CubicPiece::position(double u) const {
  const double d = x1_ - x0_, v0 = v0_ * step_s_, v1 = v1_ * step_s_;
  return x0_ + u * (v0 + u * (3.0 * d - 2.0 * v0 - v1 + u * (v0 + v1 - 2.0 * d)));
}

double CubicPiece::rate(double u) const {
  const double missing = v1_ - v0_ - 0.5 * step_s_ * (a0_ + a1_);
  return v0_ + u * (missing + step_s_ * (a0_ + 0.5 * u * (a1_ - a0_)));
}

double CubicPiece::contradiction() const {
  const double chord = (x1_ - x0_) / step_s_;
  const double first = (6.0 * chord - 4.0 * v0_ - 2.0 * v1_) / step_s_,
               last = (2.0 * v0_ + 4.0 * v1_ - 6.0 * chord) / step_s_;
  return std::max({std::abs((v1_ - v0_) / step_s_ - 0.5 * (a0_ + a1_)), std::abs(first - a0_), std::abs(last - a1_)});
}

void interpolate_motion(const Trajectory& trajectory, Eigen::Index sample, double u, Eigen::VectorXd& q,
                        Eigen::VectorXd& v, Eigen::VectorXd& a) {
  const double step_s = 1.0 / trajectory.rate_hz;
  interpolate_base(BaseSample(trajectory, sample), BaseSample(trajectory, sample + 1), step_s, u, q, v, a);
  for (Eigen::Index k = kBaseV; k < trajectory.v.rows(); ++k) {
    const CubicPiece joint(trajectory.q(k + 1, sample), trajectory.v(k, sample), trajectory.a(k, sample),
                           trajectory.q(k + 1, sample + 1), trajectory.v(k, sample + 1), trajectory.a(k, sample + 1),
                           step_s);
    q[k + 1] = joint.position(u);
    v[k] = joint.rate(u);
    a[k] = joint.acceleration(u);
  }
}

void interpolate_point(const Eigen::Matrix3Xd& x, const Eigen::Matrix3Xd& v, const Eigen::Matrix3Xd& a, double rate_hz,
                       Eigen::Index sample, double u, Eigen::Vector3d& position, Eigen::Vector3d& velocity,
                       Eigen::Vector3d& acceleration) {
  for (int axis = 0; axis < 3; ++axis) {
    const CubicPiece piece(x(axis, sample), v(axis, sample), a(axis, sample), x(axis, sample + 1), v(axis, sample + 1),
                           a(axis, sample + 1), 1.0 / rate_hz);
    position[axis] = piece.position(u);
    velocity[axis] = piece.rate(u);
    acceleration[axis] = piece.acceleration(u);
  }
}

}  // namespace aplomb
