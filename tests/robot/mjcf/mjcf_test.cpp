// MJCF in, with MuJoCo itself as the oracle: it loads the same file, without our pre-check, and both must have the same
// dynamics.
#include "aplomb/robot/mjcf/mjcf.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <regex>
#include <sstream>

#include "aplomb/core/error.hpp"
#include "aplomb/robot/mjcf/mjcf_text.hpp"
#include "aplomb/robot/robot_file.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "robot/random_robot.hpp"
#include "support/random_state.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace aplomb::test {
namespace {

namespace fs = std::filesystem;

using ModelPtr = std::unique_ptr<mjModel, decltype(&mj_deleteModel)>;
using DataPtr = std::unique_ptr<mjData, decltype(&mj_deleteData)>;
using SpecPtr = std::unique_ptr<mjSpec, decltype(&mj_deleteSpec)>;

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

fs::path written(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
  return file;
}

/// A number with all its digits: {:.17g}.
std::string digits(const Eigen::VectorXd& values) {
  std::string text;
  for (const double value : values) text += fmt::format("{}{:.17g}", text.empty() ? "" : " ", value);
  return text;
}

/// A random tree of bodies: every kind of joint that this robot model has, several on one body, away from its origin,
/// with references; inertias written in three ways; default classes; degrees and radians.
class RandomMjcf {
 public:
  explicit RandomMjcf(unsigned seed) : random_(seed) {}

  std::string text() {
    in_degrees_ = random_.below(2) == 0;
    std::string body;
    add_body(body, 0);
    std::string actuators;
    for (const std::string& joint : joints_) {
      actuators +=
          fmt::format("<motor name='drive_{0}' joint='{0}' ctrlrange='-{1} {1}' gear='{2}'/>", joint, 1.0, 40.0);
    }
    return fmt::format(
        "<mujoco model='random'><compiler angle='{}' autolimits='true'/>"
        "<default><geom density='500'/><default class='heavy'><geom density='3000'/><joint armature='0.03'/></default>"
        "</default><worldbody><light pos='0 0 3'/><geom name='floor' type='plane' size='5 5 0.1'/>{}</worldbody>"
        "<actuator>{}</actuator><keyframe/></mujoco>",
        in_degrees_ ? "degree" : "radian", body, actuators);
  }

 private:
  std::string pose() {
    const Eigen::Isometry3d T = random_.pose();
    const Eigen::Quaterniond q(T.linear());
    return fmt::format("pos='{}' quat='{}'", digits(T.translation()),
                       digits(Eigen::Vector4d(q.w(), q.x(), q.y(), q.z())));
  }

  void add_joint(std::string& text, bool is_first) {
    const std::string name = fmt::format("joint_{}", joints_.size());
    joints_.push_back(name);
    const bool is_slide = random_.below(4) == 0;
    const double unit = is_slide || !in_degrees_ ? 1.0 : 180.0 / 3.14159265358979323846;
    text += fmt::format("<joint name='{}' type='{}' axis='{}'", name, is_slide ? "slide" : "hinge",
                        digits(is_first && random_.below(3) == 0 ? Eigen::Vector3d::UnitZ() : random_.vector()));
    if (random_.below(2) == 0) text += fmt::format(" pos='{}'", digits(0.2 * random_.vector()));
    if (random_.below(3) == 0) text += fmt::format(" ref='{:.17g}'", unit * random_.within(-0.5, 0.5));
    if (random_.below(2) == 0)
      text += fmt::format(" range='{:.17g} {:.17g}'", -1.5 * unit, unit * random_.within(0.5, 2));
    if (random_.below(2) == 0) text += fmt::format(" armature='{:.17g}'", random_.within(0.001, 0.1));
    text += "/>";
  }

