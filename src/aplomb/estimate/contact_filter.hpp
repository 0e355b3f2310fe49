#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <span>

namespace aplomb {

/// Contact-aided right-invariant extended Kalman filter (Hartley et al. 2020): orientation, velocity and position of an
/// inertial measurement unit (IMU), the points at which the robot touches the world, and the biases of gyroscope and
/// accelerometer. Beyond the paper, the first M points may be on ground that moves: each has a velocity of its own.
///
/// The state X = (R, v, p, d_1 … d_N, u_1 … u_M) is an element of the matrix Lie group SE_{N+M+2}(3); its error is
///   η = X̂ X⁻¹ = exp(ξ),   ζ = b̂ − b,
/// and `Covariance` is that of (ξ_R, ξ_v, ξ_p, ξ_d1 … ξ_dN, ξ_u1 … ξ_uM, ζ_gyroscope, ζ_accelerometer). Without biases
/// the error propagates independently of the estimate, which is why the filter converges from large initial errors.
///   ḋ_i = u_i + white noise,   u̇_i = white noise;   u_i = 0 is what a point at rest measures.
///
/// Nothing is allocated, not even at construction: matrices have room for kMaxContacts points.
class ContactFilter {
 public:
  static constexpr int kMaxContacts = 5;  ///< two feet, two hands, the seat
  static constexpr int kMaxMoving = 2;    ///< the feet
  static constexpr int kMaxErrorSize = 15 + 3 * kMaxContacts + 3 * kMaxMoving;
  using Covariance = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMaxErrorSize, kMaxErrorSize>;
  using ErrorVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMaxErrorSize, 1>;

  struct State {
    Eigen::Quaterniond R_world_imu = Eigen::Quaterniond::Identity();
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< v, in world axes [m/s]
    Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< p [m]
    std::array<Eigen::Vector3d, kMaxContacts> contact =
        filled<kMaxContacts>(Eigen::Vector3d::Zero());  ///< d_i in the world [m]
    std::array<Eigen::Vector3d, kMaxMoving> contact_velocity =
        filled<kMaxMoving>(Eigen::Vector3d::Zero());               ///< u_i, in world axes [m/s]
    Eigen::Vector3d gyroscope_bias = Eigen::Vector3d::Zero();      ///< [rad/s]
    Eigen::Vector3d accelerometer_bias = Eigen::Vector3d::Zero();  ///< [m/s²]

   private:
    template <int count>
    static std::array<Eigen::Vector3d, count> filled(const Eigen::Vector3d& value) {
      std::array<Eigen::Vector3d, count> values;
      values.fill(value);
      return values;
    }
  };

  /// Spectral densities of the IMU's errors: the variance of the mean over dt is density² / dt.
  struct Noise {
    double gyroscope = 0.0;           ///< white noise [rad/s/√Hz]
    double accelerometer = 0.0;       ///< white noise [m/s²/√Hz]
    double gyroscope_bias = 0.0;      ///< random walk [rad/s/√s]
    double accelerometer_bias = 0.0;  ///< random walk [m/s²/√s]
  };

  /// Difference between a measurement and its prediction.
  struct Innovation {
    Eigen::Vector3d value = Eigen::Vector3d::Zero();           ///< R̂ y + p̂ − d̂, in world axes [m]
    Eigen::Matrix3d covariance = Eigen::Matrix3d::Identity();  ///< H P Hᵀ + R̂ N R̂ᵀ
    double normalised_square = 0.0;  ///< chi-square with 3 degrees of freedom in a consistent filter
  };

  /// Throws InvalidValue on a count outside 0 … kMaxContacts, or on more points that move than kMaxMoving or points.
  ContactFilter(int num_contacts, const Noise& noise, int num_moving = 0);

