#include "aplomb/human/subject/osim_reader.hpp"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <sstream>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "aplomb/robot/dynamics/inertia.hpp"

namespace aplomb {
namespace {

using Eigen::Isometry3d, Eigen::Vector3d;
using tinyxml2::XMLElement;

constexpr std::size_t kMostBytes = 32 << 20;
constexpr double kMostMetres = 5.0, kMostKilograms = 500.0;
constexpr double kSmallestMass = 1e-4;  // [kg] OpenSim's massless bodies have some grams

/// Bodies of OpenSim's models, by our segments; `left_` and `right_` stand for `_l` and `_r`. The first is the one
/// whose joint is the segment's.
struct Alias {
  const char* body;
  const char* segment;
  bool is_sided;
};
constexpr Alias kAliases[] = {
    {"pelvis", "pelvis", false},   {"torso", "lumbar", false},     {"lumbar", "lumbar", false},
    {"thorax", "thorax", false},   {"head", "head", false},        {"skull", "head", false},
    {"head_neck", "head", false},  {"femur", "thigh", true},       {"thigh", "thigh", true},
    {"tibia", "shank", true},      {"shank", "shank", true},       {"talus", "foot", true},
    {"calcn", "foot", true},       {"foot", "foot", true},         {"clavicle", "clavicle", true},
    {"scapula", "clavicle", true}, {"humerus", "upper_arm", true}, {"upper_arm", "upper_arm", true},
    {"ulna", "forearm", true},     {"forearm", "forearm", true},   {"hand", "hand", true},
};

std::string lower(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return name;
}

/// The segment of a body by its name; empty for a body that is not known.
std::string segment_of(const std::string& body) {
  const std::string name = lower(body);
  for (const Alias& alias : kAliases) {
    if (!alias.is_sided) {
      if (name == alias.body) return alias.segment;
      continue;
    }
    for (const std::string side : {"left", "right"}) {
      const std::string letter = side.substr(0, 1);
      if (name == alias.body + ("_" + letter) || name == side + "_" + alias.body) return side + "_" + alias.segment;
    }
  }
  return "";
}

std::string last_part(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

struct Body {
  std::string name;
  Inertia inertia;  ///< in its own frame
  std::string parent;
  std::optional<Isometry3d> T;  ///< in the ground, all coordinates zero
};

class OsimFile {
 public:
  explicit OsimFile(const std::filesystem::path& file) : file_(file.string()) {
    const std::string text = read_file(file, kMostBytes);
    if (document_.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS) {
      throw FileError({file_, document_.ErrorLineNum()}, "is not XML, so not a model of OpenSim either");
    }
    const XMLElement* root = document_.RootElement();
    if (root == nullptr || std::string(root->Name()) != "OpenSimDocument") {
      throw FileError({file_}, "is not a model of OpenSim: its first element is not <OpenSimDocument>");
    }
    if (root->IntAttribute("Version") < 40000) {
      throw FileError({file_}, "is a model of OpenSim 3; open it in OpenSim 4 and save it again");
    }
    model_ = root->FirstChildElement("Model");
    if (model_ == nullptr) throw FileError({file_}, "has no <Model>");
    read_bodies();
    read_joints();
    place_all();
  }

  const std::vector<Body>& bodies() const { return bodies_; }

  struct Marker {
    std::string name, body;
    Vector3d at;  ///< in the ground, in OpenSim's axes
  };
  std::vector<Marker> markers() const {
    std::vector<Marker> found;
    for (const XMLElement* marker : objects("MarkerSet", /*is_needed=*/false)) {
      if (std::string(marker->Name()) != "Marker") continue;
      const std::string name = name_of(*marker), path = text_of(*marker, "socket_parent_frame");
      const Body& body = body_named(last_part(path), *marker);
      found.push_back({name, body.name, *body.T * vector_of(*marker, "location")});
    }
    return found;
  }

  [[noreturn]] void fail(const XMLElement& at, const std::string& what) const {
    throw FileError({file_, at.GetLineNum()}, what);
  }
  const std::string& file() const { return file_; }

 private:
  std::vector<const XMLElement*> objects(const char* set, bool is_needed) const {
    std::vector<const XMLElement*> found;
    const XMLElement* all = model_->FirstChildElement(set);
    const XMLElement* list = all == nullptr ? nullptr : all->FirstChildElement("objects");
    if (list == nullptr && is_needed) throw FileError({file_}, fmt::format("has no <{}>", set));
    if (list == nullptr) return found;
    for (const XMLElement* one = list->FirstChildElement(); one != nullptr; one = one->NextSiblingElement()) {
      found.push_back(one);
    }
    return found;
  }

  std::string name_of(const XMLElement& element) const {
    const char* name = element.Attribute("name");
    return name == nullptr ? "" : name;
  }
  std::string text_of(const XMLElement& element, const char* key) const {
    const XMLElement* child = element.FirstChildElement(key);
    if (child == nullptr || child->GetText() == nullptr) {
      fail(element, fmt::format("<{} name=\"{}\"> has no <{}>", element.Name(), name_of(element), key));
    }
    std::string text = child->GetText();
    text.erase(0, text.find_first_not_of(" \t\r\n"));
    text.erase(text.find_last_not_of(" \t\r\n") + 1);
    return text;
  }
  std::vector<double> numbers_in(const XMLElement& element) const {
    std::vector<double> values;
    std::istringstream text(element.GetText() == nullptr ? "" : element.GetText());
    text.imbue(std::locale::classic());
    for (std::string word; text >> word;) {
      std::istringstream one(word);
      one.imbue(std::locale::classic());
      double value = 0.0;
      if (!(one >> value) || !one.eof() || !std::isfinite(value)) {
        fail(element, fmt::format("'{}' in <{}> is not a number", word.substr(0, 40), element.Name()));
      }
      values.push_back(value);
    }
    return values;
  }
  std::vector<double> numbers_of(const XMLElement& element, const char* key, std::size_t count) const {
    const XMLElement* child = element.FirstChildElement(key);
    if (child == nullptr)
      fail(element, fmt::format("<{} name=\"{}\"> has no <{}>", element.Name(), name_of(element), key));
    std::vector<double> values = numbers_in(*child);
    if (values.size() != count) {
      fail(*child, fmt::format("<{}> has {} numbers; {} are needed", key, values.size(), count));
    }
    return values;
  }
  Vector3d vector_of(const XMLElement& element, const char* key) const {
    const std::vector<double> values = numbers_of(element, key, 3);
    const Vector3d vector(values[0], values[1], values[2]);
    if (vector.cwiseAbs().maxCoeff() > kMostMetres) {
      fail(element, fmt::format("<{}> of '{}' is {} long; a body has metres", key, name_of(element), vector.norm()));
    }
    return vector;
  }

  void read_bodies() {
    for (const XMLElement* element : objects("BodySet", /*is_needed=*/true)) {
      Body body{.name = name_of(*element)};
      body.inertia.mass = numbers_of(*element, "mass", 1)[0];
      if (body.inertia.mass < 0.0 || body.inertia.mass > kMostKilograms) {
        fail(*element,
             fmt::format("'{}' has a mass of {} kg; valid: 0 to {}", body.name, body.inertia.mass, kMostKilograms));
      }
      body.inertia.com = vector_of(*element, "mass_center");
      const std::vector<double> I = numbers_of(*element, "inertia", 6);
      body.inertia.about_com << I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2];
      if (!index_.emplace(body.name, bodies_.size()).second)
        fail(*element, fmt::format("has two bodies '{}'", body.name));
      bodies_.push_back(std::move(body));
    }
  }

  const Body& body_named(const std::string& name, const XMLElement& at) const {
    const auto found = index_.find(name);
    if (found == index_.end()) fail(at, fmt::format("'{}' is no body of this model", name));
    return bodies_[found->second];
  }

  /// A frame of a joint: the body that it is fixed to, and its place on it.
  struct JointFrame {
    std::string body;
    Isometry3d T_body_frame = Isometry3d::Identity();
  };
  JointFrame frame_of(const XMLElement& joint, const char* socket) const {
    const std::string name = last_part(text_of(joint, socket));
    const XMLElement* frames = joint.FirstChildElement("frames");
    const XMLElement* frame = frames == nullptr ? nullptr : frames->FirstChildElement("PhysicalOffsetFrame");
    for (; frame != nullptr; frame = frame->NextSiblingElement("PhysicalOffsetFrame")) {
      if (name_of(*frame) != name) continue;
      JointFrame found{.body = last_part(text_of(*frame, "socket_parent"))};
      found.T_body_frame.translation() = vector_of(*frame, "translation");
      const Vector3d turn = vector_of(*frame, "orientation");  // x, y, z of the turned axes, in this order
      found.T_body_frame.linear() =
          (Eigen::AngleAxisd(turn.x(), Vector3d::UnitX()) * Eigen::AngleAxisd(turn.y(), Vector3d::UnitY()) *
           Eigen::AngleAxisd(turn.z(), Vector3d::UnitZ()))
              .toRotationMatrix();
      return found;
    }
    return {.body = name};
  }

  /// Value of a function of OpenSim where its coordinate is zero.
  double at_zero(const XMLElement& function) const {
    const std::string kind = function.Name();
    if (kind == "Constant") return numbers_of(function, "value", 1)[0];
    if (kind == "LinearFunction") return numbers_of(function, "coefficients", 2)[1];
    if (kind == "PolynomialFunction") {
      const XMLElement* list = function.FirstChildElement("coefficients");
      const std::vector<double> values = list == nullptr ? std::vector<double>{} : numbers_in(*list);
      return values.empty() ? 0.0 : values.back();
    }
    if (kind == "MultiplierFunction") {
      const XMLElement* inner = function.FirstChildElement("function");
      inner = inner == nullptr ? nullptr : inner->FirstChildElement();
      if (inner == nullptr) fail(function, "<MultiplierFunction> has no <function>");
      return numbers_of(function, "scale", 1)[0] * at_zero(*inner);
    }
    const XMLElement *x_list = function.FirstChildElement("x"), *y_list = function.FirstChildElement("y");
    if (x_list == nullptr || y_list == nullptr) {
      fail(function, fmt::format("a joint moves by a <{}>, which is not known here", kind));
    }
    const std::vector<double> x = numbers_in(*x_list), y = numbers_in(*y_list);
    if (x.empty() || x.size() != y.size())
      fail(function, fmt::format("<{}> has {} x and {} y", kind, x.size(), y.size()));
    // Between two knots of a spline the chord: the knots of a knee are millimetres of motion apart.
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
      if (x[i] <= 0.0 && 0.0 <= x[i + 1] && x[i] < x[i + 1]) {
        return y[i] + (y[i + 1] - y[i]) * (0.0 - x[i]) / (x[i + 1] - x[i]);
      }
    }
    return std::abs(x.front()) < std::abs(x.back()) ? y.front() : y.back();
  }

