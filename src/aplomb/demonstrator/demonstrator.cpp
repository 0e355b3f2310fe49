#include "aplomb/demonstrator/demonstrator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "aplomb/core/error.hpp"
#include "aplomb/core/math/polygon.hpp"
#include "aplomb/demonstrator/motion/balanced_motion.hpp"
#include "aplomb/human/human_robot.hpp"
#include "aplomb/motion/profile/axis_motion.hpp"

namespace aplomb {
namespace {

constexpr double kSeatForward = 0.02;  // [m at 1.75 m] CoP of the seat in front of the hips
constexpr double kMostOnSeat = 0.85;   // largest fraction of the load on the seat: the legs' weight stays on the feet
constexpr double kLastOnSeat = 0.08;   // fraction of the load on the seat shortly before seat-off
constexpr double kUnloadS = 0.3;       // [s] in which it then fades to zero
constexpr double kAim = 0.020;         // [m at 1.75 m] ZMP margin that the correction aims at
constexpr double kLeastAim = 0.013;    // [m] smallest aim, for small persons

// The plates of a person of 1.75 m [m]: side by side, the edge between them in front of the chair's legs.
constexpr double kBorder = -0.12, kFeetFront = 0.48, kSeatRear = -0.92, kHalfWidth = 0.35;

std::array<Eigen::Vector3d, 4> corners_of(double rear, double front, double size) {
  // The plate's x is the lab's, its y points right, its z down; corners in the quadrants (+,+) (-,+) (-,-) (+,-).
  const double x0 = size * rear, x1 = size * front, y = size * kHalfWidth;
  return {Eigen::Vector3d(x1, -y, 0.0), {x0, -y, 0.0}, {x0, y, 0.0}, {x1, y, 0.0}};
}

PlateTruth empty_plate(const std::array<Eigen::Vector3d, 4>& corners, Eigen::Index count) {
  PlateTruth plate{.corners = corners};
  plate.force.setZero(3, count);
  plate.free_moment.setZero(count);
  plate.cop = (0.25 * (corners[0] + corners[1] + corners[2] + corners[3])).head<2>().replicate(1, count);
  return plate;
}

/// Distribution of the contact force, without the hands' part, over seat and feet during one rise.
///
/// The CoP of the seat is at x_s, below the hips; that of the feet at x_f, the ZMP p at seat-off. Then the seat's share
/// is (x_f − p) / (x_f − x_s), which reaches zero at seat-off without a step. If p moves ahead of x_f earlier, some
/// load stays on the seat until seat-off, and the CoP of the feet moves forward. The legs' weight stays on the feet:
/// where the seat would have to carry more than 85 %, its CoP moves back.
class LoadShare {
 public:
  LoadShare(const BalancedMotion& motion, double size) : motion_(motion) {
    share_.setZero(motion.q.cols());
    if (motion.chair_height_m == 0.0) return;
    seat_x_ = motion.seated_hip.x() + kSeatForward * size;
    seat_off_ = static_cast<Eigen::Index>(std::ceil(motion.hips_leave_s * motion.rate_hz));
    feet_x_ = motion.on_ground.zmp_at(seat_off_).x();
    for (Eigen::Index i = 0; i < seat_off_; ++i) {
      const double left_s = static_cast<double>(seat_off_ - i) / motion.rate_hz;
      const double least = kLastOnSeat * minimum_jerk(left_s, kUnloadS).position;
      share_[i] = std::clamp((feet_x_ - motion.on_ground.zmp_at(i).x()) / (feet_x_ - seat_x_), least, kMostOnSeat);
    }
  }