  void add_body(std::string& text, int depth) {
    text += fmt::format("<body name='body_{}' {} {}>", num_bodies_++, pose(),
                        random_.below(3) == 0 ? "childclass='heavy'" : "");
    if (depth == 0) {
      text += "<freejoint name='root'/>";
    } else {
      const int num_joints = random_.below(4);
      for (int i = 0; i < num_joints; ++i) add_joint(text, i == 0);
    }
    const Inertia inertia = random_inertia(static_cast<unsigned>(num_bodies_));
    const Eigen::Matrix3d& I = inertia.about_com;
    if (random_.below(3) > 0) {
      Eigen::Matrix<double, 6, 1> full;
      full << I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2);
      text += fmt::format("<inertial pos='{}' mass='{:.17g}' fullinertia='{}'/>", digits(inertia.com), inertia.mass,
                          digits(full));
    }
    text +=
        fmt::format("<geom type='box' size='0.1 0.2 0.05' {}/><geom type='sphere' size='0.1' pos='0 0.1 0'/>", pose());
    if (random_.below(2) == 0) text += "<geom type='capsule' fromto='0 0 0 0.1 0.2 0.3' size='0.05'/>";
    if (random_.below(2) == 0) text += "<geom type='cylinder' size='0.05 0.1' contype='0' conaffinity='0'/>";
    for (int i = depth > 4 ? 0 : random_.below(3) + (depth == 0); i > 0 && num_bodies_ < 20; --i)
      add_body(text, depth + 1);
    text += "</body>";
  }

  RandomNumbers random_;
  bool in_degrees_ = false;
  int num_bodies_ = 0;
  std::vector<std::string> joints_;
};

/// Largest differences between our model's terms and MuJoCo's, in our coordinates.
struct Differences {
  double mass_matrix = 0.0, bias = 0.0, poses = 0.0;
};

Differences compare(const RobotModel& robot, const mjModel& model, unsigned seed) {
  const RobotState state = random_state(robot, seed);
  const DataPtr data(mj_makeData(&model), &mj_deleteData);
  const int free = model.jnt_qposadr[0];
  for (int i = 0; i < 3; ++i) data->qpos[free + i] = state.q[i];
  const Eigen::Quaterniond quaternion(state.q[6], state.q[3], state.q[4], state.q[5]);
  const Eigen::Matrix3d R = quaternion.toRotationMatrix();
  data->qpos[free + 3] = quaternion.w();
  for (int i = 0; i < 3; ++i) data->qpos[free + 4 + i] = state.q[3 + i];
  Eigen::MatrixXd T = Eigen::MatrixXd::Zero(model.nv, robot.nv());  // our rates to MuJoCo's
  T.topLeftCorner<3, 3>() = R;  // MuJoCo's linear velocity is in world axes, ours in the base's
  T.block<3, 3>(3, 3).setIdentity();
  for (int i = 0; i < robot.num_joints(); ++i) {
    const int id = mj_name2id(&model, mjOBJ_JOINT, robot.joints()[static_cast<std::size_t>(i)].name.c_str());
    EXPECT_GE(id, 0) << robot.joints()[static_cast<std::size_t>(i)].name;
    data->qpos[model.jnt_qposadr[id]] = state.q[7 + i];
    T(model.jnt_dofadr[id], 6 + i) = 1.0;
  }
  Eigen::Map<Eigen::VectorXd>(data->qvel, model.nv) = T * state.v;
  mj_forward(&model, data.get());
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> M(model.nv, model.nv);
  mj_fullM(&model, data.get(), M.data());
  Eigen::VectorXd turning = Eigen::VectorXd::Zero(model.nv);  // Ṫ v
  turning.head<3>() = R * Eigen::Vector3d(state.v.segment<3>(3)).cross(Eigen::Vector3d(state.v.head<3>()));
  const Eigen::VectorXd h = T.transpose() * (Eigen::Map<Eigen::VectorXd>(data->qfrc_bias, model.nv) + M * turning);

  std::vector<FrameId> frames;
  std::vector<int> bodies;
  for (int body = 1; body < model.nbody; ++body) {
    frames.push_back(robot.frame(mj_id2name(&model, mjOBJ_BODY, body)));
    bodies.push_back(body);
  }
  RobotTerms terms(robot, frames);
  terms.update(state);
  Differences differences;
  const double scale = std::max(1.0, terms.mass_matrix().cwiseAbs().maxCoeff());
  differences.mass_matrix = (T.transpose() * M * T - terms.mass_matrix()).cwiseAbs().maxCoeff() / scale;
  differences.bias = (h - terms.bias()).cwiseAbs().maxCoeff() / std::max(1.0, h.cwiseAbs().maxCoeff());
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const Eigen::Map<Eigen::Vector3d> position(data->xpos + 3 * bodies[i]);
    const Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> rotation(data->xmat + 9 * bodies[i]);
    const Eigen::Isometry3d& pose = terms.frame(frames[i]).T_world_frame;
    differences.poses =
        std::max({differences.poses, (pose.translation() - position).norm(), (pose.linear() - rotation).norm()});
  }
  return differences;
}

