#pragma once

#include <string>
#include <vector>

#include "aplomb/identify/data/posture_columns.hpp"
#include "aplomb/identify/model/body_motion.hpp"

namespace aplomb {

/// Says what cannot be right in a posture file, and what is not at rest.
class PostureJudge {
 public:
  PostureJudge(const TableFile& file, const PostureColumns& columns, const RobotModel& cad)
      : file_(file), columns_(columns), cad_(cad) {}

  void judge_columns() const;  ///< throws FileError on angles in degrees, forces in kilograms
  void judge_row(const Posture& posture, std::size_t row) const;  ///< throws FileError on an angle beyond its limits
  /// Why these samples are not one posture at rest; empty when they are.
  std::string unrest(const std::vector<Posture>& samples) const;
  /// Throws FileError when a foot of an averaged and placed posture carries nothing, or is not on the ground, or when a
  /// CoP is beside its soles.
  void judge_feet(const Posture& posture, std::size_t row) const;
  /// Throws FileError when one foot is not measured and may carry: by the angles both stand, or nobody knows the tilt.
  void judge_missing_foot(const PostureSet& set) const;
  void drop_odd_weights(PostureSet& set) const;    ///< postures whose total force is not the others': not at rest
  void judge_weight(const PostureSet& set) const;  ///< throws FileError when it is not a robot's like this one

 private:
  void judge_cop(const Posture& posture, std::size_t contact, const BodyMotions& motions, std::size_t row) const;
  double vertical_force(const Posture& posture) const;  ///< of all contacts, in world axes where that is known [N]
  [[noreturn]] void refuse(std::size_t row, std::string_view what) const;

  const TableFile& file_;
  const PostureColumns& columns_;
  const RobotModel& cad_;
};

}  // namespace aplomb
