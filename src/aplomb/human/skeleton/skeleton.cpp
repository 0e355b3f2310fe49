#include "aplomb/human/skeleton/skeleton.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "aplomb/core/error.hpp"
#include "aplomb/human/skeleton/anthropometry.hpp"
#include "aplomb/human/skeleton/skeleton_plan.hpp"

namespace aplomb {
namespace {

using Eigen::Vector3d;

/// Inertia of a mass with these radii of gyration about the axes through its CoM.
Inertia lump(double mass, const Vector3d& com, const Vector3d& gyration) {
  Inertia inertia{.mass = mass, .com = com};
  inertia.about_com = (mass * gyration.cwiseAbs2()).asDiagonal();
  return inertia;
}

Vector3d gyration_of(const SegmentShare& share, double length) {
  return length * Vector3d(share.gyration_x, share.gyration_y, share.gyration_z);
}

/// Distributes the masses of a mean body over the segments of a skeleton.
class MassSpreader {
 public:
  explicit MassSpreader(Skeleton& skeleton) : skeleton_(skeleton), shares_(body_shares(skeleton.sex)) {}

  void spread() {
    for (Segment& segment : skeleton_.segments) segment.inertia = {};
    const bool is_light = skeleton_.size == SkeletonSize::light;
    is_light ? spread_light_trunk() : spread_full_trunk();
    for (const std::string prefix : {"left_", "right_"}) {
      limb(prefix + "upper_arm", prefix + "forearm", shares_.upper_arm);
      limb(prefix + "forearm", prefix + "hand", shares_.forearm);
      limb(prefix + "thigh", prefix + "shank", shares_.thigh);
      limb(prefix + "shank", is_light ? prefix + "foot" : prefix + "talus", shares_.shank);
      hand(prefix);
      foot(prefix);
      // The shoulder girdle has a mass of its own, taken from the upper trunk, so that every joint moves some mass.
      girdle(prefix + "clavicle");
      if (!is_light) girdle(prefix + "scapula");
    }
    double sum = 0.0;
    for (const Segment& segment : skeleton_.segments) sum += segment.inertia.mass;
    for (Segment& segment : skeleton_.segments) {  // the table's shares sum to 1 within 1e-4
      segment.inertia.mass *= skeleton_.mass / sum;
      segment.inertia.about_com *= skeleton_.mass / sum;
    }
  }

 private:
  Segment& at(const std::string& name) { return skeleton_.segments[static_cast<std::size_t>(skeleton_.segment(name))]; }
  Vector3d origin(const std::string& name) { return skeleton_.neutral_origin(skeleton_.segment(name)); }

  /// Sets the inertia of a limb segment, from its joint to the joint of `next`.
  void limb(const std::string& name, const std::string& next, const SegmentShare& share) {
    const Vector3d axis = at(next).joint;
    const Vector3d forward{share.com_forward * axis.norm(), 0.0, 0.0};
    add(name, lump(skeleton_.mass * share.mass, share.com * axis + forward, gyration_of(share, axis.norm())));
  }

  void hand(const std::string& prefix) {
    Segment& palm = at(prefix + "hand");
    const double length = kGenericHandLength * palm.scale.z();
    const Inertia whole = lump(skeleton_.mass * shares_.hand.mass, {0.0, 0.0, -shares_.hand.com * length},
                               gyration_of(shares_.hand, length));
    const std::vector<std::string> fingers{"thumb_base", "thumb_tip", "index", "middle", "ring", "little"};
    split(prefix + "hand", whole, skeleton_.size == SkeletonSize::light ? std::vector<std::string>{} : fingers, prefix,
          {0.0, 0.0, -0.02});
  }

