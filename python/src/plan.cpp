#include "plan.hpp"

#include <fmt/format.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_folder.hpp"
#include "aplomb/core/files/sha256.hpp"
#include "aplomb/core/table/table_file.hpp"
#include "aplomb/motion/files/trajectory_file.hpp"
#include "aplomb/present/retarget_report.hpp"
#include "aplomb/present/scene/retarget_scene.hpp"
#include "aplomb/retarget/retarget.hpp"
#include "bindings.hpp"
#include "outcome.hpp"
#include "person.hpp"

namespace aplomb::python {
namespace {

class RetargetOutcome final : public DescribedOutcome<RetargetOutput> {
 public:
  RetargetOutcome(HumanTrial trial, std::shared_ptr<const RobotModel> robot, Retargeted retargeted)
      : DescribedOutcome(describe(retargeted, *robot, trial.name)),
        trial_(std::move(trial)),
        robot_(std::move(robot)),
        retargeted_(std::move(retargeted)) {}
  ReportPage page() const override {
    ReportPage page = output_.page;
    page.scene = make_retarget_scene(trial_, *robot_, retargeted_);
    return page;
  }

 private:
  HumanTrial trial_;
  std::shared_ptr<const RobotModel> robot_;
  Retargeted retargeted_;
};

/// A plan that was made here, with its report.
struct RetargetedPlan : Plan {
  std::shared_ptr<RetargetOutcome> outcome;
};

ClipKind clip_from(const std::string& text) {
  if (text == "rise") return ClipKind::rise;
  if (text == "sit_down") return ClipKind::sit_down;
  if (text == "whole") return ClipKind::whole;
  throw InvalidValue(fmt::format("clip is '{}'; valid are rise, sit_down, whole", text));
}

RetargetedPlan make_plan(const AnalysedPerson& person, const Robot& robot, const std::string& mode, int rise,
                         const std::string& clip, std::optional<double> chair_height,
                         const std::map<std::string, std::string>& links, bool force) {
  if (rise < 1) throw InvalidValue(fmt::format("rise is {}; the first is 1", rise));
  const std::string reason = contradiction(person.trial());
  if (!reason.empty() && !force) {
    throw InvalidValue(fmt::format("{}: {}; force=True plans it all the same", person.trial().name, reason));
  }
  const RetargetOptions options{.chair_height = chair_height,
                                .links = links,
                                .mode = retarget_mode(mode),
                                .rise = static_cast<std::size_t>(rise - 1),
                                .clip = clip_from(clip)};
  return release_and([&] {
    Retargeted made = retarget(person.trial(), *robot.model, options);
    made.trajectory.robot_sha256 = sha256_of_file(robot.model->urdf().file);
    RetargetedPlan plan;
    plan.motion = std::make_shared<const MotionPlan>(made.plan());
    plan.outcome = std::make_shared<RetargetOutcome>(person.trial(), robot.model, std::move(made));
    return plan;
  });
}

void save(const Plan& plan, const std::filesystem::path& target) {
  if (const std::string ending = target.extension().string(); ending == ".npz" || ending == ".csv") {
    const Log table = trajectory_log(plan.motion->trajectory);
    return ending == ".npz" ? write_npz(table, target) : write_csv(table, target);
  }
  OutputFolder out(target);
  write_plan(*plan.motion, out.path());
  out.commit();
}

nb::list contacts_of(const Plan& plan) {
  nb::list contacts;
  for (const ContactPlan::Contact& one : plan.motion->contacts.contacts) {
    nb::dict contact;
    const std::string_view site = to_string(one.site);
    contact["site"] = nb::str(site.data(), site.size());
    contact["link"] = one.link;
    contact["start_s"] = one.start_s;
    contact["end_s"] = one.end_s;
    contacts.append(contact);
  }
  return contacts;
}

using Self = nb::pointer_and_handle<Plan>;
const Trajectory& of(const Self& self) { return self.p->motion->trajectory; }

nb::object times_of(const Plan& plan) {
  const Trajectory& trajectory = plan.motion->trajectory;
  const nb::object numpy = nb::module_::import_("numpy");
  return numpy.attr("arange")(trajectory.num_samples()) / nb::float_(trajectory.rate_hz) +
         nb::float_(trajectory.start_s);
}

}  // namespace

void bind_plan(nb::module_& module) {
  nb::class_<Plan>(module, "Plan",
                   "A planned motion of a robot with its contact schedule; n samples, world frame, z up.")
      .def_prop_ro(
          "robot", [](const Plan& self) { return self.motion->trajectory.robot; }, "The robot's name.")
      .def_prop_ro("joints", [](const Plan& self) { return self.motion->trajectory.joints; })
      .def_prop_ro("rate_hz", [](const Plan& self) { return self.motion->trajectory.rate_hz; })
      .def_prop_ro("time_s", &times_of, "(n,) [s].", nb::sig("def time_s(self) -> numpy.typing.NDArray[numpy.float64]"))
      .def_prop_ro(
          "q", [](Self self) { return samples_view(of(self).q, self.h); },
          "(n, nq): base position [m], quaternion (x, y, z, w), joints [rad].")
      .def_prop_ro(
          "v", [](Self self) { return samples_view(of(self).v, self.h); },
          "(n, nv): base twist in its own axes [m/s, rad/s], joint rates [rad/s].")
      .def_prop_ro(
          "a", [](Self self) { return samples_view(of(self).a, self.h); }, "(n, nv): the derivative of v.")
      .def_prop_ro(
          "com", [](Self self) { return samples_view(of(self).com, self.h); }, "Planned CoM, (n, 3) [m].")
      .def_prop_ro(
          "zmp", [](Self self) { return samples_view(of(self).zmp, self.h); }, "Planned ZMP on the floor, (n, 2) [m].")
      .def_prop_ro(
          "force", [](Self self) { return samples_view(of(self).force, self.h); },
          "Resultant of all contact forces, (n, 3) [N].")
      .def_prop_ro(
          "torque", [](Self self) { return samples_view(of(self).torque, self.h); },
          "Planned joint torques, (n, joints) [N m]; (0, 0) when they are not known.")
      .def_prop_ro("contacts", &contacts_of, "Each contact as a dict: site, link, start_s, end_s.",
                   nb::sig("def contacts(self) -> list[dict[str, str | float]]"))
      .def_prop_ro(
          "chair_height_m", [](const Plan& self) { return self.motion->contacts.chair_height_m; }, "0: no chair.")
      .def("save", &save, nb::arg("target"),
           "Writes the plan: a table for a name that ends in .npz or .csv, else a folder (trajectory.csv, "
           "trajectory.npz, contacts.yaml) that `load_plan` and a scenario's reference.trajectory read.")
      .def("__len__", [](const Plan& self) { return self.motion->trajectory.num_samples(); })
      .def("__repr__", [](const Plan& self) {
        const Trajectory& trajectory = self.motion->trajectory;
        return fmt::format("<aplomb.Plan for {}: {:.2f} s, {} samples>", trajectory.robot,
                           trajectory.end_s() - trajectory.start_s, trajectory.num_samples());
      });
  nb::class_<RetargetOutcome, Outcome>(module, "RetargetOutcome", "How well a plan fits the person and the robot.");
  nb::class_<RetargetedPlan, Plan>(module, "RetargetedPlan", "A plan made by `retarget`.")
      .def_prop_ro(
          "outcome", [](const RetargetedPlan& self) { return self.outcome; }, "Metrics, checks and report.");
  module.def("retarget", &make_plan, nb::arg("person"), nb::arg("robot"), nb::kw_only(), nb::arg("mode") = "priced",
             nb::arg("rise") = 1, nb::arg("clip") = "rise", nb::arg("chair_height") = nb::none(),
             nb::arg("links") = std::map<std::string, std::string>(), nb::arg("force") = false,
             "A person's motion as a motion of the robot, that keeps its balance.\n\n"
             "robot: what is known of it, e.g. of `identify`. mode: 'priced' (whole motion, the CoM a cost), 'hard' "
             "(the CoM an equation), 'frames' (each frame alone).\n"
             "rise: which rise, from 1. clip: 'rise', 'sit_down' or 'whole'. chair_height: [m]; as fits the robot's "
             "legs when left out.\n"
             "links: segment of the person -> link of the robot, where the automatic choice shall be replaced.\n"
             "force: plan although recording and model of the person contradict each other.");
  module.def(
      "load_plan",
      [](const std::filesystem::path& folder) {
        return release_and([&] { return Plan{std::make_shared<const MotionPlan>(read_plan(folder))}; });
      },
      nb::arg("folder"), "Reads a plan from a folder of `Plan.save` or of `aplomb retarget`.");
}

}  // namespace aplomb::python