  /// Pose of a custom joint's child frame in its parent frame, its coordinates zero.
  Isometry3d custom_pose(const XMLElement& joint) const {
    Isometry3d T = Isometry3d::Identity();
    const XMLElement* transform = joint.FirstChildElement("SpatialTransform");
    if (transform == nullptr)
      fail(joint, fmt::format("<CustomJoint name=\"{}\"> has no <SpatialTransform>", name_of(joint)));
    const XMLElement* axis = transform->FirstChildElement("TransformAxis");
    Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
    for (; axis != nullptr; axis = axis->NextSiblingElement("TransformAxis")) {
      const Vector3d along = vector_of(*axis, "axis").normalized();
      const XMLElement* function = axis->LastChildElement();
      if (function != nullptr && std::string(function->Name()) == "function") function = function->FirstChildElement();
      if (function == nullptr) continue;
      const std::string kind = function->Name();
      if (kind == "axis" || kind == "coordinates") continue;
      const double value = at_zero(*function);
      if (name_of(*axis).starts_with("rotation")) {
        turn = turn * Eigen::AngleAxisd(value, along).toRotationMatrix();
      } else {
        T.translation() += value * along;
      }
    }
    T.linear() = turn;
    return T;
  }

  struct Joint {
    JointFrame parent, child;
    Isometry3d T_parent_child;
  };