  void foot(const std::string& prefix) {
    const Vector3d& scale = at(prefix + "foot").scale;
    const double length = (kGenericToe - kGenericHeel) * scale.x();
    const SegmentShare& share = shares_.foot;
    // Long axis forward: the table's longitudinal axis is x here, its sagittal one z.
    const Vector3d gyration = length * Vector3d(share.gyration_z, share.gyration_y, share.gyration_x);
    const Inertia whole = lump(skeleton_.mass * share.mass,
                               {kGenericHeel * scale.x() + share.com * length, 0.0, -0.045 * scale.z()}, gyration);
    const std::vector<std::string> parts{"talus", "forefoot", "hallux", "toes"};
    split(prefix + "foot", whole, skeleton_.size == SkeletonSize::light ? std::vector<std::string>{} : parts, prefix,
          {0.02, 0.0, 0.0});
  }

  /// Gives each of `parts` 6 % of the whole's mass, as a small ball; the rest is placed such that the CoM is kept.
  void split(const std::string& name, const Inertia& whole, const std::vector<std::string>& parts,
             const std::string& prefix, const Vector3d& part_com) {
    constexpr double kShare = 0.06;
    Vector3d moment = whole.mass * whole.com;
    for (const std::string& part : parts) {
      const double mass = kShare * whole.mass;
      add(prefix + part, lump(mass, part_com, Vector3d::Constant(0.01)));
      moment -= mass * (origin(prefix + part) + part_com - origin(name));
    }
    const double left = 1.0 - kShare * static_cast<double>(parts.size());
    add(name, {.mass = left * whole.mass, .com = moment / (left * whole.mass), .about_com = left * whole.about_com});
  }

  void girdle(const std::string& name) {
    constexpr double kShare = 0.002;
    const double mass = kShare * skeleton_.mass;
    add(name, lump(mass, 0.5 * next_joint(name), Vector3d::Constant(0.03)));
  }
  Vector3d next_joint(const std::string& name) {
    const int index = skeleton_.segment(name);
    for (const Segment& segment : skeleton_.segments) {
      if (segment.parent == index) return segment.joint;
    }
    return Vector3d::Zero();
  }

  Vector3d mid_shoulder() { return 0.5 * (origin("left_upper_arm") + origin("right_upper_arm")); }

  /// Distance from the lumbar to the cervical joint: the torso of Dumas et al.
  double torso_length() {
    const bool is_light = skeleton_.size == SkeletonSize::light;
    return (origin(is_light ? "head" : "C7") - origin(is_light ? "lumbar" : "L5")).norm();
  }

  /// Inertia of a slice of the trunk, with its CoM behind the line from mid-hip to mid-shoulder (de Leva's trunk).
  Inertia slice(const SegmentShare& share, double girdle_mass) {
    const Vector3d line = mid_shoulder();
    const double length = share.length_ratio * line.norm();
    const Vector3d com = (share.end_height - share.com * share.length_ratio) * line +
                         Vector3d(share.com_forward * torso_length(), 0.0, 0.0);
    return lump(skeleton_.mass * share.mass - girdle_mass, com, gyration_of(share, length));
  }
  double girdle_mass() const { return (skeleton_.size == SkeletonSize::light ? 2.0 : 4.0) * 0.002 * skeleton_.mass; }
  Inertia head_lump(const std::string& name) {
    const double length = 0.243 * at(name).scale.z();  // C7 to vertex of the generic body
    const Vector3d vertex{0.02, 0.0, kGenericVertexHeight * at(name).scale.z()};
    const Vector3d com = vertex - Vector3d(0.0, 0.0, shares_.head.com * length);
    return lump(skeleton_.mass * shares_.head.mass, com, gyration_of(shares_.head, length));
  }

  void spread_light_trunk() {
    add_in_pelvis("pelvis", slice(shares_.lower_trunk, 0.0), 1.0);
    add_in_pelvis("lumbar", slice(shares_.middle_trunk, 0.0), 1.0);
    add_in_pelvis("thorax", slice(shares_.upper_trunk, girdle_mass()), 1.0);
    add("head", head_lump("head"));
  }

