#pragma once

#include <Eigen/Core>

namespace aplomb {

/// Watches a position and its own velocity, each as the witness of the other, channel by channel. With the step
/// s = p − p_last and the mean velocity v̄ = (v + v_last) / 2, the residual of a tick is r = s − v̄ dt. Between sound
/// sensors, Σ r over some ticks is bounded by what they have measured themselves:
///   |Σ r| ≤ (dt + λ) V + q,   V = Σ |v − v_last|
/// dt V bounds what the trapezoid rule misses of a velocity that changes within a tick, λ V the lag λ of a velocity
/// that is filtered, or read later than its position; q is the position's resolution, the smallest step seen. Noise
/// of the velocity is part of V; noise of the position does not add up, and is allowed for by 10 × (mean |r|).
///   position jumped:   |r| > 3 mm or mrad + 2 dt |v − v_last| + 2 |v̄| dt for each tick since the last fresh position
///   velocity jumped:   |Σ r| > 0.5 mm or mrad + the bound, over 10 ticks between two fresh positions, and none jumped
///   position frozen:   it repeats exactly for 10 ticks, while |Σ v̄ dt| > 10 µm or µrad + the bound
///   velocity frozen:   it repeats exactly for 10 ticks, while |Σ r| > 10 µm or µrad + the bound and its resolution
class PairWatch {
 public:
  struct Findings {
    bool position_jumped = false, velocity_jumped = false, position_frozen = false, velocity_frozen = false;
    bool has_any() const { return position_jumped || velocity_jumped || position_frozen || velocity_frozen; }
  };

  /// `rate_lag_s` is λ. `has_turned_axes`: the steps are those of other axes than the sensor's, which mix its channels.
  PairWatch(Eigen::Index num_channels, double period_s, double rate_lag_s, bool has_turned_axes = false);

  /// One tick in which both answer with finite values. `step` is exactly zero in a channel that repeats itself. Never
  /// allocates.
  const Findings& update(const Eigen::Ref<const Eigen::VectorXd>& step,
                         const Eigen::Ref<const Eigen::VectorXd>& velocity);
  /// A tick in which one of the two does not answer.
  void interrupt();
  const Findings& findings() const { return findings_; }

 private:
  static constexpr int kWindow = 10;  // [ticks]

  void restart();
  void look_at(Eigen::Index channel, double step, double most_change, double most_travel);
  void watch_window(Eigen::Index channel);
  void watch_repeats(Eigen::Index channel);
  void learn(Eigen::Index channel, double step, double change);

  double period_s_, rate_lag_s_;
  bool has_turned_axes_;
  Eigen::VectorXd last_velocity_, expected_, change_, residual_;
  /// Since the position, the velocity of a channel began to repeat: Σ v̄ dt, Σ r, and V of the former.
  Eigen::VectorXd left_position_, left_velocity_, variation_;
  Eigen::VectorXi position_repeats_, velocity_repeats_;
  Eigen::MatrixXd residuals_, changes_;        ///< of the last ticks, one column each
  Eigen::MatrixXi is_fresh_;                   ///< whether the position of that tick was a new one
  Eigen::VectorXd least_step_, least_change_;  ///< smallest that were not zero, of each channel: its resolution
  Eigen::VectorXd mean_residual_;              ///< of |r|, while both change: a low-pass over 0.1 s
  int ticks_ = 0, age_ = 0;                    ///< since the last interruption, since the start
  Findings findings_;
};

}  // namespace aplomb