  void read_joints() {
    for (const XMLElement* element : objects("JointSet", /*is_needed=*/true)) {
      Joint joint{frame_of(*element, "socket_parent_frame"), frame_of(*element, "socket_child_frame"),
                  std::string(element->Name()) == "CustomJoint" ? custom_pose(*element) : Isometry3d::Identity()};
      if (joint.parent.body != "ground") body_named(joint.parent.body, *element);
      const auto child = index_.find(joint.child.body);
      if (child == index_.end()) fail(*element, fmt::format("'{}' is no body of this model", joint.child.body));
      bodies_[child->second].parent = joint.parent.body;
      joints_.push_back(std::move(joint));
    }
  }

  void place_all() {
    for (std::size_t round = 0; round <= bodies_.size(); ++round) {
      bool is_complete = true;
      for (const Joint& joint : joints_) {
        Body& child = bodies_[index_.at(joint.child.body)];
        if (child.T) continue;
        const bool is_root = joint.parent.body == "ground";
        const std::optional<Isometry3d> parent =
            is_root ? Isometry3d::Identity() : bodies_[index_.at(joint.parent.body)].T;
        if (parent) {
          child.T = *parent * joint.parent.T_body_frame * joint.T_parent_child * joint.child.T_body_frame.inverse();
        } else {
          is_complete = false;
        }
      }
      if (is_complete) break;
    }
    for (const Body& body : bodies_) {
      if (!body.T) throw FileError({file_}, fmt::format("'{}' is not joined to the ground", body.name));
    }
  }

