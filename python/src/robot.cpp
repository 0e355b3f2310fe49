#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/data_dir.hpp"
#include "aplomb/robot/configuration.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "bindings.hpp"

namespace aplomb::python {
namespace {

std::vector<std::string> joint_names(const RobotModel& model) {
  std::vector<std::string> names;
  for (const Joint& joint : model.joints()) names.push_back(joint.name);
  return names;
}

/// One number of each joint as an array (joints,).
nb::object of_joints(nb::handle self, double Joint::*member) {
  const RobotModel& model = *nb::cast<const Robot&>(self).model;
  nb::object numpy = nb::module_::import_("numpy");
  nb::list values;
  for (const Joint& joint : model.joints()) values.append(joint.*member);
  return numpy.attr("array")(values, "float64");
}

std::vector<std::string> default_frames(const RobotModel& model) {
  const Roles& roles = model.description().roles;
  std::vector<std::string> frames;
  for (const std::string* link :
       {&roles.pelvis, &roles.trunk, &roles.head, &roles.foot[0], &roles.foot[1], &roles.hand[0], &roles.hand[1]}) {
    if (!link->empty() && std::ranges::find(frames, *link) == frames.end()) frames.push_back(*link);
  }
  return frames;
}

/// A link, or the role that one plays.
std::string link_of(const RobotModel& model, const std::string& wanted) {
  const std::string* link = model.description().roles.find(wanted);
  return link != nullptr && !link->empty() ? *link : wanted;
}

RobotState state_from(const RobotModel& model, nb::handle q, nb::handle v) {
  RobotState state;
  state.q = vector_from(q, model.nq(), "q");
  state.v = v.is_none() ? Eigen::VectorXd::Zero(model.nv()) : vector_from(v, model.nv(), "v");
  const double norm = state.q.segment<4>(3).norm();
  if (std::abs(norm - 1.0) > 1e-3) {
    throw InvalidValue(fmt::format("q[3:7] is the base's quaternion (x, y, z, w): its norm is {}, not 1", norm));
  }
  state.q.segment<4>(3) /= norm;
  return state;
}

class Terms {
 public:
  Terms(std::shared_ptr<const RobotModel> model, const RobotState& state, std::vector<std::string> links)
      : model_(std::move(model)), links_(std::move(links)), terms_(*model_, frames()) {
    terms_.update(state);
  }
  const RobotTerms& operator*() const { return terms_; }
  const FrameTerms& frame(const std::string& link) const {
    const std::string name = link_of(*model_, link);
    if (std::ranges::find(links_, name) == links_.end()) throw UnknownName("frame", link, "these terms", links_);
    return terms_.frame(model_->frame(name));
  }

