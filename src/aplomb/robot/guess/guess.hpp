#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "aplomb/robot/robot_description.hpp"
#include "aplomb/robot/urdf/urdf.hpp"

namespace aplomb {

/// A description guessed from a URDF, with its sources.
struct Guess {
  RobotDescription description;
  std::vector<std::string> found;    ///< what was found, and from which data
  std::vector<std::string> missing;  ///< what could not be found, and why
};

/// Makes a description from a URDF alone; names of links and joints play no part.
///   Feet: the two lowest ends of chains that mirror each other with the joints at zero; left and right, forward and up
///     follow from them, from which way the knees bend and from where the toes are.
///   Soles: the flat lower side of the feet's collision geometry, or else of their visual geometry, meshes included.
///   Pelvis, trunk, head, hands: where the legs meet, where the arms meet, what is on top, the arms' ends.
///   `half_sitting`: knees bent, feet flat, the CoM above the middle of the soles.
/// A robot that does not stand on two feet gets no roles, and a sentence in `missing`. Meshes are looked for as
/// find_mesh_file does. Throws FileError when no rigid-body model can be made of the URDF.
Guess guess_description(const Urdf& urdf, std::span<const std::filesystem::path> package_roots);

/// The YAML of a guess, with what was found and what is missing as comments. `description.urdf` is written as it is.
std::string guess_yaml(const Guess& guess);

/// How a YAML in the file `yaml` names a URDF: as a package's file if it is one, or by its path from the YAML's folder.
/// Only the URDF's own name when it is neither beside the YAML nor below it: the YAML must then be moved.
std::filesystem::path urdf_as_named_in(const std::filesystem::path& yaml, const std::filesystem::path& urdf,
                                       std::span<const std::filesystem::path> package_roots);

}  // namespace aplomb
