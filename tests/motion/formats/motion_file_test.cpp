// Motions of others, in and out: every format's round trip, and planted faults on published motions, each of which must
// be named or refused where the file contradicts itself or the robot.
#include "aplomb/motion/formats/motion_file.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <optional>
#include <random>
#include <sstream>

#include "aplomb/core/error.hpp"
#include "aplomb/core/table/npz.hpp"
#include "aplomb/robot/robot_terms.hpp"
#include "recording/test_data.hpp"
#include "support/temporary_folder.hpp"
#include "support/thrown.hpp"

namespace aplomb::test {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

fs::path written(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
  return file;
}

std::string csv_text(const Eigen::MatrixXd& columns_by_frame) {
  std::string text;
  for (Eigen::Index frame = 0; frame < columns_by_frame.cols(); ++frame) {
    for (Eigen::Index i = 0; i < columns_by_frame.rows(); ++i) {
      text += fmt::format("{}{:.6f}", i > 0 ? "," : "", columns_by_frame(i, frame));
    }
    text += '\n';
  }
  return text;
}

/// The published motions of a G1, and the robot; each test is skipped where one of them is not there.
class PublishedMotions : public testing::Test {
 protected:
  void SetUp() override {
    const fs::path folder = data_folder() / "g1_motions";
    if (!fs::exists(folder)) GTEST_SKIP() << folder << " is not there: set APLOMB_TEST_DATA to the recordings";
    try {
      robot_.emplace(RobotModel::load("g1"));
    } catch (const Error& error) {
      GTEST_SKIP() << error.what();
    }
    for (const auto& entry : fs::directory_iterator(folder)) {
      (entry.path().extension() == ".csv" ? tables_ : archives_).push_back(entry.path());
    }
    std::ranges::sort(tables_);
    std::ranges::sort(archives_);
  }

  /// What the reader says of a planted file: the error, or its findings.
  std::string verdict(const fs::path& file) {
    try {
      std::string text;
      for (const std::string& finding : read_motion(file, *robot_).findings) text += finding + "\n";
      return text;
    } catch (const Error& error) {
      return error.what();
    }
  }

  /// As far as it is named: 0.1 rad, 5 % of the frames.
  bool is_within_limits(const Eigen::MatrixXd& q) const {
    for (int i = 0; i < robot_->num_joints(); ++i) {
      const Joint& joint = robot_->joints()[static_cast<std::size_t>(i)];
      const auto angles = q.row(7 + i).array();
      const auto num_out = (angles < joint.lower - 0.1 || angles > joint.upper + 0.1).count();
      if (static_cast<double>(num_out) >= 0.05 * static_cast<double>(q.cols())) return false;
    }
    return true;
  }

