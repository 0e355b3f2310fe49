#pragma once

#include <filesystem>

#include "aplomb/human/subject_model.hpp"

namespace aplomb {

/// A subject from a scaled OpenSim model (.osim, version 4): joint centres, masses, CoMs, inertias and markers of its
/// bodies, with the joints of the light skeleton in their places. The model is taken in the posture in which all its
/// coordinates are zero; there it has to stand upright with hanging arms, as OpenSim's models of the whole body do.
/// Pin, ball, universal, weld and free joints are taken as they are; a custom joint may slide with its angle (a knee),
/// which the skeleton's does not. Bodies are known by the names of Rajagopal et al. (2016) and their like (pelvis,
/// femur_l, tibia_l, talus_l, calcn_l, torso, humerus_l, ulna_l, hand_l, head) or by ours; any other body counts to the
/// one that carries it. Arms and head that a model lacks are those of a mean body, whose mass is a part of the trunk's.
/// Throws FileError, with the line where there is one, when it is no such model.
SubjectModel read_osim(const std::filesystem::path& file);

}  // namespace aplomb