ModelPtr load(const fs::path& file) {
  char error[500] = "";
  ModelPtr model(mj_loadXML(file.c_str(), nullptr, error, sizeof(error)), &mj_deleteModel);
  EXPECT_NE(model, nullptr) << error;
  return model;
}

TEST(Mjcf, RandomModelsHaveMujocosDynamics) {
  const TemporaryFolder folder;
  int num_joints = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const fs::path file = written(folder.path() / "random.xml", RandomMjcf(seed).text());
    const ModelPtr model = load(file);
    ASSERT_NE(model, nullptr);
    const RobotModel robot(read_mjcf(file), {});
    ASSERT_EQ(robot.nv(), model->nv);
    num_joints += robot.num_joints();
    const Differences differences = compare(robot, *model, seed);
    EXPECT_LT(differences.mass_matrix, 1e-9);
    EXPECT_LT(differences.bias, 1e-9);
    EXPECT_LT(differences.poses, 1e-9);
    for (int i = 0; i < robot.num_joints(); ++i) {  // MuJoCo's order
      EXPECT_EQ(robot.joints()[static_cast<std::size_t>(i)].name, mj_id2name(model.get(), mjOBJ_JOINT, i + 1));
    }
  }
  EXPECT_GT(num_joints, 300);
}

/// The G1 of mjlab's wheel, where `make check-all` has installed it into .venv.
fs::path g1_of_mjlab() {
  const fs::path python = fs::path(APLOMB_SOURCE_DIR) / ".venv" / "lib";
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(python, none)) {
    const fs::path file = entry.path() / "site-packages/mjlab/asset_zoo/robots/unitree_g1/xmls/g1.xml";
    if (fs::exists(file)) return file;
  }
  return {};
}

TEST(Mjcf, TheG1OfMjlabHasMujocosDynamics) {
  const fs::path file = g1_of_mjlab();
  if (file.empty()) GTEST_SKIP() << "mjlab is not in .venv: `scripts/setup check-all` installs it";
  const ModelPtr model = load(file);
  ASSERT_NE(model, nullptr);
  const RobotModel robot(read_mjcf(file), {});
  EXPECT_EQ(robot.num_joints(), 29);
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Differences differences = compare(robot, *model, seed);
    EXPECT_LT(differences.mass_matrix, 1e-9);
    EXPECT_LT(differences.bias, 1e-9);
    EXPECT_LT(differences.poses, 1e-9);
  }
}