  Eigen::Index seat_off() const { return seat_off_; }  ///< first sample without load on the seat
  double share(Eigen::Index i) const { return share_[i]; }
  Eigen::Vector2d seat_cop(Eigen::Index i) const {
    const Eigen::Vector2d p = motion_.on_ground.zmp_at(i);
    const double at_most = (p.x() - (1.0 - kMostOnSeat) * feet_x_) / kMostOnSeat;
    return {share_[i] < kMostOnSeat ? seat_x_ : at_most, p.y()};
  }
  /// CoP of the feet, such that the CoP of seat and feet together is p.
  Eigen::Vector2d feet_cop(Eigen::Index i) const {
    const Eigen::Vector2d p = motion_.on_ground.zmp_at(i);
    return {(p.x() - share_[i] * seat_cop(i).x()) / (1.0 - share_[i]), p.y()};
  }

 private:
  const BalancedMotion& motion_;
  Eigen::RowVectorXd share_;
  Eigen::Index seat_off_ = 0;
  double seat_x_ = 0.0, feet_x_ = 0.0;
};

void load(PlateTruth& plate, Eigen::Index column, double share, const Eigen::Vector3d& force,
          const Eigen::Vector2d& cop, double moment) {
  if (share <= 0.0) return;
  plate.force.col(column) = share * force;
  plate.cop.col(column) = cop;
  plate.free_moment[column] = share * moment;
}

/// Sample of the single rise that is played at a sample of the whole motion.
struct Source {
  Eigen::Index sample = 0;
  double direction = 1.0;  ///< −1: played backwards
};

/// Repeats the motion. Sitting down is the rise played backwards, which has the same accelerations and therefore the
/// same forces. Between two rises the person sits down, between two sit-downs it rises, between two steps it steps
/// back.
std::vector<Source> passes(Eigen::Index count, const DemonstrationStyle& style, int repeats) {
  using Direction = DemonstrationStyle::Direction;
  std::vector<Source> sources;
  const bool turns = style.is_seated || !style.foot_moves.empty() || style.direction != Direction::forward;
  int num_passes = repeats;
  if (turns) num_passes = style.direction == Direction::there_and_back ? 2 * repeats : 2 * repeats - 1;
  for (int pass = 0; pass < num_passes; ++pass) {
    const bool is_backward = turns && (pass % 2 == 1) != (style.direction == Direction::backward);
    for (Eigen::Index i = 0; i < count; ++i)
      sources.push_back(is_backward ? Source{count - 1 - i, -1.0} : Source{i, 1.0});
  }
  return sources;
}

/// Appends the times at which a load becomes zero, and at which it begins again.
void note_changes(const Eigen::RowVectorXd& share, double rate_hz, std::vector<double>& off_s,
                  std::vector<double>& on_s) {
  for (Eigen::Index i = 1; i < share.size(); ++i) {
    const bool was_loaded = share[i - 1] > 0.0, is_loaded = share[i] > 0.0;
    if (was_loaded != is_loaded) (was_loaded ? off_s : on_s).push_back(static_cast<double>(i) / rate_hz);
  }
}

/// Fills in motion, forces and events of all repetitions from the single rise.
void unfold(Demonstration& all, const BalancedMotion& once, const DemonstrationStyle& style, const LoadShare& shared,
            double size) {
  const std::vector<Source> source = passes(once.q.cols(), style, all.options.repeats);
  const auto count = static_cast<Eigen::Index>(source.size());
  all.feet = empty_plate(corners_of(kBorder, kFeetFront, size), count);
  all.seat = empty_plate(corners_of(kSeatRear, kBorder, size), count);
  for (Eigen::Matrix3Xd* part : {&all.forces.com, &all.forces.com_velocity, &all.forces.force, &all.forces.moment}) {
    part->resize(3, count);
  }
  all.zmp.resize(2, count);
  all.seat_share.resize(count);
  all.hand_share.resize(count);
  all.motion = {.rate_hz = once.rate_hz / all.samples_per_frame};
  all.motion.q.resize(once.q.rows(), count / all.samples_per_frame);
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto [from, direction] = source[static_cast<std::size_t>(i)];
    const double share = shared.share(from), by_hands = once.hand_share[from];
    const Eigen::Vector3d on_ground = once.on_ground.force.col(from);
    const double turning = once.on_ground.vertical_moment(from);
    all.forces.com.col(i) = once.forces.com.col(from);
    all.forces.com_velocity.col(i) = direction * once.forces.com_velocity.col(from);
    all.forces.force.col(i) = once.forces.force.col(from);
    all.forces.moment.col(i) = once.forces.moment.col(from);
    all.zmp.col(i) = once.forces.zmp_at(from);
    all.seat_share[i] = share * (1.0 - by_hands);
    all.hand_share[i] = by_hands;
    load(all.seat, i, share, on_ground, shared.seat_cop(from), turning);
    load(all.feet, i, 1.0 - share, on_ground, shared.feet_cop(from), turning);
    const SupportPhase& phase = phase_at(once.support, from);
    if (all.support.empty() || all.support.back().is_down != phase.is_down) {
      all.support.push_back({i, phase.is_down, phase.polygon});
    }
    if (i % all.samples_per_frame == 0) all.motion.q.col(i / all.samples_per_frame) = once.q.col(from);
  }
  note_changes(all.seat_share, once.rate_hz, all.seat_off_s, all.seat_on_s);
  note_changes(all.hand_share, once.rate_hz, all.hands_off_s, all.hands_on_s);
}

void check(const DemonstratorOptions& options) {
  if (!(options.speed >= kSlowest && options.speed <= kFastest)) {
    throw InvalidValue(
        fmt::format("speed must be {} to {} of the usual pace, not {}", kSlowest, kFastest, options.speed));
  }
  if (options.repeats < 1 || options.repeats > kMostRepeats) {
    throw InvalidValue(fmt::format("{} repeats; valid: 1 ... {}", options.repeats, kMostRepeats));
  }
}

}  // namespace

