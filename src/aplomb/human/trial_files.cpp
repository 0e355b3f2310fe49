#include "aplomb/human/trial_files.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/files/text_file.hpp"
#include "aplomb/core/settings/yaml_view.hpp"
#include "aplomb/human/human_robot.hpp"
#include "aplomb/human/subject/osim_text.hpp"
#include "aplomb/human/subject_model.hpp"

namespace aplomb {
namespace {

constexpr double kDegrees = 180.0 / std::numbers::pi;
constexpr std::size_t kMostBytes = 1 << 20;
constexpr const char* kContactsFile = "contacts.yaml";
constexpr const char* kHandKeys[] = {"left_hand_off_s", "right_hand_off_s"};
constexpr const char* kBase[] = {"pelvis_tx",       "pelvis_ty",   "pelvis_tz",
                                 "pelvis_rotation", "pelvis_tilt", "pelvis_list"};

Eigen::Vector3d rotation_tilt_list(const Eigen::Quaterniond& turn) {
  const Eigen::Matrix3d R = turn.toRotationMatrix();
  return {std::atan2(R(1, 0), R(0, 0)), std::asin(std::clamp(-R(2, 0), -1.0, 1.0)), std::atan2(R(2, 1), R(2, 2))};
}

Schema hand_schema(const char* key) {
  return schema::number(key, "time at which that hand leaves its arm rest").in("s").when_absent("no arm rest");
}

const Schema& trial_schema() {
  static const Schema whole = schema::map(
      "", "a trial",
      {schema::text("trial", "name").required(),
       schema::number("cutoff_hz", "of the low-pass").in("Hz").above(0.0).required(),
       schema::number("marker_rms_m", "of the fit").in("m").at_least(0.0).defaults_to("0"),
       schema::boolean("plates_agree", "false: the plates contradict the model or the stated mass").required(),
       schema::boolean("subject_agrees", "false: static trial or model are of another person").defaults_to("true"),
       schema::boolean("is_cut", "true: most markers jump together and stay away").defaults_to("false"),
       schema::text("verdict", "what the plates say").defaults_to("''"),
       schema::list(
           "rises", "from a seat",
           schema::map("", "one rise",
                       {schema::number("seat_off_s", "seat left").in("s").required(),
                        schema::number("seat_on_s", "seat taken again").in("s").when_absent("stays up"),
                        hand_schema(kHandKeys[0]), hand_schema(kHandKeys[1]),
                        schema::number("hand_share", "largest fraction of the contact force carried by the hands")
                            .at_least(0.0)
                            .at_most(1.0)
                            .when_absent("not measurable")}))});
  return whole;
}

/// Refuses a pelvis that jumps: no low-passed motion does, and everything that follows differentiates it twice.
void require_continuous(const HumanMotion& motion, const std::string& source) {
  constexpr double kFastest = 20.0;  // [m/s] beyond any motion of a person's pelvis
  for (Eigen::Index i = 1; i < motion.num_frames(); ++i) {
    const double step = (motion.q.col(i) - motion.q.col(i - 1)).head<3>().norm();
    if (step * motion.rate_hz <= kFastest) continue;
    throw FileError({source}, fmt::format("the pelvis jumps by {:.3g} m from {} s to {} s; a person's does not", step,
                                          motion.time_s(i - 1), motion.time_s(i)));
  }
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') result.push_back('\\');
    result.push_back(letter == '\n' ? ' ' : letter);
  }
  return result + "\"";
}

}  // namespace