  /// Each vertebra gets an equal part of its slice of the trunk, shifted to its own height.
  void spread_full_trunk() {
    add_in_pelvis("pelvis", slice(shares_.lower_trunk, 0.0), 1.0);
    spread_slice("L", 5, slice(shares_.middle_trunk, 0.0));
    spread_slice("T", kThoraxVertebrae, slice(shares_.upper_trunk, girdle_mass()));
    Inertia whole = head_lump("skull");
    whole.com += origin("C7");
    for (int i = 1; i <= 7; ++i) {
      add_in_pelvis(fmt::format("C{}", i), {whole.mass, whole.com, whole.about_com}, 0.01);
    }
    add_in_pelvis("skull", whole, 0.93);
  }
  void spread_slice(const std::string& letter, int count, const Inertia& whole) {
    double mean_height = 0.0;
    for (int i = 1; i <= count; ++i) mean_height += origin(fmt::format("{}{}", letter, i)).z() / count;
    for (int i = 1; i <= count; ++i) {
      Inertia part = whole;
      part.com.z() += origin(fmt::format("{}{}", letter, i)).z() - mean_height;
      add_in_pelvis(fmt::format("{}{}", letter, i), part, 1.0 / count);
    }
  }

  /// Sets a segment's inertia to the fraction `part` of one that is given in the pelvis frame, in the neutral posture.
  void add_in_pelvis(const std::string& name, Inertia inertia, double part) {
    inertia.mass *= part;
    inertia.about_com *= part;
    inertia.com -= origin(name);
    add(name, inertia);
  }
  void add(const std::string& name, const Inertia& inertia) { at(name).inertia = inertia; }

  Skeleton& skeleton_;
  const BodyShares& shares_;
};

}  // namespace

int Skeleton::segment(std::string_view name) const {
  const auto found = std::ranges::find(segments, name, &Segment::name);
  if (found != segments.end()) return static_cast<int>(found - segments.begin());
  std::vector<std::string> known;
  for (const Segment& one : segments) known.push_back(one.name);
  throw UnknownName("segment", name, "the skeleton", known);
}

Vector3d Skeleton::neutral_origin(int segment) const {
  Vector3d sum = Vector3d::Zero();
  for (int i = segment; i >= 0; i = segments[static_cast<std::size_t>(i)].parent) {
    sum += segments[static_cast<std::size_t>(i)].joint;
  }
  return sum;
}

Vector3d Skeleton::generic_origin(int segment) const {
  Vector3d sum = Vector3d::Zero();
  for (int i = segment; i >= 0; i = segments[static_cast<std::size_t>(i)].parent) {
    sum += segments[static_cast<std::size_t>(i)].generic_joint;
  }
  return sum;
}

double Skeleton::height() const {
  const bool is_light = size == SkeletonSize::light;
  const int head = segment(is_light ? "head" : "C7");
  const int foot = segment("left_foot");
  const double vertex =
      kGenericVertexHeight * segments[static_cast<std::size_t>(segment(is_light ? "head" : "skull"))].scale.z();
  const double sole = kGenericAnkleHeight * segments[static_cast<std::size_t>(foot)].scale.z();
  return neutral_origin(head).z() + vertex - neutral_origin(foot).z() + sole;
}

int Skeleton::num_coordinates() const {
  std::size_t count = 6;
  for (const Segment& one : segments) count += one.coordinates.size();
  return static_cast<int>(count);
}

Skeleton make_skeleton(SkeletonSize size, Sex sex, double height, double mass) {
  Skeleton skeleton{.size = size, .sex = sex, .mass = mass};
  skeleton.segments = size == SkeletonSize::light ? light_plan() : full_plan();
  const double factor = height / kGenericHeight;
  for (Segment& segment : skeleton.segments) {
    segment.joint *= factor;
    segment.scale *= factor;
  }
  distribute_mass(skeleton);
  return skeleton;
}

void distribute_mass(Skeleton& skeleton) { MassSpreader(skeleton).spread(); }

}  // namespace aplomb