 private:
  std::vector<FrameId> frames() {
    std::vector<FrameId> ids;
    for (std::string& link : links_) {
      link = link_of(*model_, link);
      ids.push_back(model_->frame(link));
    }
    return ids;
  }
  std::shared_ptr<const RobotModel> model_;
  std::vector<std::string> links_;
  RobotTerms terms_;
};

using Self = nb::pointer_and_handle<Terms>;

void bind_terms(nb::module_& module) {
  nb::class_<Terms>(module, "Terms",
                    "Terms of the equation of motion  M v̇ + h = Sᵀτ + Σ Jᵀf  at one state; nv = 6 + joints.\n\n"
                    "The first six rows and columns are of the base (linear, then angular, in its own axes). Arrays "
                    "are read-only views.")
      .def_prop_ro(
          "mass_matrix", [](Self self) { return matrix_view((**self.p).mass_matrix(), self.h); }, "M(q), (nv, nv).")
      .def_prop_ro(
          "bias", [](Self self) { return view((**self.p).bias(), self.h); },
          "h(q, v), (nv,): Coriolis, centrifugal and gravity [N, N m].")
      .def_prop_ro(
          "gravity", [](Self self) { return view((**self.p).gravity(), self.h); }, "g(q), (nv,): h at rest [N, N m].")
      .def_prop_ro(
          "mass", [](Self self) { return (**self.p).mass(); }, "[kg]")
      .def_prop_ro(
          "com", [](Self self) { return view((**self.p).com().data(), {3}, self.h); },
          "Centre of mass, (3,), world [m].")
      .def_prop_ro(
          "com_velocity", [](Self self) { return view((**self.p).com_velocity().data(), {3}, self.h); },
          "(3,), world [m/s].")
      .def_prop_ro(
          "com_jacobian", [](Self self) { return matrix_view((**self.p).com_jacobian(), self.h); },
          "(3, nv): com_velocity = com_jacobian @ v.")
      .def_prop_ro(
          "momentum_matrix", [](Self self) { return matrix_view((**self.p).momentum_matrix(), self.h); },
          "A(q), (6, nv): linear momentum, then angular momentum about the CoM, in world axes.")
      .def_prop_ro(
          "momentum", [](Self self) { return view((**self.p).momentum().data(), {6}, self.h); },
          "A v, (6,) [kg m/s, kg m²/s].")
      .def(
          "pose",
          [](nb::pointer_and_handle<Terms> self, const std::string& link) {
            return matrix_view(self.p->frame(link).T_world_frame.matrix(), self.h);
          },
          nb::arg("link"), "Pose of a link, or of a role ('left_foot'), in the world: (4, 4).")
      .def(
          "jacobian",
          [](Self self, const std::string& link) { return matrix_view(self.p->frame(link).jacobian, self.h); },
          nb::arg("link"), "(6, nv): linear rows, then angular ones, in world axes at the link's origin.")
      .def(
          "velocity",
          [](Self self, const std::string& link) { return view(self.p->frame(link).velocity.data(), {6}, self.h); },
          nb::arg("link"), "J v of a link, (6,) [m/s, rad/s], in world axes.");
}

}  // namespace

void bind_robot(nb::module_& module) {
  bind_terms(module);
  nb::class_<Robot>(
      module, "Robot",
      "A robot model: joints, inertias, limits, roles. Constant once loaded.\n\n"
      "robot: a name from `aplomb.robots()`, or a path to a URDF or a YAML.\n\n"
      "A configuration q, (nq,) = (7 + joints,), is the base's position [m], its quaternion (x, y, z, w), "
      "then the joints [rad] or [m]. A velocity v, (nv,) = (6 + joints,), is the base's twist in its own "
      "axes (linear [m/s], angular [rad/s]), then the joints' rates.")
      .def(
          "__init__",
          [](Robot* self, const std::string& robot) {
            new (self) Robot{release_and([&] { return std::make_shared<const RobotModel>(RobotModel::load(robot)); })};
          },
          nb::arg("robot"))
      .def_prop_ro("name", [](const Robot& self) { return self.model->name(); })
      .def_prop_ro("about", [](const Robot& self) { return self.model->description().about; })
      .def_prop_ro(
          "urdf", [](const Robot& self) { return self.model->urdf().file.string(); }, "Path of the URDF.")
      .def_prop_ro(
          "mass", [](const Robot& self) { return self.model->mass(); }, "[kg]")
      .def_prop_ro(
          "nq", [](const Robot& self) { return self.model->nq(); }, "7 + joints")
      .def_prop_ro(
          "nv", [](const Robot& self) { return self.model->nv(); }, "6 + joints")
      .def_prop_ro(
          "joints", [](const Robot& self) { return joint_names(*self.model); },
          "Names of the joints; joint i is q[7 + i] and v[6 + i].")
      .def_prop_ro(
          "lower", [](nb::handle_t<Robot> self) { return of_joints(self, &Joint::lower); },
          "Lower limit of every joint, (joints,) [rad] or [m].")
      .def_prop_ro(
          "upper", [](nb::handle_t<Robot> self) { return of_joints(self, &Joint::upper); },
          "Upper limit of every joint, (joints,) [rad] or [m].")
      .def_prop_ro(
          "effort", [](nb::handle_t<Robot> self) { return of_joints(self, &Joint::effort); },
          "Largest torque of every joint, (joints,) [N m].")
      .def_prop_ro(
          "is_torque_controlled",
          [](const Robot& self) { return self.model->description().actuation.kind == Actuation::Kind::torque; },
          "False: the drives are position servos, and only Command.position counts.")
      .def_prop_ro(
          "roles",
          [](const Robot& self) {
            nb::dict roles;
            for (const std::string& role : Roles::names()) {
              const std::string* link = self.model->description().roles.find(role);
              if (link != nullptr && !link->empty()) roles[role.c_str()] = *link;
            }
            return roles;
          },
          "Link by role: 'pelvis', 'trunk', 'left_foot', ...", nb::sig("def roles(self) -> dict[str, str]"))
      .def_prop_ro(
          "postures",
          [](const Robot& self) {
            std::vector<std::string> names;
            for (const auto& [name, angles] : self.model->description().postures) names.push_back(name);
            return names;
          },
          "Names for `posture`.")
      .def_prop_ro(
          "notes", [](const Robot& self) { return self.model->notes(); },
          "Repaired inertias, locked joints, assumptions.")
      .def_prop_ro("has_cad", [](const Robot& self) { return self.model->has_cad(); })
      .def_prop_ro(
          "cad", [](const Robot& self) { return Robot{std::make_shared<const RobotModel>(self.model->cad())}; },
          "The CAD model of this robot, where its YAML names one: what is known of it before it is identified.")
      .def(
          "posture",
          [](const Robot& self, const std::string& name) {
            const RobotState state = self.model->posture(name);
            const nb::object numpy = nb::module_::import_("numpy");
            return numpy.attr("array")(view(state.q, nb::none()));
          },
          nb::arg("name") = "half_sitting",
          "q of a posture, (nq,), the soles level at z = 0 with their mid-point at the origin.",
          nb::sig("def posture(self, name: str = 'half_sitting') -> numpy.typing.NDArray[numpy.float64]"))
      .def(
          "terms",
          [](const Robot& self, nb::object q, nb::object v, const std::optional<std::vector<std::string>>& links) {
            return std::make_unique<Terms>(self.model, state_from(*self.model, q, v),
                                           links ? *links : default_frames(*self.model));
          },
          nb::arg("q"), nb::arg("v") = nb::none(), nb::arg("links") = nb::none(),
          "Terms of the equation of motion at (q, v); v is zero when it is left out.\n\n"
          "links: whose poses and Jacobians are computed; the robot's roles when it is left out.",
          nb::sig("def terms(self, q: numpy.typing.ArrayLike, v: numpy.typing.ArrayLike | None = None, links: "
                  "collections.abc.Sequence[str] | None = None) -> Terms"))
      .def("__repr__", [](const Robot& self) {
        return fmt::format("<aplomb.Robot {}: {} joints, {:.2f} kg>", self.model->name(), self.model->num_joints(),
                           self.model->mass());
      });
  module.def("robots", &robot_names, "Names of the robots that come with aplomb.");
}

}  // namespace aplomb::python
