#pragma once

#include <string>
#include <vector>

#include "aplomb/identify/data/posture_columns.hpp"
#include "aplomb/identify/model/body_motion.hpp"

namespace aplomb {

/// Plausibility checks of a posture file, and the detection of postures that are not at rest.
class PostureChecks {
 public:
  PostureChecks(const TableFile& file, const PostureColumns& columns, const RobotModel& cad)
      : file_(file), columns_(columns), cad_(cad) {}

  void check_columns() const;  ///< throws FileError on angles in degrees, forces in kilograms
  void check_row(const Posture& posture, std::size_t row) const;  ///< throws FileError on an angle beyond its limits
  /// Reason why these samples are not one posture at rest; empty when they are.
  std::string motion_of(const std::vector<Posture>& samples) const;
  /// For an averaged posture with its base placed: throws FileError when a foot carries no load or is off the ground,
  /// or when a CoP is outside its soles.
  void check_feet(const Posture& posture, std::size_t row) const;
  /// Throws FileError when one foot is not measured although it may carry load: by the joint angles both soles are on
  /// the ground, or the orientation of the base is unknown.
  void check_missing_foot(const PostureSet& set) const;
  void drop_odd_weights(PostureSet& set) const;    ///< drops postures whose vertical force differs from the median
  void check_weight(const PostureSet& set) const;  ///< throws FileError when the force does not fit the CAD's mass

 private:
  void check_cop(const Posture& posture, std::size_t contact, const BodyMotions& motions, std::size_t row) const;
  double vertical_force(const Posture& posture) const;  ///< sum over contacts, in world axes where known [N]
  [[noreturn]] void refuse(std::size_t row, std::string_view what) const;

  const TableFile& file_;
  const PostureColumns& columns_;
  const RobotModel& cad_;
};

}  // namespace aplomb
