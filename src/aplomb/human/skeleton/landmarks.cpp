#include "aplomb/human/skeleton/landmarks.hpp"

#include <algorithm>

namespace aplomb {
namespace {

struct Row {
  const char* name;
  const char* segment;
  double x, y, z;
  double deviation;
  const char* full_segment = nullptr;  ///< set where it differs from full_segment_of(segment)
};

constexpr double kBony = 0.010, kSkin = 0.020;  // [m] palpation error on a bony landmark, and over soft tissue
constexpr double kCentre = 0.015;               // [m] error of a joint centre in animation files

// Landmarks on the midline. Positions are taken from our own drawing of a man of 1.75 m.
constexpr Row kMiddle[] = {
    {"sacrum", "pelvis", -0.135, 0.0, 0.105, kBony},       {"c7", "thorax", -0.095, 0.0, 0.585, kBony, "T1"},
    {"t8", "thorax", -0.125, 0.0, 0.385, kBony, "T8"},     {"t10", "thorax", -0.120, 0.0, 0.335, kBony, "T10"},
    {"jugular_notch", "thorax", 0.035, 0.0, 0.505, kBony}, {"xiphoid", "thorax", 0.080, 0.0, 0.360, kSkin},
    {"mid_hip", "pelvis", 0.0, 0.0, 0.0, kCentre},         {"spine_foot", "pelvis", -0.045, 0.0, 0.110, kCentre},
    {"neck", "thorax", -0.050, 0.0, 0.560, kCentre, "T1"}, {"head_centre", "head", -0.020, 0.0, 0.680, kCentre},
    {"head_top", "head", -0.010, 0.0, 0.815, kSkin},       {"head_front", "head", 0.100, 0.0, 0.735, kSkin},
    {"head_rear", "head", -0.105, 0.0, 0.735, kSkin},
};

// Landmarks on both sides; y is given for the left one.
constexpr Row kPaired[] = {
    {"shoulder_centre", "clavicle", -0.020, 0.165, 0.515, kCentre, "scapula"},
    {"elbow_centre", "upper_arm", -0.020, 0.165, 0.232, kCentre},
    {"wrist_centre", "forearm", -0.020, 0.165, -0.038, kCentre},
    {"hip_centre", "pelvis", 0.000, 0.088, 0.000, kCentre},
    {"knee_centre", "thigh", 0.000, 0.088, -0.424, kCentre},
    {"ankle_centre", "shank", 0.000, 0.088, -0.860, kCentre},
    {"toe_base", "foot", 0.130, 0.088, -0.915, kCentre, "forefoot"},
    {"head_temple_front", "head", 0.075, 0.070, 0.745, kSkin},
    {"head_temple_rear", "head", -0.085, 0.065, 0.740, kSkin},
    {"ear", "head", -0.010, 0.078, 0.700, kSkin},
    {"sternum", "thorax", 0.035, 0.023, 0.515, kBony},
    {"scapula", "thorax", -0.125, 0.080, 0.450, kSkin},
    {"acromion", "clavicle", -0.020, 0.165, 0.555, kBony, "scapula"},
    {"elbow_lateral", "upper_arm", -0.020, 0.205, 0.235, kBony},
    {"elbow_medial", "upper_arm", -0.020, 0.125, 0.232, kBony},
    {"wrist_radius", "forearm", 0.012, 0.165, -0.035, kBony},
    {"wrist_ulna", "forearm", -0.050, 0.165, -0.035, kBony},
    {"hand", "hand", -0.005, 0.185, -0.120, kSkin},
    {"hand_little", "hand", -0.055, 0.185, -0.110, kSkin},
    {"thumb", "hand", 0.030, 0.165, -0.090, kSkin, "thumb_base"},
    {"asis", "pelvis", 0.080, 0.130, 0.075, kBony},
    {"psis", "pelvis", -0.128, 0.048, 0.120, kBony},
    {"iliac_crest", "pelvis", -0.020, 0.145, 0.150, kSkin},
    {"trochanter", "thigh", 0.000, 0.170, 0.000, kSkin},
    {"knee_lateral", "thigh", 0.000, 0.140, -0.420, kBony},
    {"knee_medial", "thigh", 0.000, 0.036, -0.422, kBony},
    {"tibial_tuberosity", "shank", 0.050, 0.085, -0.480, kBony},
    {"fibula_head", "shank", -0.015, 0.135, -0.470, kBony},
    {"ankle_lateral", "shank", -0.006, 0.125, -0.863, kBony},
    {"ankle_medial", "shank", 0.008, 0.051, -0.855, kBony},
    {"heel", "foot", -0.075, 0.088, -0.902, kBony},
    {"toe", "foot", 0.145, 0.092, -0.893, kBony, "forefoot"},
    {"metatarsal_1", "foot", 0.125, 0.052, -0.905, kBony, "forefoot"},
    {"metatarsal_5", "foot", 0.100, 0.138, -0.915, kBony, "forefoot"},
    {"toe_tip", "foot", 0.205, 0.075, -0.915, kSkin, "hallux"},
};

bool is_paired_segment(std::string_view segment) {
  return segment != "pelvis" && segment != "lumbar" && segment != "thorax" && segment != "head";
}

Landmark landmark(const Row& row, const std::string& prefix, double side) {
  const std::string segment_prefix = is_paired_segment(row.segment) ? prefix : "";
  Landmark result{.name = prefix + row.name,
                  .segment = segment_prefix + row.segment,
                  .generic_position = {row.x, side * row.y, row.z},
                  .deviation = row.deviation};
  if (row.full_segment == nullptr) {
    result.full_segment = full_segment_of(result.segment);
  } else {
    result.full_segment = segment_prefix + row.full_segment;
  }
  return result;
}

std::vector<Landmark> make_landmarks() {
  std::vector<Landmark> all;
  for (const Row& row : kMiddle) all.push_back(landmark(row, "", 1.0));
  for (const Row& row : kPaired) {
    all.push_back(landmark(row, "left_", 1.0));
    all.push_back(landmark(row, "right_", -1.0));
  }
  return all;
}

}  // namespace

const std::vector<Landmark>& landmarks() {
  static const std::vector<Landmark> all = make_landmarks();
  return all;
}

const Landmark* find_landmark(std::string_view name) {
  const auto found = std::ranges::find(landmarks(), name, &Landmark::name);
  return found == landmarks().end() ? nullptr : &*found;
}

std::string full_segment_of(std::string_view light_segment) {
  if (light_segment == "lumbar") return "L3";
  if (light_segment == "thorax") return "T5";
  if (light_segment == "head") return "skull";
  return std::string(light_segment);
}

}  // namespace aplomb