/// A robot's URDF as MuJoCo saves it: with a free joint, without shapes (their meshes are in packages).
fs::path saved_by_mujoco(const RobotModel& robot, const fs::path& folder) {
  const std::regex shapes("<(visual|collision)[^>]*>[^]*?</(visual|collision)>");
  const std::string urdf = std::regex_replace(text_of(robot.urdf().file), shapes, "");
  char error[500] = "";
  const SpecPtr spec(mj_parseXMLString(urdf.c_str(), nullptr, error, sizeof(error)), &mj_deleteSpec);
  EXPECT_NE(spec, nullptr) << error;
  spec->compiler.fusestatic = 0;
  spec->compiler.boundmass = 0.0;
  const std::string root = robot.tree().bodies.front().link;
  mjsBody* body = mjs_findBody(spec.get(), root.c_str());
  EXPECT_NE(body, nullptr);
  mjs_setName(mjs_addFreeJoint(body)->element, "world/base");
  const ModelPtr model(mj_compile(spec.get(), nullptr), &mj_deleteModel);
  EXPECT_NE(model, nullptr) << mjs_getError(spec.get());
  const fs::path file = folder / (robot.name() + ".xml");
  EXPECT_EQ(mj_saveXML(spec.get(), file.c_str(), error, sizeof(error)), 0) << error;
  return file;
}

class SavedRobot : public testing::TestWithParam<std::string> {};

