#include "aplomb/human/skeleton/skeleton_plan.hpp"

#include <fmt/format.h>

#include <array>
#include <initializer_list>

namespace aplomb {
namespace {

using Eigen::Vector3d;

// Lengths of the generic body: thigh, shank, arm and trunk of de Leva's mean man (1996, table 4: 422.2, 434.0, 281.7,
// 268.9 and 515.5 mm at 1.741 m); hips, spine and girdle from the proportions of our own drawing. They are the initial
// guess and the prior for scaling a subject.
constexpr double kHalfHips = 0.088;
constexpr double kThigh = 0.424;
constexpr double kShank = 0.436;
constexpr double kUpperArm = 0.283;
constexpr double kForearm = 0.270;
constexpr double kLumbar = 0.17;
constexpr double kThorax = 0.28;
const Vector3d kSpineFoot{-0.045, 0.0, 0.11};

struct Angle {
  const char* name;
  Vector3d axis;
  double lower, upper;
};

/// Collects segments; `side` is +1 on the left, −1 on the right.
class Plan {
 public:
  int add(std::string name, int parent, const Vector3d& joint, std::initializer_list<Angle> angles,
          const std::string& prefix) {
    Segment segment{.name = std::move(name), .parent = parent, .joint = joint, .generic_joint = joint};
    for (const Angle& angle : angles) {
      segment.coordinates.push_back({prefix + angle.name, angle.axis, angle.lower, angle.upper});
    }
    segments.push_back(std::move(segment));
    return static_cast<int>(segments.size()) - 1;
  }
  void set_mirrors() {
    for (std::size_t i = 0; i < segments.size(); ++i) {
      std::string twin = segments[i].name;
      if (twin.starts_with("left_"))
        twin.replace(0, 4, "right");
      else if (twin.starts_with("right_"))
        twin.replace(0, 5, "left");
      for (std::size_t k = 0; k < segments.size(); ++k) {
        if (segments[k].name == twin) segments[i].mirror = static_cast<int>(k);
      }
    }
  }
  std::vector<Segment> segments;
};

const Vector3d kX = Vector3d::UnitX();
const Vector3d kY = Vector3d::UnitY();
const Vector3d kZ = Vector3d::UnitZ();

/// Angles of a ball joint: forward flexion, bending to the right, rotation to the left, each within ± `range`.
std::array<Angle, 3> ball(double range) {
  return {{{"flexion", kY, -range, range}, {"bending", kX, -range, range}, {"rotation", kZ, -range, range}}};
}

int add_ball(Plan& plan, const std::string& name, int parent, const Vector3d& joint, double range) {
  const auto [a, b, c] = ball(range);
  return plan.add(name, parent, joint, {a, b, c}, name + "_");
}

/// Adds the segments from hip to shank: the same in both skeletons, except for the knee.
int add_leg(Plan& plan, int pelvis, double side, const std::string& prefix, bool has_full_knee) {
  const int thigh = plan.add(prefix + "thigh", pelvis, {0.0, side * kHalfHips, 0.0},
                             {{"hip_flexion", -kY, -0.7, 2.5},
                              {"hip_abduction", side * kX, -0.8, 1.0},
                              {"hip_rotation", -side * kZ, -1.0, 1.0}},
                             prefix);
  const Angle flexion{"knee_flexion", kY, -0.15, 2.6};
  const Vector3d knee{0.0, 0.0, -kThigh};
  if (!has_full_knee) return plan.add(prefix + "shank", thigh, knee, {flexion}, prefix);
  return plan.add(prefix + "shank", thigh, knee,
                  {flexion, {"knee_abduction", side * kX, -0.25, 0.25}, {"knee_rotation", -side * kZ, -0.5, 0.5}},
                  prefix);
}

/// Adds the segments from shoulder joint to hand.
int add_arm(Plan& plan, int girdle, const Vector3d& shoulder, double side, const std::string& prefix) {
  const int arm = plan.add(prefix + "upper_arm", girdle, shoulder,
                           {{"shoulder_flexion", -kY, -1.6, 3.2},
                            {"shoulder_abduction", side * kX, -1.0, 2.8},
                            {"shoulder_rotation", -side * kZ, -1.9, 1.9}},
                           prefix);
  const int forearm = plan.add(prefix + "forearm", arm, {0.0, 0.0, -kUpperArm},
                               {{"elbow_flexion", -kY, -0.15, 2.7}, {"pronation", -side * kZ, -2.2, 2.2}}, prefix);
  return plan.add(prefix + "hand", forearm, {0.0, 0.0, -kForearm},
                  {{"wrist_flexion", -side * kX, -1.4, 1.4}, {"wrist_deviation", -kY, -0.8, 0.8}}, prefix);
}

void add_light_side(Plan& plan, int pelvis, int thorax, double side, const std::string& prefix) {
  const int clavicle =
      plan.add(prefix + "clavicle", thorax, {0.06, side * 0.02, 0.225},
               {{"clavicle_elevation", side * kX, -0.5, 0.8}, {"clavicle_protraction", -side * kZ, -0.6, 0.6}}, prefix);
  add_arm(plan, clavicle, {-0.035, side * 0.145, 0.01}, side, prefix);
  const int shank = add_leg(plan, pelvis, side, prefix, /*has_full_knee=*/false);
  plan.add(prefix + "foot", shank, {0.0, 0.0, -kShank},
           {{"ankle_dorsiflexion", -kY, -1.0, 0.9},
            {"ankle_inversion", -side * kX, -0.7, 0.7},
            {"ankle_rotation", -side * kZ, -0.7, 0.7}},
           prefix);
}

void add_fingers(Plan& plan, int hand, double side, const std::string& prefix) {
  const int thumb = plan.add(prefix + "thumb_base", hand, {0.02, 0.0, -0.025},
                             {{"thumb_flexion", -side * kX, -0.5, 1.0}, {"thumb_abduction", -kY, -0.5, 1.0}}, prefix);
  plan.add(prefix + "thumb_tip", thumb, {0.015, 0.0, -0.045},
           {{"thumb_knuckle", -side * kX, -0.3, 1.0}, {"thumb_end", -kY, -0.3, 1.2}}, prefix);
  const std::array<const char*, 4> names{"index", "middle", "ring", "little"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string flexion = fmt::format("{}_flexion", names[i]);
    const std::string spread = fmt::format("{}_spread", names[i]);
    plan.add(prefix + names[i], hand, {0.025 - 0.018 * static_cast<double>(i), 0.0, -0.09},
             {{flexion.c_str(), -side * kX, -0.4, 1.7}, {spread.c_str(), -kY, -0.4, 0.4}}, prefix);
  }
}

void add_full_side(Plan& plan, int pelvis, int chest, const Vector3d& chest_origin, double side,
                   const std::string& prefix) {
  const Vector3d sternum = kSpineFoot + Vector3d(0.06, side * 0.02, kLumbar + 0.225);
  const int clavicle = plan.add(prefix + "clavicle", chest, sternum - chest_origin,
                                {{"clavicle_elevation", side * kX, -0.5, 0.8},
                                 {"clavicle_protraction", -side * kZ, -0.6, 0.6},
                                 {"clavicle_roll", -side * kY, -0.6, 0.6}},
                                prefix);
  const int scapula = plan.add(prefix + "scapula", clavicle, {-0.045, side * 0.125, 0.03},
                               {{"scapula_rotation", side * kX, -0.5, 0.5},
                                {"scapula_protraction", -side * kZ, -0.5, 0.5},
                                {"scapula_tilt", -side * kY, -0.5, 0.5}},
                               prefix);
  const int hand = add_arm(plan, scapula, {0.01, side * 0.02, -0.02}, side, prefix);
  add_fingers(plan, hand, side, prefix);
  const int shank = add_leg(plan, pelvis, side, prefix, /*has_full_knee=*/true);
  const int talus =
      plan.add(prefix + "talus", shank, {0.0, 0.0, -kShank}, {{"ankle_dorsiflexion", -kY, -1.0, 0.9}}, prefix);
  const int heel =
      plan.add(prefix + "foot", talus, {0.0, 0.0, 0.0}, {{"ankle_inversion", -side * kX, -0.7, 0.7}}, prefix);
  const int forefoot =
      plan.add(prefix + "forefoot", heel, {0.05, 0.0, -0.03},
               {{"midfoot_rotation", -side * kZ, -0.6, 0.6}, {"midfoot_flexion", -kY, -0.4, 0.4}}, prefix);
  plan.add(prefix + "hallux", forefoot, {0.095, -side * 0.025, -0.035}, {{"hallux_flexion", -kY, -0.6, 1.2}}, prefix);
  plan.add(prefix + "toes", forefoot, {0.085, side * 0.015, -0.035}, {{"toe_flexion", -kY, -0.6, 1.2}}, prefix);
}

/// Adds the vertebrae `names` from `joint` upwards; all follow the lowest one.
int add_vertebrae(Plan& plan, int parent, Vector3d joint, const std::vector<std::string>& names, double spacing,
                  double range) {
  const std::string& driver = names.front();
  for (const std::string& name : names) {
    parent = add_ball(plan, name, parent, joint, range);
    if (name != driver) {
      for (Coordinate& angle : plan.segments.back().coordinates) {
        angle.follows = driver + angle.name.substr(angle.name.find('_'));
      }
    }
    joint = {0.0, 0.0, spacing};
  }
  return parent;
}

}  // namespace

std::vector<Segment> light_plan() {
  Plan plan;
  const int pelvis = plan.add("pelvis", -1, Vector3d::Zero(), {}, "");
  const int lumbar = add_ball(plan, "lumbar", pelvis, kSpineFoot, 1.2);
  const int thorax = add_ball(plan, "thorax", lumbar, {0.0, 0.0, kLumbar}, 1.2);
  add_ball(plan, "head", thorax, {-0.005, 0.0, kThorax}, 1.4);
  add_light_side(plan, pelvis, thorax, 1.0, "left_");
  add_light_side(plan, pelvis, thorax, -1.0, "right_");
  plan.set_mirrors();
  return plan.segments;
}

std::vector<Segment> full_plan() {
  Plan plan;
  const int pelvis = plan.add("pelvis", -1, Vector3d::Zero(), {}, "");
  std::vector<std::string> lumbar, thoracic, cervical;
  for (int i = 5; i >= 1; --i) lumbar.push_back(fmt::format("L{}", i));
  for (int i = kThoraxVertebrae; i >= 1; --i) thoracic.push_back(fmt::format("T{}", i));
  for (int i = 7; i >= 1; --i) cervical.push_back(fmt::format("C{}", i));
  cervical.emplace_back("skull");
  const double thoracic_spacing = kThorax / kThoraxVertebrae;
  const int l1 = add_vertebrae(plan, pelvis, kSpineFoot, lumbar, kLumbar / 5.0, 0.3);
  const int t1 = add_vertebrae(plan, l1, {0.0, 0.0, kLumbar / 5.0}, thoracic, thoracic_spacing, 0.15);
  add_vertebrae(plan, t1, {-0.005, 0.0, thoracic_spacing}, cervical, 0.0165, 0.25);
  // The shoulder girdle is attached to the middle of the thorax, the fifth thoracic vertebra.
  int chest = -1;
  Vector3d chest_origin = kSpineFoot + Vector3d(0.0, 0.0, kLumbar);
  for (std::size_t i = 0; i < plan.segments.size(); ++i) {
    if (plan.segments[i].name == "T5") chest = static_cast<int>(i);
  }
  chest_origin.z() += (kThoraxVertebrae - 5) * thoracic_spacing;
  add_full_side(plan, pelvis, chest, chest_origin, 1.0, "left_");
  add_full_side(plan, pelvis, chest, chest_origin, -1.0, "right_");
  plan.set_mirrors();
  return plan.segments;
}

}  // namespace aplomb
