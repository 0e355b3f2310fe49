#include "aplomb/control/partial_force/support_limits.hpp"

#include <gtest/gtest.h>

#include "aplomb/core/math/polygon.hpp"
#include "control/force_problems.hpp"

namespace aplomb {
namespace {

/// CoMan at rest in a random posture, with a force at its right hand.
struct Standing {
  explicit Standing(unsigned seed, const Eigen::Vector3d& force) : random(seed) {
    random.state.v.setZero();
    random.terms.update(random.state);
    random.problem.contacts[2].R_world_contact.setIdentity();
    random.problem.contacts[2].force = force;
    limits.update(std::span(random.problem.contacts).first(2));
  }
  std::span<const ForceContact> hands() const { return std::span(random.problem.contacts).subspan(2); }
  /// CoP of both feet from the moments about the CoM, for a horizontal acceleration of the CoM and a share of the
  /// hand's force, at constant angular momentum.
  Eigen::Vector2d cop(const Eigen::Vector3d& acceleration, double share) const {
    const Eigen::Vector3d force = share * random.problem.contacts[2].force;
    const Eigen::Vector3d com = random.terms.com();
    const Eigen::Vector3d feet = random.terms.mass() * (acceleration + Eigen::Vector3d(0.0, 0.0, kGravity)) - force;
    const Eigen::Vector3d moment = (random.problem.contacts[2].point - com).cross(force);
    const double ground = 0.5 * (random.problem.contacts[0].point.z() + random.problem.contacts[1].point.z());
    // (p − c) × F + moment = 0 about x and y
    const double down = ground - com.z();
    return {com.x() + (down * feet.x() + moment.y()) / feet.z(), com.y() + (down * feet.y() - moment.x()) / feet.z()};
  }
  double margin(const Eigen::Vector2d& point) const {
    std::vector<Eigen::Vector2d> corners;
    for (const ForceContact& foot : std::span(random.problem.contacts).first(2)) {
      for (double x : {-foot.half_length, foot.half_length}) {
        for (double y : {-foot.half_width, foot.half_width}) {
          corners.push_back((foot.point + foot.R_world_contact * Eigen::Vector3d(x, y, 0.0)).head<2>());
        }
      }
    }
    return signed_distance(convex_hull(corners), point);
  }
  test::RandomForceProblem random;
  SupportLimits limits;
};

TEST(SupportLimits, KeepAnAccelerationThatTheFeetCanSupport) {
  const Standing standing(1, Eigen::Vector3d::Zero());
  const Eigen::Vector3d wanted(0.1, -0.1, 0.3);
  EXPECT_GT(standing.margin(standing.cop({0.1, -0.1, 0.0}, 1.0)), 0.0);
  EXPECT_EQ(standing.limits.nearest(wanted, standing.random.terms, standing.hands()), wanted);
  EXPECT_EQ(standing.limits.force_share(standing.random.terms, standing.hands()), 1.0);
}

TEST(SupportLimits, ClampAnAccelerationToTheOneWithTheCopAtTheEdge) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Standing standing(seed, Eigen::Vector3d(3.0, 15.0, 2.0));
    const Eigen::Vector3d wanted = 10.0 * Eigen::Vector3d(standing.random.unit(standing.random.engine), 1.5, 0.0);
    ASSERT_LT(standing.margin(standing.cop(wanted, 1.0)), 0.0);
    const Eigen::Vector3d held = standing.limits.nearest(wanted, standing.random.terms, standing.hands());
    EXPECT_NEAR(standing.margin(standing.cop(held, 1.0)), 0.0, 1e-9);
    EXPECT_LT(held.norm(), wanted.norm());
  }
}

TEST(SupportLimits, ClampAForceToTheOneWithTheCopAtTheEdge) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Standing standing(seed, Eigen::Vector3d(20.0, 200.0, -10.0));
    if (standing.margin(standing.random.terms.com().head<2>()) <= 0.0) continue;  // it would fall without a hand
    const double share = standing.limits.force_share(standing.random.terms, standing.hands());
    EXPECT_LT(share, 1.0);
    EXPECT_NEAR(standing.margin(standing.cop(Eigen::Vector3d::Zero(), share)), 0.0, 1e-9);
  }
}

TEST(SupportLimits, DoNotJumpWhereAFootIsAddedOrRemoved) {
  Standing standing(3, Eigen::Vector3d(0.0, 15.0, 0.0));
  const Eigen::Vector3d wanted(0.0, 5.0, 0.0);
  ForceContact& foot = standing.random.problem.contacts[1];
  const auto held_at = [&](double share) {
    foot.role = share == 0.0 ? ContactRole::free : share == 1.0 ? ContactRole::supporting : ContactRole::controlled;
    foot.share.reset();
    if (foot.role == ContactRole::controlled) foot.share = share;
    standing.limits.update(std::span(standing.random.problem.contacts).first(2));
    return standing.limits.nearest(wanted, standing.random.terms, standing.hands());
  };
  EXPECT_LT((held_at(1.0) - held_at(1.0 - 1e-9)).norm(), 1e-6);
  EXPECT_LT((held_at(0.0) - held_at(1e-9)).norm(), 1e-6);
}

}  // namespace
}  // namespace aplomb