TEST_P(SavedRobot, HasTheDynamicsOfItsUrdf) {
  const TemporaryFolder folder;
  std::optional<RobotModel> robot;
  try {
    robot.emplace(RobotModel::load(GetParam()));
  } catch (const Error& error) {
    GTEST_SKIP() << error.what();
  }
  const fs::path file = saved_by_mujoco(*robot, folder.path());
  const ModelPtr model = load(file);
  ASSERT_NE(model, nullptr);
  const RobotModel read(read_mjcf(file), {});
  const Differences differences = compare(read, *model, 3);
  EXPECT_LT(differences.mass_matrix, 1e-9);
  EXPECT_LT(differences.bias, 1e-9);
  EXPECT_LT(differences.poses, 1e-9);
  EXPECT_NEAR(read.mass(), robot->mass(), 1e-5 * robot->mass());
  if (read.num_joints() != robot->num_joints()) return;  // MuJoCo's URDF reader frees mimic joints, which ours locks
  RobotDescription bare;  // MJCF says no armature here, and the YAML's is not in the URDF either
  const RobotModel urdf(robot->urdf(), bare);
  RobotState state = random_state(urdf, 5);
  RobotTerms ours(urdf, {}), theirs(read, {});
  ours.update(state);
  RobotState same = state;
  for (int i = 0; i < urdf.num_joints(); ++i) {
    const int at = read.joint(urdf.joints()[static_cast<std::size_t>(i)].name);
    same.q[7 + at] = state.q[7 + i];
    EXPECT_NEAR(read.joints()[static_cast<std::size_t>(at)].lower, urdf.joints()[static_cast<std::size_t>(i)].lower,
                1e-5);
  }
  theirs.update(same);
  EXPECT_LT((ours.com() - theirs.com()).norm(), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Ours, SavedRobot,
                         // MuJoCo's URDF reader refuses the massless links of sarcos and romeo, and icub's inertias.
                         testing::Values("balancer", "coman", "hoap3", "g1", "talos"),
                         [](const auto& name) { return name.param; });

constexpr const char* kLeg =
    "<body name='trunk'><freejoint/><geom type='box' size='0.1 0.1 0.2'/><body name='leg' pos='0 0 -0.3'><joint "
    "name='hip' axis='0 1 0' range='-60 60'/><geom type='capsule' size='0.05 0.2'/>{}</body></body>";

std::string robot_with(const std::string& in_leg, const std::string& sections = "") {
  return fmt::format("<mujoco><worldbody>{}</worldbody>{}</mujoco>", fmt::format(fmt::runtime(kLeg), in_leg), sections);
}

TEST(Mjcf, KeepsLimitsArmatureAndActuators) {
  const TemporaryFolder folder;
  const fs::path file = written(
      folder.path() / "leg.xml",
      robot_with("<body name='foot' pos='0 0 -0.3'><joint name='knee' axis='0 1 0' range='0 90' armature='0.02' "
                 "actuatorfrcrange='-30 30'/><geom type='box' size='0.1 0.05 0.02' pos='0.02 0 0'/></body>",
                 "<actuator><motor joint='hip' ctrlrange='-2 2' gear='25'/><position joint='knee' kp='100' "
                 "forcerange='-80 80'/></actuator>"));
  const RobotModel robot = RobotModel::load(file.string());
  ASSERT_EQ(robot.num_joints(), 2);
  const Joint& hip = robot.joints()[0];
  const Joint& knee = robot.joints()[1];
  EXPECT_NEAR(hip.lower, -60.0 * 3.14159265358979 / 180.0, 1e-12);
  EXPECT_EQ(hip.effort, 50.0);
  EXPECT_EQ(knee.effort, 30.0);
  EXPECT_EQ(knee.armature, 0.02);
  EXPECT_EQ(hip.armature, 0.0);
  const Shape& sole = robot.urdf().link("foot").collisions.at(0);
  EXPECT_EQ(sole.kind, Shape::Kind::box);
  EXPECT_LT((sole.size - Eigen::Vector3d(0.2, 0.1, 0.04)).norm(), 1e-12);
}

TEST(Mjcf, MergesIncludesAndFindsMeshesOfTheFolderOnly) {
  const TemporaryFolder folder;
  const fs::path inside = folder.path() / "robot";
  const std::string tetrahedron = "v 0 0 0\nv 0.1 0 0\nv 0 0.2 0\nv 0 0 0.3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
  written(inside / "meshes/part.obj", tetrahedron);
  written(folder.path() / "outside.obj", tetrahedron);
  written(inside / "parts/assets.xml",
          "<mujocoinclude><asset><mesh name='part' file='part.obj' scale='1 2 1'/></asset></mujocoinclude>");
  const auto robot = [&](const std::string& head) {
    return written(inside / "robot.xml",
                   fmt::format("<mujoco><compiler meshdir='meshes'/>{}<worldbody>{}</worldbody></mujoco>", head,
                               fmt::format(fmt::runtime(kLeg), "<geom type='mesh' mesh='part' pos='0 0 -0.1'/>")));
  };
  const Urdf urdf = read_mjcf(robot("<include file='parts/assets.xml'/>"));
  const Shape& mesh = urdf.link("leg").collisions.at(1);
  EXPECT_EQ(mesh.mesh_file, "meshes/part.obj");
  // The file's vertices are where they were, although the compiler has moved its own copy to the principal axes.
  EXPECT_LT((mesh.T_link_shape.translation() - Eigen::Vector3d(0, 0, -0.1)).norm(), 1e-6);
  EXPECT_LT((mesh.T_link_shape.linear() - Eigen::Matrix3d::Identity()).norm(), 1e-6);
  EXPECT_EQ(mesh.size, Eigen::Vector3d(1, 2, 1));

  const auto refusal = [&](const std::string& head) { return error_of([&] { read_mjcf(robot(head)); }); };
  EXPECT_TRUE(has(refusal("<asset><mesh name='part' file='../../outside.obj'/></asset>"), "inside the robot's folder"));
  EXPECT_TRUE(has(refusal("<asset><mesh name='part' file='/etc/passwd'/></asset>"), "inside the robot's folder"));
  EXPECT_TRUE(has(refusal("<asset><mesh name='part' file='none.obj'/></asset>"), "is not there"));
  fs::create_symlink(folder.path() / "outside.obj", inside / "meshes/link.obj");
  EXPECT_TRUE(has(refusal("<asset><mesh name='part' file='link.obj'/></asset>"), "leaves the robot's folder"));
  EXPECT_TRUE(has(refusal("<include file='../robot.xml'/>"), "inside the robot's folder"));
  EXPECT_TRUE(has(refusal("<include file='robot.xml'/>"), "is a loop"));
  written(inside / "a.xml", "<mujocoinclude><include file='b.xml'/></mujocoinclude>");
  written(inside / "b.xml", "<mujocoinclude><include file='a.xml'/></mujocoinclude>");
  EXPECT_TRUE(has(refusal("<include file='a.xml'/>"), "is a loop"));
}

TEST(Mjcf, NamesWhatIsBeyondTheModel) {
  const TemporaryFolder folder;
  const auto refusal = [&](const std::string& in_leg, const std::string& sections = "") {
    const fs::path file = written(folder.path() / "refused.xml", robot_with(in_leg, sections));
    return error_of([&] { RobotModel::load(file.string()); });
  };
  const std::string foot = "<body name='foot' pos='0 0 -0.3'><joint name='knee'/><geom size='0.1'/></body>";
  EXPECT_TRUE(has(refusal("<body><joint name='shoulder' type='ball'/><geom size='0.1'/></body>"), "'shoulder'"));
  EXPECT_TRUE(
      has(refusal(foot, "<tendon><fixed name='cable'><joint joint='knee' coef='1'/></fixed></tendon>"), "cable"));
  EXPECT_TRUE(has(
      refusal(foot, "<equality><connect name='loop' body1='foot' body2='trunk' anchor='0 0 0'/></equality>"), "loop"));
  EXPECT_TRUE(
      has(refusal("", "<worldbody><body name='ball'><freejoint/><geom size='0.1'/></body></worldbody>"), "'ball'"));
  EXPECT_TRUE(has(refusal("", "<worldbody><composite type='cable' count='9 1 1'/></worldbody>"), "<composite>"));
  EXPECT_TRUE(has(refusal("", "<extension><plugin plugin='mujoco.elasticity.cable'/></extension>"), "plugin"));
  EXPECT_TRUE(has(refusal("<body name='light' gravcomp='1'><joint/><geom size='0.1'/></body>"), "'light'"));
  EXPECT_TRUE(
      has(refusal("", "<worldbody><replicate count='1000000000'><body/></replicate></worldbody>"), "<replicate>"));
  EXPECT_TRUE(has(refusal("<body><joint nam='x'/></body>"), "nam"));         // MuJoCo's own error
  EXPECT_TRUE(has(refusal("<body name='empty'><joint/></body>"), "empty"));  // no mass
  EXPECT_TRUE(has(refusal("<body name='far' pos='nan 0 0'><joint/><geom size='1'/></body>"), "pos='nan 0 0'"));
  EXPECT_TRUE(has(refusal("<body name='nan'><joint/><geom size='0.1' mass='NaN'/></body>"), "mass='NaN'"));
}

TEST(Mjcf, AJointEqualityIsAMimicJoint) {
  const TemporaryFolder folder;
  const fs::path file =
      written(folder.path() / "mimic.xml",
              robot_with("<body name='foot' pos='0 0 -0.3'><joint name='knee'/><geom size='0.1'/></body>",
                         "<equality><joint joint1='knee' joint2='hip' polycoef='0.1 1 0 0 0'/></equality>"));
  const RobotModel robot = RobotModel::load(file.string());
  EXPECT_EQ(robot.num_joints(), 1);
}

TEST(Mjcf, IsWrittenAsAUrdfWithTheSameDynamics) {
  const TemporaryFolder folder;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    const fs::path file = written(folder.path() / "random.xml", RandomMjcf(seed).text());
    Urdf urdf = read_mjcf(file);
    const std::string changed = urdf.links.back().name;
    const Inertia inertia = random_inertia(seed + 100);
    write_urdf_with_inertias(file, {{changed, inertia}}, folder.path() / "written.urdf");
    urdf.links.back().inertia = inertia;
    const RobotModel robot(urdf, {}), back = RobotModel::load((folder.path() / "written.urdf").string());
    ASSERT_EQ(robot.nv(), back.nv());
    const RobotState state = random_state(robot, seed);
    RobotTerms ours(robot, {}), theirs(back, {});
    ours.update(state);
    theirs.update(state);
    const double scale = std::max(1.0, ours.mass_matrix().cwiseAbs().maxCoeff());
    EXPECT_LT((ours.mass_matrix() - theirs.mass_matrix()).cwiseAbs().maxCoeff() / scale, 1e-12);
    EXPECT_EQ(robot.urdf().link(changed).collisions.size(), back.urdf().link(changed).collisions.size());
  }
}