  std::string file_;
  tinyxml2::XMLDocument document_;
  const XMLElement* model_ = nullptr;
  std::vector<Body> bodies_;
  std::vector<Joint> joints_;
  std::map<std::string, std::size_t> index_;
};

/// Builds the light skeleton in the places of the model's bodies.
class SubjectOfOsim {
 public:
  explicit SubjectOfOsim(const OsimFile& model) : model_(model) {
    R_ours_osim_ << 1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0;
    for (const Body& body : model.bodies()) segment_of_body_[body.name] = find_segment(body.name);
    find_origins();
  }

  SubjectModel build() {
    SubjectModel subject;
    double mass = 0.0;
    for (const Body& body : model_.bodies()) mass += body.inertia.mass;
    if (!(mass > 1.0)) throw FileError({model_.file()}, fmt::format("its bodies have {} kg together", mass));
    Skeleton& skeleton = subject.skeleton;
    skeleton = make_skeleton(SkeletonSize::light, Sex::male, height(), mass);
    set_sizes(skeleton);
    set_masses(skeleton);
    set_markers(subject);
    return subject;
  }

 private:
  std::string find_segment(std::string name) const {
    for (std::size_t steps = 0; steps <= model_.bodies().size(); ++steps) {
      std::string found = segment_of(name);
      if (!found.empty()) return found;
      const auto body = std::ranges::find(model_.bodies(), name, &Body::name);
      if (body == model_.bodies().end()) break;
      name = body->parent;  // a patella, toes, a vertebra: counts to what carries it
    }
    return "pelvis";
  }

  Vector3d ours(const Vector3d& in_ground) const { return R_ours_osim_ * in_ground - origin_; }

  void find_origins() {
    for (const char* needed :
         {"left_thigh", "right_thigh", "left_shank", "right_shank", "left_foot", "right_foot", "lumbar"}) {
      if (!joint_of(needed)) {
        throw FileError(
            {model_.file()},
            fmt::format("has no body for the {}; known names are those of Rajagopal's model (femur_l, tibia_l, "
                        "talus_l, torso) and ours",
                        needed));
      }
    }
    // Mid-hip is the origin of our pelvis.
    origin_ = 0.5 * R_ours_osim_ * (*joint_of("left_thigh") + *joint_of("right_thigh"));
    const Vector3d across = ours(*joint_of("left_thigh")), down = ours(*joint_of("left_foot"));
    if (across.y() < 0.03 || down.z() > -0.3) {
      throw FileError({model_.file()},
                      "does not stand upright and face x when all its coordinates are zero, as OpenSim's models do");
    }
  }

