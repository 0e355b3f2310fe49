#pragma once

#include <Eigen/Core>
#include <vector>

namespace aplomb {

/// Watches a position and its own velocity, each as the witness of the other. With step s = p − p_last and mean
/// velocity v̄ = (v + v_last) / 2, the residual of a tick is r = s − v̄ dt.
///   position jumped:   |r| > 3 mm or mrad + |v − v_last| dt + 2 |v̄| dt + 10 × (mean |r|)
///   velocity jumped:   |Σ r| over the last 10 ticks > drift floor + 100 × (mean |r|), and no position jumped
///   position frozen:   a channel repeats exactly for 10 ticks, while Σ v̄ dt has left it
///   velocity frozen:   a channel repeats exactly for 10 ticks, while Σ r has left it
/// "Has left it": by 10 µm or µrad, three of the position's smallest steps, and 8 √n × (mean |r| + mean |v − v_last|
/// dt) in n ticks. The mean residual is a low-pass over 0.1 s, so that the bounds follow the sensors' noise; a reading
/// that is repeated once or twice (a lost packet) is not a jump.
class PairWatch {
 public:
  struct Findings {
    bool position_jumped = false, velocity_jumped = false, position_frozen = false, velocity_frozen = false;
    bool has_any() const { return position_jumped || velocity_jumped || position_frozen || velocity_frozen; }
  };

  /// `drift_floor` [m], [rad]: of a velocity that is filtered, above its lag times its change.
  PairWatch(Eigen::Index num_channels, double period_s, double drift_floor);

  /// One tick in which both answer with finite values. `step` is exactly zero in a channel that repeats itself. Never
  /// allocates.
  const Findings& update(const Eigen::Ref<const Eigen::VectorXd>& step,
                         const Eigen::Ref<const Eigen::VectorXd>& velocity);
  /// A tick in which one of the two does not answer.
  void interrupt();
  const Findings& findings() const { return findings_; }

 private:
  void watch_repeats();
  void average(double sample, double& mean) const;
  void restart();

  double period_s_, drift_floor_;
  Eigen::VectorXd last_velocity_, expected_, residual_;
  Eigen::VectorXd left_position_, left_velocity_;  ///< Σ v̄ dt, Σ r since the channel began to repeat
  Eigen::VectorXi position_repeats_, velocity_repeats_;
  Eigen::MatrixXd window_;  ///< residuals of the last ticks, one column each
  Eigen::VectorXd window_sum_;
  Eigen::VectorXd least_step_;                      ///< smallest step of each channel that was not zero: its resolution
  double mean_residual_ = 0.0, mean_change_ = 0.0;  ///< of |r|, |v − v_last| dt
  int ticks_ = 0, age_ = 0;                         ///< since the last interruption, since the start
  Findings findings_;
};

}  // namespace aplomb