/// A model with some bytes lost, changed, repeated or replaced by words that mean something.
std::string damaged(const std::string& text, RandomNumbers& random) {
  constexpr std::array kWords = {"<include file='damaged.xml'/>",
                                 "<include file='../x.xml'/>",
                                 "<joint type='ball'/>",
                                 "<body>",
                                 "</body>",
                                 "<geom type='mesh' mesh='none'/>",
                                 "<default class='heavy'>",
                                 "<size memory='900G'/>",
                                 "<tendon><fixed><joint joint='joint_0' coef='1'/></fixed></tendon>",
                                 "<equality><joint joint1='joint_0' joint2='joint_1'/></equality>",
                                 "nan",
                                 "-1e308",
                                 "<frame euler='1 2 3'>",
                                 "<compiler meshdir='/'/>",
                                 "<!DOCTYPE a>",
                                 "<asset><hfield name='h' nrow='99999' ncol='99999' size='1 1 1 1'/></asset>"};
  std::string result = text;
  const int num = 1 + random.below(3);
  for (int i = 0; i < num && !result.empty(); ++i) {
    const auto at = static_cast<std::size_t>(random.below(static_cast<int>(result.size())));
    switch (random.below(5)) {
      case 0:
        result.resize(at);
        break;
      case 1:
        result[at] = static_cast<char>(random.below(256));
        break;
      case 2:
        result.erase(at, static_cast<std::size_t>(random.below(40)));
        break;
      case 3:
        result.insert(at, kWords[static_cast<std::size_t>(random.below(static_cast<int>(kWords.size())))]);
        break;
      default:
        result.insert(at, text.substr(static_cast<std::size_t>(random.below(static_cast<int>(text.size()))), 60));
    }
  }
  return result;
}