  int num_contacts() const { return num_contacts_; }
  int num_moving() const { return num_moving_; }
  int error_size() const { return 15 + 3 * (num_contacts_ + num_moving_); }
  int contact_index(int contact) const { return 9 + 3 * contact; }                     ///< of ξ_d in the error
  int velocity_index(int contact) const { return 9 + 3 * (num_contacts_ + contact); }  ///< of ξ_u in the error
  int gyroscope_bias_index() const { return 9 + 3 * (num_contacts_ + num_moving_); }
  int accelerometer_bias_index() const { return gyroscope_bias_index() + 3; }

  void start(const State& state, const Covariance& covariance);  ///< covariance: error_size() × error_size()

  /// Advances by dt with the mean angular velocity and specific force over it, in the IMU's axes. Contact point i
  /// moves with its velocity and a random walk of density contact_density[i] [m/√s], the velocity of a point that may
  /// move as a random walk of density velocity_density[i] [m/s/√s].
  void propagate(const Eigen::Vector3d& angular_velocity, const Eigen::Vector3d& specific_force, double dt,
                 std::span<const double> contact_density, std::span<const double> velocity_density = {});

  /// Density of the accelerometer bias' random walk from the next propagate() on [m/s²/√s].
  void set_accelerometer_bias_walk(double density) { noise_.accelerometer_bias = density; }

  /// Compares the position of contact point i measured through the joints, in the IMU's frame, with the estimate.
  Innovation innovation(int contact, const Eigen::Vector3d& position_in_imu,
                        const Eigen::Matrix3d& measurement_covariance) const;
  /// Corrects the estimate with an innovation of the same point. Returns false, and corrects nothing, when its
  /// covariance is not positive definite (NaN).
  bool correct(int contact, const Innovation& innovation);
  /// Corrects the estimate with what is known of a point that may move: its velocity is zero, with this standard
  /// deviation [m/s]. Returns false, and corrects nothing, when that is not a number.
  bool correct_at_rest(int contact, double sigma);
  /// Adds to the uncertainty of the velocity: this standard deviation [m/s].
  void loosen_velocity(double sigma);
  /// Forgets the velocity of a point that may move: it keeps its estimate, and gets this standard deviation [m/s] more.
  void loosen(int contact, double sigma);
  /// Forgets where contact point i is: it is placed where it is measured, with the covariance of that.
  void place(int contact, const Eigen::Vector3d& position_in_imu, const Eigen::Matrix3d& measurement_covariance);

  const State& state() const { return state_; }
  const Covariance& covariance() const { return covariance_; }
  /// The error (ξ, ζ) of the estimate when `truth` is the true state: logarithm of X̂ X⁻¹, difference of the biases.
  ErrorVector error_against(const State& truth) const;
  /// X ← exp(ξ) X, b ← b + ζ.
  static void retract(const ErrorVector& error, int num_contacts, State& state, int num_moving = 0);

  bool is_finite() const;

 private:
  using BiasColumns = Eigen::Matrix<double, Eigen::Dynamic, 6, 0, kMaxErrorSize - 6, 6>;
  using MeasurementColumns = Eigen::Matrix<double, Eigen::Dynamic, 3, 0, kMaxErrorSize, 3>;
  void propagate_covariance(double dt, std::span<const double> contact_density,
                            std::span<const double> velocity_density);
  bool correct_by(MeasurementColumns& W, const Innovation& innovation);

  int num_contacts_, num_moving_;
  Noise noise_;
  State state_;
  Covariance covariance_;
  BiasColumns bias_columns_;  ///< ∂(ξ after the step) / ∂(ζ_gyroscope, ζ_accelerometer)
  BiasColumns mixed_;         ///< F P_nb, working memory
  BiasColumns weighted_;      ///< B (P_bb + N), working memory
};

/// Γ_m(φ) = Σ [φ]×ⁿ / (n + m)!, the integrals of the rotation exp [φ]× (Hartley et al. 2020, appendix); m = 0, 1, 2.
std::array<Eigen::Matrix3d, 3> rotation_integrals(const Eigen::Vector3d& turn);

}  // namespace aplomb