MotFile angles_table(const HumanMotion& motion, const RobotModel& robot) {
  MotFile mot{.name = "angles", .in_degrees = true};
  mot.table.columns = {"time"};
  for (const char* name : kBase) mot.table.columns.emplace_back(name);
  for (const Joint& joint : robot.joints()) mot.table.columns.push_back(joint.name);
  for (Eigen::Index frame = 0; frame < motion.num_frames(); ++frame) {
    const Eigen::VectorXd q = motion.q.col(frame);
    const Eigen::Vector3d turn = kDegrees * rotation_tilt_list(Eigen::Quaterniond(q[6], q[3], q[4], q[5]));
    std::vector<double>& values = mot.table.values;
    values.push_back(motion.time_s(frame));
    values.insert(values.end(), {q[0], q[1], q[2], turn[0], turn[1], turn[2]});
    for (Eigen::Index i = 7; i < q.size(); ++i) values.push_back(kDegrees * q[i]);
  }
  return mot;
}

HumanMotion motion_of(const MotFile& angles, const RobotModel& robot, const std::string& source) {
  if (angles.time_fault) throw FileError(*angles.time_fault);
  const auto column = [&](const std::string& name) {
    const auto found = angles.table.find(name);
    if (!found) throw UnknownName("column", name, source, angles.table.columns);
    return *found;
  };
  const double factor = angles.in_degrees ? 1.0 / kDegrees : 1.0;
  std::vector<std::size_t> base, joints;
  for (const char* name : kBase) base.push_back(column(name));
  for (const Joint& joint : robot.joints()) joints.push_back(column(joint.name));
  const std::size_t time = column("time"), rows = angles.table.num_rows();
  HumanMotion motion{.rate_hz = rate_of(angles.table, time), .start_s = rows == 0 ? 0.0 : angles.table.at(0, time)};
  motion.q.resize(robot.nq(), static_cast<Eigen::Index>(rows));
  for (std::size_t row = 0; row < rows; ++row) {
    auto q = motion.q.col(static_cast<Eigen::Index>(row));
    const auto at = [&](std::size_t i) { return angles.table.at(row, i); };
    q.head<3>() = Eigen::Vector3d(at(base[0]), at(base[1]), at(base[2]));
    const Eigen::Quaterniond turn(Eigen::AngleAxisd(factor * at(base[3]), Eigen::Vector3d::UnitZ()) *
                                  Eigen::AngleAxisd(factor * at(base[4]), Eigen::Vector3d::UnitY()) *
                                  Eigen::AngleAxisd(factor * at(base[5]), Eigen::Vector3d::UnitX()));
    q.segment<4>(3) = turn.coeffs();
    if (row > 0 && q.segment<4>(3).dot(motion.q.col(static_cast<Eigen::Index>(row) - 1).segment<4>(3)) < 0.0) {
      q.segment<4>(3) *= -1.0;
    }
    for (std::size_t i = 0; i < joints.size(); ++i) q[7 + static_cast<Eigen::Index>(i)] = factor * at(joints[i]);
  }
  if (!motion.q.allFinite()) throw FileError({source}, "has blank cells; a motion has none");
  require_continuous(motion, source);
  return motion;
}

MotFile moments_table(const HumanMotion& motion, const JointMoments& moments) {
  MotFile mot{.name = "moments"};
  mot.table.columns = {"time"};
  for (const std::string& name : moments.names) mot.table.columns.push_back(name + "_moment");
  for (Eigen::Index frame = 0; frame < moments.moment.cols(); ++frame) {
    mot.table.values.push_back(motion.time_s(frame));
    for (Eigen::Index i = 0; i < moments.moment.rows(); ++i) mot.table.values.push_back(moments.moment(i, frame));
  }
  return mot;
}

MotFile reactions_table(const HumanMotion& motion, const ReactionForces& reactions) {
  MotFile mot{.name = "forces"};
  mot.table.columns = {"time"};
  for (int contact = 0; contact < ReactionForces::kCount; ++contact) {
    for (const char* part : {"force_v", "force_p", "torque_"}) {
      for (const char axis : {'x', 'y', 'z'}) {
        mot.table.columns.push_back(fmt::format("{}_{}{}", ReactionForces::name(contact), part, axis));
      }
    }
  }
  for (Eigen::Index frame = 0; frame < motion.num_frames() && reactions.is_known(); ++frame) {
    mot.table.values.push_back(motion.time_s(frame));
    for (std::size_t contact = 0; contact < ReactionForces::kCount; ++contact) {
      const Eigen::Vector3d force = reactions.force[contact].col(frame);
      const Eigen::Vector2d cop = reactions.cop[contact].col(frame);
      mot.table.values.insert(mot.table.values.end(), {force.x(), force.z(), -force.y(), cop.x(),
                                                       reactions.plane_height, -cop.y(), 0.0, 0.0, 0.0});
    }
  }
  return mot;
}

