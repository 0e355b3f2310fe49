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
  std::vector<std::string> found;    ///< sentences: each item found, and from which data
  std::vector<std::string> missing;  ///< sentences: each item not found, and why
};

/// Guesses a description from a URDF alone; names of links and joints are not used.
///   Feet: the two lowest ends of chains that mirror each other with the joints at zero; left and right, forward and up
///     follow from them, from which way the knees bend and from where the toes are.
///   Soles: the flat lower side of the feet's collision geometry, or else of their visual geometry, meshes included.
///   Pelvis, trunk, head, hands: where the legs meet, where the arms meet, the highest branch, the ends of the arms.
///   `half_sitting`: knees bent, feet flat, the CoM above the middle of the soles.
/// A robot that does not stand on two feet gets no roles, and a sentence in `missing`. Meshes are found by
/// find_mesh_file(). Throws FileError when no rigid-body model can be made of the URDF.
Guess guess_description(const Urdf& urdf, std::span<const std::filesystem::path> package_roots);

/// The YAML text of a guess, with `found` and `missing` as comments. `description.urdf` is written unchanged.
std::string guess_yaml(const Guess& guess);

/// Path under which the file `yaml` names a URDF: a package URI if the URDF is in a package, else its path relative to
/// the YAML's folder. For a URDF outside of that folder it is the file name alone: the YAML must then be moved.
std::filesystem::path urdf_as_named_in(const std::filesystem::path& yaml, const std::filesystem::path& urdf,
                                       std::span<const std::filesystem::path> package_roots);

}  // namespace aplomb
