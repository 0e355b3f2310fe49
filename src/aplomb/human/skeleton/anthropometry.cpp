#include "aplomb/human/skeleton/anthropometry.hpp"

#include <array>

namespace aplomb {
namespace {

// P. de Leva 1996, "Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters", table 4. Upper trunk from the
// suprasternal notch to the xiphoid process, middle from there to the navel, lower from there to the hips; the heights
// follow from the mean segment lengths in the same table (female 142.5, 205.3, 181.5 of 497.9 mm; male 170.7, 215.5,
// 145.7 of 515.5 mm from mid-hip to mid-shoulder).
// The last number is from R. Dumas, L. Chèze, J.-P. Verriest 2007, "Adjustments to McConville et al. and Young et al.
// body segment inertial parameters": torso (here upper and middle trunk), thigh and leg. Theirs of the arms are left
// out: they depend on how the arm is rotated, and move the body's CoM by less than 1 mm.
constexpr BodyShares kFemale{
    .head = {0.0668, 0.4841, 0.271, 0.295, 0.261},
    .upper_trunk = {0.1545, 0.2077, 0.746, 0.502, 0.718, 529.3 / 497.9, 142.5 / 497.9, -0.016},
    .middle_trunk = {0.1465, 0.4512, 0.433, 0.354, 0.415, 386.8 / 497.9, 205.3 / 497.9, -0.016},
    .lower_trunk = {0.1247, 0.4920, 0.433, 0.402, 0.444, 181.5 / 497.9, 181.5 / 497.9},
    .upper_arm = {0.0255, 0.5754, 0.278, 0.260, 0.148},
    .forearm = {0.0138, 0.4559, 0.261, 0.257, 0.094},
    .hand = {0.0056, 0.3427, 0.244, 0.208, 0.154},
    .thigh = {0.1478, 0.3612, 0.369, 0.364, 0.162, 0.0, 0.0, -0.077},
    .shank = {0.0481, 0.4352, 0.267, 0.263, 0.092, 0.0, 0.0, -0.049},
    .foot = {0.0129, 0.4014, 0.299, 0.279, 0.139}};

constexpr BodyShares kMale{.head = {0.0694, 0.5002, 0.303, 0.315, 0.261},
                           .upper_trunk = {0.1596, 0.2999, 0.716, 0.454, 0.659, 531.9 / 515.5, 170.7 / 515.5, -0.036},
                           .middle_trunk = {0.1633, 0.4502, 0.482, 0.383, 0.468, 361.2 / 515.5, 215.5 / 515.5, -0.036},
                           .lower_trunk = {0.1117, 0.6115, 0.615, 0.551, 0.587, 145.7 / 515.5, 145.7 / 515.5},
                           .upper_arm = {0.0271, 0.5772, 0.285, 0.269, 0.158},
                           .forearm = {0.0162, 0.4574, 0.276, 0.265, 0.121},
                           .hand = {0.0061, 0.3624, 0.288, 0.235, 0.184},
                           .thigh = {0.1416, 0.4095, 0.329, 0.329, 0.149, 0.0, 0.0, -0.041},
                           .shank = {0.0433, 0.4395, 0.251, 0.246, 0.102, 0.0, 0.0, -0.048},
                           .foot = {0.0137, 0.4415, 0.257, 0.245, 0.124}};

}  // namespace

std::optional<Sex> parse_sex(std::string_view text) {
  for (const std::string_view word : {"F", "f", "female"}) {
    if (text == word) return Sex::female;
  }
  for (const std::string_view word : {"M", "m", "male"}) {
    if (text == word) return Sex::male;
  }
  return std::nullopt;
}

const BodyShares& body_shares(Sex sex) { return sex == Sex::female ? kFemale : kMale; }

}  // namespace aplomb