void write_trial(const HumanTrial& trial, const std::filesystem::path& folder) {
  write_subject(trial.subject, folder / "subject.yaml");
  write_file(folder / "human.osim", osim_text(trial.subject));
  write_file(folder / "human.urdf", skeleton_urdf(trial.subject.skeleton, /*has_mimics=*/true));
  write_mot(folder / "angles.mot", angles_table(trial.motion, human_robot(trial.subject.skeleton)));
  write_contact_schedule(trial.contacts, folder / kContactsFile);
  std::string text = fmt::format(
      "trial: {}\ncutoff_hz: {}\nmarker_rms_m: {}\nplates_agree: {}\nsubject_agrees: {}\nis_cut: {}\nverdict: "
      "{}\nrises:",
      quoted(trial.name), trial.cutoff_hz, trial.marker_rms, trial.plates_agree, trial.subject_agrees, trial.is_cut,
      quoted(trial.verdict));
  for (const RiseTimes& rise : trial.rises) {
    text += fmt::format("\n  - {{seat_off_s: {}", rise.seat_off_s);
    if (std::isfinite(rise.seat_on_s)) text += fmt::format(", seat_on_s: {}", rise.seat_on_s);
    for (std::size_t side = 0; side < 2; ++side) {
      if (rise.hands.off_s[side]) text += fmt::format(", {}: {}", kHandKeys[side], *rise.hands.off_s[side]);
    }
    text += rise.hands.share ? fmt::format(", hand_share: {}}}", *rise.hands.share) : "}";
  }
  write_file(folder / "trial.yaml", text + (trial.rises.empty() ? " []\n" : "\n"));
}

HumanTrial read_trial(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "trial.yaml";
  if (!std::filesystem::exists(file)) {
    throw FileError({folder.string()}, "has no trial.yaml; a folder of `aplomb human --out` has one");
  }
  const YamlNode yaml = parse_yaml(read_file(file, kMostBytes), file.string());
  require_valid(yaml, trial_schema());
  const YamlView root(yaml, trial_schema());
  HumanTrial trial{.name = root["trial"].text(),
                   .subject = read_subject(folder / "subject.yaml"),
                   .cutoff_hz = root["cutoff_hz"].number(),
                   .marker_rms = root["marker_rms_m"].number(),
                   .plates_agree = root["plates_agree"].boolean(),
                   .subject_agrees = root["subject_agrees"].boolean(),
                   .is_cut = root["is_cut"].boolean(),
                   .verdict = root["verdict"].text()};
  for (const YamlView& rise : root["rises"].items()) {
    const auto time = [&](const char* key) {
      return rise.has(key) ? std::optional<double>(rise[key].number()) : std::nullopt;
    };
    trial.rises.push_back({rise["seat_off_s"].number(),
                           time("seat_on_s").value_or(std::numeric_limits<double>::infinity()),
                           {.off_s = {time(kHandKeys[0]), time(kHandKeys[1])}, .share = time("hand_share")}});
  }
  const RobotModel robot = human_robot(trial.subject.skeleton);
  const std::filesystem::path angles = folder / "angles.mot";
  trial.motion = motion_of(read_mot(angles), robot, angles.string());
  const std::filesystem::path contacts = folder / kContactsFile;
  trial.contacts = std::filesystem::exists(contacts) ? read_contact_schedule(contacts) : contacts_of_motion(trial);
  return trial;
}

}  // namespace aplomb