const SupportPhase& phase_at(const std::vector<SupportPhase>& phases, Eigen::Index sample) {
  const auto after = std::ranges::upper_bound(phases, sample, {}, &SupportPhase::begin);
  return *(after - 1);
}

std::vector<StyleSummary> known_styles() {
  std::vector<StyleSummary> styles;
  for (const DemonstrationStyle& style : demonstration_styles()) {
    using Direction = DemonstrationStyle::Direction;
    styles.push_back({.name = style.name,
                      .about = style.about,
                      .has_rise = style.is_seated && style.direction != Direction::backward,
                      .has_sit_down = style.is_seated && style.direction != Direction::forward});
  }
  return styles;
}

Demonstration demonstrate(const DemonstratorOptions& options) {
  return demonstrate(options, make_person(options.person));
}

Demonstration demonstrate(const DemonstratorOptions& options, Skeleton skeleton) {
  check(options);
  const RobotModel robot = human_robot(skeleton);
  const Habits habits = draw_habits(options.person.seed);
  const PostureMaker maker(skeleton, robot, habits);
  const double height = skeleton.height(), size = height / kGenericHeight;
  const DemonstrationStyle style = scaled_style(demonstration_style(options.style), height, options.speed);
  Demonstration all{.options = options};
  const MotionRequest request{.rate_hz = 100.0 * all.samples_per_frame,
                              .size = size,
                              .sway = habits.sway,
                              .margin_m = std::max(kAim * size, kLeastAim)};
  const BalancedMotion once = make_motion(robot, maker, style, request);
  const LoadShare shared(once, size);
  unfold(all, once, style, shared, size);
  all.zmp_margin_m = 1e9;
  for (Eigen::Index i = shared.seat_off(); i < once.q.cols(); ++i) {
    const std::vector<Eigen::Vector2d>& polygon = phase_at(once.support, i).polygon;
    all.zmp_margin_m = std::min(all.zmp_margin_m, signed_distance(polygon, once.on_ground.zmp_at(i)));
  }
  all.neutral = maker.neutral();
  all.markers = place_markers(skeleton, options.person.seed, /*has_medial=*/true);
  all.chair_height_m = once.chair_height_m;
  all.rests = once.rests;
  all.iterations = once.iterations;
  all.skeleton = std::move(skeleton);
  return all;
}

}  // namespace aplomb
