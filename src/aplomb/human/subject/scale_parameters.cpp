#include "aplomb/human/subject/scale_parameters.hpp"

namespace aplomb {
namespace {

double joint_deviation(const Segment& segment, const ScaleParameters::Deviations& deviations) {
  const std::string& name = segment.name;
  const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
  const bool is_vertebra = name.size() <= 3 && (name[0] == 'L' || name[0] == 'T' || name[0] == 'C');
  if (is_vertebra || name == "skull") return deviations.vertebra_m;
  if (name == "lumbar" || name == "thorax" || name == "head") return deviations.trunk_m;
  if (has("clavicle") || has("upper_arm") || has("scapula")) return deviations.shoulder_m;
  if (has("forearm") || has("hand") || has("thigh") || has("shank") || name.ends_with("_foot") || has("talus")) {
    return deviations.limb_joint_m;
  }
  return deviations.small_joint_m;
}

Eigen::Vector3d mirrored(const Eigen::Vector3d& v, double side) { return {v.x(), side * v.y(), v.z()}; }

}  // namespace

ScaleParameters::ScaleParameters(const SubjectModel& subject, double size, const Deviations& deviations) {
  std::vector<double> means{size}, sds{deviations.size};
  const auto add_three = [&](double sd) {
    const int first = static_cast<int>(means.size());
    means.insert(means.end(), 3, 0.0);
    sds.insert(sds.end(), 3, sd);
    return first;
  };
  constexpr double kFixed = 1e-6;  // [m] prior deviation that keeps a midline joint on the midline
  const std::vector<Segment>& segments = subject.skeleton.segments;
  columns_.resize(segments.size());
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const auto twin = static_cast<std::size_t>(segments[i].mirror);
    if (twin < i) {
      columns_[i] = {columns_[twin].scale, columns_[twin].joint, -1.0};
      continue;
    }
    columns_[i].scale = add_three(deviations.segment);
    if (segments[i].parent < 0) continue;
    columns_[i].joint = add_three(joint_deviation(segments[i], deviations));
    if (twin == i) sds[static_cast<std::size_t>(columns_[i].joint) + 1] = kFixed;
  }
  for (const BodyMarker& marker : subject.markers) marker_columns_.push_back(add_three(marker.deviation));
  means_ = Eigen::Map<const Eigen::VectorXd>(means.data(), static_cast<Eigen::Index>(means.size()));
  weights_ =
      Eigen::Map<const Eigen::VectorXd>(sds.data(), static_cast<Eigen::Index>(sds.size())).array().inverse().square();
  values_ = means_;
  for (std::size_t i = 0; i < subject.markers.size(); ++i) {  // markers start at their current offsets
    const BodyMarker& marker = subject.markers[i];
    values_.segment<3>(marker_columns_[i]) = marker.offset - size * marker.generic_offset;
  }
}

double ScaleParameters::prior_cost() const { return weights_.dot((values_ - means_).cwiseAbs2()); }

void ScaleParameters::add_prior(Eigen::MatrixXd& hessian, Eigen::VectorXd& gradient) const {
  hessian.diagonal() += weights_;
  gradient += weights_.cwiseProduct(values_ - means_);
}

Eigen::Vector3d ScaleParameters::three(int first, double side) const {
  return first < 0 ? Eigen::Vector3d::Zero() : mirrored(values_.segment<3>(first), side);
}

Eigen::Vector3d ScaleParameters::scale_of(int segment) const {
  return Eigen::Vector3d::Constant(values_[0]) + three(columns_[static_cast<std::size_t>(segment)].scale, 1.0);
}

void ScaleParameters::apply(SubjectModel& subject) const {
  std::vector<Segment>& segments = subject.skeleton.segments;
  for (std::size_t i = 0; i < segments.size(); ++i) segments[i].scale = scale_of(static_cast<int>(i));
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (segments[i].parent < 0) continue;
    const Eigen::Vector3d& scale = segments[static_cast<std::size_t>(segments[i].parent)].scale;
    segments[i].joint = scale.cwiseProduct(segments[i].generic_joint) + three(columns_[i].joint, columns_[i].side);
  }
  for (std::size_t i = 0; i < subject.markers.size(); ++i) {
    BodyMarker& marker = subject.markers[i];
    const Eigen::Vector3d& scale = segments[static_cast<std::size_t>(marker.segment)].scale;
    marker.offset = scale.cwiseProduct(marker.generic_offset) + values_.segment<3>(marker_columns_[i]);
  }
}

void ScaleParameters::add_jacobian(const SubjectModel& subject, std::size_t index, const TreeKinematics& tree,
                                   const std::vector<int>& bodies, Eigen::Ref<Eigen::MatrixXd> rows) const {
  const BodyMarker& marker = subject.markers[index];
  const auto segment = static_cast<std::size_t>(marker.segment);
  const Eigen::Matrix3d& R = tree.rotation(bodies[segment]);
  rows.col(0) += R * marker.generic_offset;
  rows.middleCols<3>(columns_[segment].scale) += R * marker.generic_offset.asDiagonal();
  rows.middleCols<3>(marker_columns_[index]) += R;
  const std::vector<Segment>& segments = subject.skeleton.segments;
  for (auto i = static_cast<int>(segment); segments[static_cast<std::size_t>(i)].parent >= 0;
       i = segments[static_cast<std::size_t>(i)].parent) {
    const Segment& link = segments[static_cast<std::size_t>(i)];
    const auto parent = static_cast<std::size_t>(link.parent);
    const Columns& own = columns_[static_cast<std::size_t>(i)];
    const Eigen::Matrix3d& R_parent = tree.rotation(bodies[parent]);
    rows.col(0) += R_parent * link.generic_joint;
    rows.middleCols<3>(columns_[parent].scale) += R_parent * link.generic_joint.asDiagonal();
    rows.middleCols<3>(own.joint) += R_parent * Eigen::Vector3d(1.0, own.side, 1.0).asDiagonal();
  }
}

}  // namespace aplomb