  /// Place in the ground of the joint of a segment: that of the body that comes first in kAliases.
  std::optional<Vector3d> joint_of(const std::string& segment) const {
    for (const Alias& alias : kAliases) {
      for (const Body& body : model_.bodies()) {
        if (segment_of_body_.at(body.name) != segment || segment_of(body.name) != segment) continue;
        const std::string name = lower(body.name);
        const bool is_alias = alias.is_sided ? name.find(alias.body) != std::string::npos : name == alias.body;
        if (is_alias) return body.T->translation();
      }
    }
    return std::nullopt;
  }

  /// Body height by the generic body's proportions of the leg.
  double height() const {
    const Skeleton generic = make_skeleton(SkeletonSize::light, Sex::male, kGenericHeight, 70.0);
    const double leg = -generic.neutral_origin(generic.segment("left_foot")).z();
    return std::clamp(kGenericHeight * -ours(*joint_of("left_foot")).z() / leg, 0.4, 2.6);
  }

  /// Joints where the model has them, and the mean body's beyond; scales follow from the distances.
  void set_sizes(Skeleton& skeleton) {
    const Skeleton mean = skeleton;
    std::vector<Vector3d> at(skeleton.segments.size(), Vector3d::Zero());
    for (std::size_t k = 1; k < at.size(); ++k) {
      Segment& segment = skeleton.segments[k];
      const auto parent = static_cast<std::size_t>(segment.parent);
      const std::optional<Vector3d> joint = joint_of(segment.name);
      at[k] = joint ? ours(*joint) : Vector3d(at[parent] + segment.joint);
      segment.joint = at[k] - at[parent];
    }
    for (std::size_t k = 1; k < at.size(); ++k) {
      Segment& segment = skeleton.segments[k];
      const auto parent = static_cast<std::size_t>(segment.parent);
      if (!joint_of(segment.name) || segment.generic_joint.norm() < 0.1) continue;
      skeleton.segments[parent].scale.z() = segment.joint.norm() / segment.generic_joint.norm();
    }
  }

  void set_masses(Skeleton& skeleton) const {
    distribute_mass(skeleton);
    std::map<std::string, Inertia> sums;
    for (const Body& body : model_.bodies()) {
      if (body.inertia.mass < kSmallestMass) continue;
      Isometry3d T = Isometry3d::Identity();
      T.linear() = R_ours_osim_ * body.T->linear();
      T.translation() = ours(body.T->translation());
      const Inertia inertia = transformed(T, body.inertia);
      auto [sum, is_new] = sums.emplace(segment_of_body_.at(body.name), inertia);
      if (!is_new) sum->second = joined(sum->second, inertia);
    }
    const auto own = [&](const std::string& name) -> Segment& {
      return skeleton.segments[static_cast<std::size_t>(skeleton.segment(name))];
    };
    // A trunk stands for lumbar and thorax where they are one body, and for head and arms that the model lacks.
    const std::string trunk = sums.contains("thorax") ? "thorax" : "lumbar";
    std::vector<std::string> of_trunk{trunk};
    for (const Segment& segment : skeleton.segments) {
      if (sums.contains(segment.name) || segment.name == trunk) continue;
      if (segment.name.ends_with("_thigh") || segment.name.ends_with("_shank") || segment.name.ends_with("_foot") ||
          segment.name == "pelvis" || !sums.contains(trunk)) {
        throw FileError({model_.file()}, fmt::format("has no mass for the {}", segment.name));
      }
      of_trunk.push_back(segment.name);
    }
    share(skeleton, sums.at(trunk), of_trunk);
    for (const auto& [name, inertia] : sums) {
      if (name == trunk && of_trunk.size() > 1) continue;
      own(name).inertia = inertia;
      own(name).inertia.com -= skeleton.neutral_origin(skeleton.segment(name));
    }
    skeleton.mass = 0.0;
    for (const Segment& segment : skeleton.segments) skeleton.mass += segment.inertia.mass;
  }