  std::optional<RobotModel> robot_;
  std::vector<fs::path> tables_, archives_;
  TemporaryFolder folder_;
};

TEST_F(PublishedMotions, AreReadAndNamedRight) {
  for (const fs::path& file : tables_) {
    SCOPED_TRACE(file.filename());
    const MotionFile read = read_motion(file, *robot_);
    EXPECT_EQ(read.format, MotionFormat::csv);
    EXPECT_EQ(read.motion.rate_hz, 60.0);
    EXPECT_EQ(read.motion.q.rows(), 36);
    EXPECT_TRUE(has(read.proved.empty() ? "" : read.proved.front(), "quaternion xyzw"));
    ASSERT_GE(read.assumed.size(), 2u);  // joint order, frames a second
    for (const std::string& finding : read.findings) ADD_FAILURE() << finding;
  }
  for (const fs::path& file : archives_) {
    SCOPED_TRACE(file.filename());
    const MotionFile read = read_motion(file, *robot_);
    EXPECT_EQ(read.format, MotionFormat::training);
    EXPECT_TRUE(read.assumed.empty());
    EXPECT_TRUE(read.findings.empty());
    // One frame fewer than the CSV, from its second frame on or up to its last but one.
    const MotionFile table = read_motion(fs::path(file).replace_extension(".csv"), *robot_);
    ASSERT_EQ(read.motion.num_frames() + 1, table.motion.num_frames());
    const Eigen::Index middle = read.motion.num_frames() / 2;
    EXPECT_LT((read.motion.q.col(middle) - table.motion.q.col(middle)).cwiseAbs().maxCoeff(), 0.02);
  }
}

TEST_F(PublishedMotions, PlantedFaultsOfTablesAreNamedOrRefused) {
  std::mt19937 random(7);
  int num_planted = 0, num_unprovable = 0;
  const auto expect = [&](const std::string& fault, const std::string& text, const std::string& named) {
    ++num_planted;
    const fs::path file = written(folder_.path() / "planted.csv", text);
    EXPECT_TRUE(has(verdict(file), named)) << fault;
  };
  for (const fs::path& original : tables_) {
    SCOPED_TRACE(original.filename());
    const Eigen::MatrixXd q = read_motion(original, *robot_).motion.q;
    Eigen::MatrixXd planted = q;
    planted.row(3) = q.row(6);
    planted.middleRows(4, 3) = q.middleRows(3, 3);
    expect("wxyz", csv_text(planted), "--quaternion wxyz");
    planted = q;
    planted.bottomRows(29) *= 180.0 / std::numbers::pi;
    expect("degrees", csv_text(planted), "degrees");
    planted = q;
    planted.topRows(3) *= 100.0;
    expect("centimetres", csv_text(planted), "centimetres");
    planted = q;
    const std::vector<int> order = breadth_first_joints(*robot_);
    for (std::size_t i = 0; i < order.size(); ++i) planted.row(7 + static_cast<Eigen::Index>(i)) = q.row(7 + order[i]);
    if (is_within_limits(planted)) {  // no file can prove it: an assumption is printed
      const MotionFile read = read_motion(written(folder_.path() / "order.csv", csv_text(planted)), *robot_);
      EXPECT_TRUE(has(fmt::format("{}", fmt::join(read.assumed, "\n")), "--joint-order"));
      ++num_unprovable;
    } else {
      expect("breadth first", csv_text(planted), "joint");
    }
    planted = q;
    planted.row(2).array() += 0.25;
    expect("floor", csv_text(planted), "the floor is not at z = 0");
    planted = q;
    planted.topRows(3) *= 1000.0;
    expect("millimetres", csv_text(planted), "millimetres");
    planted = q;
    planted.row(2).array() -= 0.2;
    expect("sunk floor", csv_text(planted), "the floor is not at z = 0");
    planted = q;
    planted.row(0).tail(q.cols() / 2).array() += 2.0;
    expect("jump of the base", csv_text(planted), "jumps between frames");
    planted = q;
    planted.block(3, 0, 4, q.cols()) *= 0.5;
    expect("quaternions of half the length", csv_text(planted), "length 0.500");
    planted = Eigen::MatrixXd(37, q.cols());
    planted << q, q.row(35);
    expect("a column too many", csv_text(planted), "37 columns");
    expect("a word", "x" + csv_text(q), "planted.csv");
    planted = q;
    planted(static_cast<Eigen::Index>(random() % 36), static_cast<Eigen::Index>(random() % 100)) = std::nan("");
    expect("NaN", csv_text(planted), "finite");
    planted = Eigen::MatrixXd(35, q.cols());
    const auto lost = static_cast<Eigen::Index>(random() % 36);
    planted << q.topRows(lost), q.bottomRows(35 - lost);
    expect("a column missing", csv_text(planted), "35 columns");
    const std::string text = csv_text(q);
    const std::size_t last_line = text.rfind('\n', text.size() - 2) + 1;
    expect("truncated in a row", text.substr(0, last_line + 40), fmt::format("planted.csv:{}: ", q.cols()));
    expect("truncated in the last number", text.substr(0, text.size() - 4), "not written to its end");
  }
  EXPECT_EQ(num_planted + num_unprovable, 15 * static_cast<int>(tables_.size()));
  EXPECT_LE(num_unprovable, 2);
}

TEST_F(PublishedMotions, PlantedFaultsOfArchivesAreNamedOrRefused) {
  const auto plant = [&](const fs::path& original, const std::function<void(std::vector<NpzArray>&)>& change) {
    std::vector<NpzArray> arrays = parse_npz_arrays(text_of(original), original);
    change(arrays);
    const fs::path file = folder_.path() / "planted.npz";
    write_npz_arrays(arrays, file);
    return file;
  };
  const auto array = [](std::vector<NpzArray>& arrays, std::string_view name) -> NpzArray& {
    return *std::ranges::find(arrays, name, &NpzArray::name);
  };
  /// Moves blocks of `each` values within every frame.
  const auto reorder = [](NpzArray& changed, const std::vector<int>& order, std::size_t each) {
    const std::vector<double> from = changed.values;
    const std::size_t width = order.size() * each;
    for (std::size_t frame = 0; frame < changed.shape[0]; ++frame) {
      for (std::size_t i = 0; i < order.size(); ++i) {
        for (std::size_t k = 0; k < each; ++k) {
          changed.values[frame * width + i * each + k] =
              from[frame * width + static_cast<std::size_t>(order[i]) * each + k];
        }
      }
    }
  };
  const std::vector<int> joints = breadth_first_joints(*robot_);
  std::vector<int> bodies{0}, swapped_joints, swapped_bodies;
  for (const int joint : joints) bodies.push_back(joint + 1);
  for (int i = 0; i < 29; ++i) swapped_joints.push_back(i);
  for (int i = 0; i < 30; ++i) swapped_bodies.push_back(i);
  std::swap(swapped_joints[3], swapped_joints[20]);
  std::swap(swapped_bodies[5], swapped_bodies[25]);
  // The published archives, and five seconds of every table as an archive of ours.
  std::vector<fs::path> originals = archives_;
  for (const fs::path& table : tables_) {
    RobotMotion motion = read_motion(table, *robot_).motion;
    motion.q = motion.q.leftCols(std::min<Eigen::Index>(300, motion.num_frames())).eval();
    originals.push_back(folder_.path() / table.filename().replace_extension(".npz"));
    write_motion(motion, *robot_, MotionFormat::training, originals.back());
  }
  for (const fs::path& original : originals) {
    SCOPED_TRACE(original.filename());
    EXPECT_EQ(verdict(original), "");
    const auto expect = [&](const std::string& fault, const std::string& named,
                            const std::function<void(std::vector<NpzArray>&)>& change) {
      EXPECT_TRUE(has(verdict(plant(original, change)), named)) << fault;
    };
    expect("xyzw", "quaternions are xyzw", [&](auto& arrays) {
      std::vector<double>& values = array(arrays, "body_quat_w").values;
      for (std::size_t i = 0; i < values.size(); i += 4) std::rotate(&values[i], &values[i + 1], &values[i] + 4);
    });
    expect("degrees", "degrees", [&](auto& arrays) {
      for (double& value : array(arrays, "joint_pos").values) value *= 180.0 / std::numbers::pi;
    });
    expect("centimetres", "centimetres", [&](auto& arrays) {
      for (double& value : array(arrays, "body_pos_w").values) value *= 100.0;
    });
    expect("body order", "bodies are breadth-first", [&](auto& arrays) {
      reorder(array(arrays, "body_pos_w"), bodies, 3);
      reorder(array(arrays, "body_quat_w"), bodies, 4);
    });
    expect("joint order", "joints breadth-first", [&](auto& arrays) {
      reorder(array(arrays, "joint_pos"), joints, 1);
      reorder(array(arrays, "joint_vel"), joints, 1);
    });
    expect("two joints swapped", "contradicts itself", [&](auto& arrays) {
      reorder(array(arrays, "joint_pos"), swapped_joints, 1);
      reorder(array(arrays, "joint_vel"), swapped_joints, 1);
    });
    expect("two bodies swapped", "contradicts itself", [&](auto& arrays) {
      reorder(array(arrays, "body_pos_w"), swapped_bodies, 3);
      reorder(array(arrays, "body_quat_w"), swapped_bodies, 4);
    });
    expect("floor", "the floor is not at z = 0", [&](auto& arrays) {
      std::vector<double>& values = array(arrays, "body_pos_w").values;
      for (std::size_t i = 2; i < values.size(); i += 3) values[i] -= 0.3;
    });
    expect("frame rate", "joint_vel", [&](auto& arrays) { array(arrays, "fps").values[0] = 30.0; });
    expect("NaN", "finite", [&](auto& arrays) { array(arrays, "joint_pos").values[77] = std::nan(""); });
    expect("an array missing", "no array 'body_quat_w'",
           [&](auto& arrays) { std::erase_if(arrays, [](const NpzArray& one) { return one.name == "body_quat_w"; }); });
    expect("a joint missing", "28 joints", [&](auto& arrays) {
      NpzArray& changed = array(arrays, "joint_pos");
      NpzArray shorter{.name = changed.name, .shape = {changed.shape[0], 28}};
      for (std::size_t i = 0; i < changed.values.size(); ++i) {
        if (i % 29 != 28) shorter.values.push_back(changed.values[i]);
      }
      changed = shorter;
    });
    const std::string bytes = text_of(original);
    EXPECT_TRUE(
        has(verdict(written(folder_.path() / "cut.npz", bytes.substr(0, bytes.size() / 2))), "not written to its end"));
  }
}

TEST_F(PublishedMotions, OptionsDecideWhatTheFileCannot) {
  const Eigen::MatrixXd q = read_motion(tables_.front(), *robot_).motion.q;
  Eigen::MatrixXd planted = q;
  planted.row(3) = q.row(6);
  planted.middleRows(4, 3) = q.middleRows(3, 3);
  const fs::path file = written(folder_.path() / "wxyz.csv", csv_text(planted));
  const MotionFile read = read_motion(file, *robot_, {.quaternion = QuaternionOrder::wxyz, .fps = 30.0});
  EXPECT_LT((read.motion.q - q).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_EQ(read.motion.rate_hz, 30.0);
  EXPECT_TRUE(has(error_of([&] { read_motion(file, *robot_, {.joint_order = "alphabetic"}); }), "breadth-first"));
}

TEST_F(PublishedMotions, GoThroughEveryFormatAndBack) {
  const RobotMotion motion = read_motion(tables_.front(), *robot_).motion;
  for (const std::string& name : motion_format_names()) {
    SCOPED_TRACE(name);
    const MotionFormat format = motion_format(name);
    const bool is_table = format == MotionFormat::csv || format == MotionFormat::csv_named;
    const bool is_pickle = format == MotionFormat::gmr;
    const fs::path file = folder_.path() / (is_table ? "motion.csv" : is_pickle ? "motion.pkl" : "motion.npz");
    write_motion(motion, *robot_, format, file);
    const MotionFile back = read_motion(file, *robot_);
    EXPECT_EQ(back.format, format);
    EXPECT_TRUE(back.findings.empty());
    EXPECT_NEAR(back.motion.rate_hz, 60.0, 1e-3);
    ASSERT_EQ(back.motion.q.cols(), motion.q.cols());
    const bool holds_all_bits =
        is_table || format == MotionFormat::named || format == MotionFormat::pyroki || is_pickle;
    if (holds_all_bits) {
      EXPECT_EQ(back.motion.q, motion.q);
    } else {  // float32, quaternions of unit length and of either sign
      EXPECT_LT((back.motion.q.bottomRows(29) - motion.q.bottomRows(29)).cwiseAbs().maxCoeff(), 2e-7);
      // What was float32 before stays so to the last bit.
      write_motion(back.motion, *robot_, format, folder_.path() / "again.npz");
      const MotionFile again = read_motion(folder_.path() / "again.npz", *robot_);
      EXPECT_EQ(again.motion.q.bottomRows(29), back.motion.q.bottomRows(29));
      EXPECT_EQ(again.motion.q.topRows(3), back.motion.q.topRows(3));
    }
  }
}

TEST_F(PublishedMotions, BodiesAreThoseOfTheDynamics) {
  const RobotMotion motion = read_motion(archives_.front(), *robot_).motion;
  const BodyTracks bodies = body_tracks(*robot_, motion);
  const Eigen::MatrixXd q = unit_quaternions(motion.q), v = velocities(motion);
  std::vector<FrameId> frames;
  for (const RigidBody& body : robot_->tree().bodies) frames.push_back(robot_->frame(body.link));
  RobotTerms terms(*robot_, frames);
  for (const Eigen::Index i : {Eigen::Index{0}, motion.num_frames() / 2, motion.num_frames() - 1}) {
    terms.update({.q = q.col(i), .v = v.col(i)});
    for (std::size_t body = 0; body < frames.size(); ++body) {
      const FrameTerms& frame = terms.frame(frames[body]);
      const auto at = static_cast<Eigen::Index>(body);
      EXPECT_LT((bodies.position.col(i).segment<3>(3 * at) - frame.T_world_frame.translation()).norm(), 1e-9);
      EXPECT_LT((bodies.linear_velocity.col(i).segment<3>(3 * at) - frame.velocity.head<3>()).norm(), 1e-9);
      EXPECT_LT((bodies.angular_velocity.col(i).segment<3>(3 * at) - frame.velocity.tail<3>()).norm(), 1e-9);
    }
  }
}

TEST_F(PublishedMotions, ResamplingKeepsTheMotion) {
  const RobotMotion motion = read_motion(tables_.front(), *robot_).motion;
  const RobotMotion fine = resampled(motion, 120.0);
  EXPECT_EQ(fine.num_frames(), 2 * motion.num_frames() - 1);
  EXPECT_NEAR(fine.duration_s(), motion.duration_s(), 1e-12);
  EXPECT_LT((fine.q.col(10) - unit_quaternions(motion.q).col(5)).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_EQ(resampled(motion, 60.0).q, motion.q);
}

TEST_F(PublishedMotions, DamagedPicklesAreRefusedOrRead) {
  const fs::path file = folder_.path() / "motion.pkl";
  RobotMotion motion = read_motion(tables_.front(), *robot_).motion;
  motion.q.conservativeResize(Eigen::NoChange, 5);
  write_motion(motion, *robot_, MotionFormat::gmr, file);
  const std::string original = text_of(file);
  std::mt19937 random(3);
  int num_refused = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string damaged = original;
    if (i % 2 == 0) damaged.resize(random() % original.size());
    // Mostly the first instructions: the rest are numbers.
    for (int k = 0; k < 3 && !damaged.empty(); ++k)
      damaged[random() % std::min<std::size_t>(damaged.size(), 400)] = static_cast<char>(random());
    try {
      read_motion(written(file, damaged), *robot_);
    } catch (const Error&) {
      ++num_refused;
    }
  }
  EXPECT_GT(num_refused, 1500);
}

TEST(MotionFile, NoCodeOfAPickleIsRun) {
  const TemporaryFolder folder;
  const fs::path touched = folder.path() / "touched";
  const fs::path file = written(folder.path() / "motion.pkl", "cos\nsystem\n(S'touch " + touched.string() + "'\ntR.");
  const RobotModel robot = RobotModel::load("coman");
  EXPECT_TRUE(has(error_of([&] { read_motion(file, robot); }), "os.system"));
  EXPECT_FALSE(fs::exists(touched));
}

}  // namespace
}  // namespace aplomb::test