/// `few` in an ordinary run, `many` in `make check-all`.
int by_patience(int few, int many) { return std::getenv("APLOMB_LONG_TESTS") != nullptr ? many : few; }

/// Calls `read` with damaged models in a file; returns how many were refused. An Error is an answer.
template <typename Read>
int refused_of(int count, const Read& read) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "damaged.xml";
  RandomNumbers random(7);
  std::vector<std::string> texts;
  for (unsigned seed = 1; seed <= 20; ++seed) texts.push_back(RandomMjcf(seed).text());
  int num_refused = 0;
  for (int i = 0; i < count; ++i) {
    fs::remove(file);  // a file that is written over is flushed to the disk
    written(file, damaged(texts[static_cast<std::size_t>(i) % texts.size()], random));
    try {
      read(file);
    } catch (const Error& error) {
      EXPECT_FALSE(std::string(error.what()).empty());
      ++num_refused;
    }
  }
  return num_refused;
}

TEST(Mjcf, DamagedFilesAreRefusedOrRead) {
  const int count = by_patience(1000, 10'000);
  const int num_refused = refused_of(count, [](const fs::path& file) {
    const RobotModel robot(read_robot_file(file), {});
    EXPECT_TRUE(std::isfinite(robot.mass()));
  });
  EXPECT_GT(num_refused, count / 2);
  EXPECT_LT(num_refused, count - count / 50);
  EXPECT_FALSE(fs::exists("MUJOCO_LOG.TXT"));
}

TEST(Mjcf, ThePreCheckAnswersDamagedFiles) {
  const int count = by_patience(2000, 1'000'000);
  const int num_refused = refused_of(count, [](const fs::path& file) { check_mjcf(file); });
  EXPECT_GT(num_refused, count / 4);
  EXPECT_LT(num_refused, count - count / 50);
}

}  // namespace
}  // namespace aplomb::test