  /// Spreads one inertia over segments in the proportions of the mean body, with the CoM of all kept.
  static void share(Skeleton& skeleton, const Inertia& whole, const std::vector<std::string>& names) {
    double mass = 0.0;
    Vector3d moment = Vector3d::Zero();
    const auto at = [&](const std::string& name) { return static_cast<std::size_t>(skeleton.segment(name)); };
    for (const std::string& name : names) {
      const Inertia& one = skeleton.segments[at(name)].inertia;
      mass += one.mass;
      moment += one.mass * (skeleton.neutral_origin(skeleton.segment(name)) + one.com);
    }
    const Vector3d shift = whole.com - moment / mass;
    for (const std::string& name : names) {
      Inertia& one = skeleton.segments[at(name)].inertia;
      one.mass *= whole.mass / mass;
      one.about_com *= whole.mass / mass;
      one.com += shift;
    }
  }

  void set_markers(SubjectModel& subject) const {
    const Skeleton& skeleton = subject.skeleton;
    const double chest = skeleton.neutral_origin(skeleton.segment("thorax")).z();
    for (const OsimFile::Marker& marker : model_.markers()) {
      const Vector3d at = ours(marker.at);
      std::string name = segment_of_body_.at(marker.body);
      if (name == "lumbar" && at.z() > chest && segment_of(marker.body) == name && !has_body("thorax")) name = "thorax";
      const int segment = skeleton.segment(name);
      const Vector3d offset = at - skeleton.neutral_origin(segment);
      subject.markers.push_back({.label = marker.name,
                                 .segment = segment,
                                 .offset = offset,
                                 .weight = name.ends_with("_thigh") ? 0.2 : 1.0,
                                 .generic_offset = offset});
    }
    if (subject.markers.size() < 6) {
      throw FileError({model_.file()}, fmt::format("has {} markers; at least six are needed to follow a person",
                                                   subject.markers.size()));
    }
    name_pairs(subject);
  }

  bool has_body(const std::string& segment) const {
    return std::ranges::any_of(segment_of_body_, [&](const auto& one) { return one.second == segment; });
  }

  /// Gives markers that mirror each other names of a pair, by which the direction is found that the person faces.
  static void name_pairs(SubjectModel& subject) {
    constexpr double kNear = 0.04;  // [m]
    const Skeleton& skeleton = subject.skeleton;
    const auto place = [&](const BodyMarker& marker) {
      return Vector3d(skeleton.neutral_origin(marker.segment) + marker.offset);
    };
    int count = 0;
    for (BodyMarker& left : subject.markers) {
      const Vector3d mirrored = place(left).cwiseProduct(Vector3d(1.0, -1.0, 1.0));
      if (mirrored.y() > -0.03) continue;
      BodyMarker* nearest = nullptr;
      for (BodyMarker& right : subject.markers) {
        if (!right.landmark.empty() || (place(right) - mirrored).norm() > kNear) continue;
        if (nearest == nullptr || (place(right) - mirrored).norm() < (place(*nearest) - mirrored).norm())
          nearest = &right;
      }
      if (nearest == nullptr) continue;
      left.landmark = fmt::format("left_pair_{}", count);
      nearest->landmark = fmt::format("right_pair_{}", count++);
    }
  }

  const OsimFile& model_;
  Eigen::Matrix3d R_ours_osim_;
  Vector3d origin_ = Vector3d::Zero();  ///< mid-hip in the ground, in our axes
  std::map<std::string, std::string> segment_of_body_;
};

}  // namespace

SubjectModel read_osim(const std::filesystem::path& file) {
  const OsimFile model(file);
  return SubjectOfOsim(model).build();
}

}  // namespace aplomb
