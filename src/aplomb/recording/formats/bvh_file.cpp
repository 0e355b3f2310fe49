#include "aplomb/recording/formats/bvh_file.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "aplomb/core/files/text_file.hpp"
#include "aplomb/recording/formats/line_reader.hpp"
#include "aplomb/recording/formats/number_text.hpp"

namespace aplomb {
namespace {

constexpr std::array<std::string_view, 6> kChannels = {"Xposition", "Yposition", "Zposition",
                                                       "Xrotation", "Yrotation", "Zrotation"};
constexpr std::size_t kMostJoints = 200'000;
constexpr std::size_t kMostChannels = 64;  ///< largest number of channels per joint; six are usual

class BvhReader {
 public:
  explicit BvhReader(const InputBytes& input) : input_(input), lines_(input) {}

  BvhFile read() {
    if (input_.size() == 0) throw FileError({input_.name()}, "is empty");
    if (!same_word(token(), "HIERARCHY")) {
      fail(fmt::format("not a BVH file: it begins with '{}', not with HIERARCHY", shortened(token_, 20)));
    }
    read_hierarchy();
    read_motion_header();
    read_values();
    return std::move(file_);
  }

 private:
  [[noreturn]] void fail(std::string_view what) const { lines_.fail(token_, what); }

  /// Reads the next word; braces are words of their own. Empty at the end of the file.
  std::string_view token() {
    while (true) {
      rest_ = trimmed(rest_);
      if (!rest_.empty()) break;
      if (!lines_.next(rest_)) return token_ = {};
    }
    const bool is_brace = rest_[0] == '{' || rest_[0] == '}';
    const std::size_t length = is_brace ? 1 : std::min(rest_.find_first_of(" \t\r{}"), rest_.size());
    token_ = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return token_;
  }

  /// Reads a name, which may contain spaces: all words up to the brace.
  std::string name() {
    std::string name;
    while (token() != "{") {
      if (token_.empty() || token_ == "}" || name.size() > 1000) fail("a name and '{' are expected here");
      if (!name.empty()) name += ' ';
      name += token_;
    }
    return clean_label(name);
  }

  double number(std::string_view what) {
    double value = 0.0;
    if (!parse_number(token(), value))
      fail(fmt::format("{} is '{}', a number is expected", what, shortened(token_, 20)));
    return value;
  }

  Eigen::Vector3d vector(std::string_view what) {
    const double x = number(what), y = number(what), z = number(what);
    return {x, y, z};
  }

  /// Braces open and close joints; the open ones are on an explicit stack, so that any nesting depth is safe.
  void read_hierarchy() {
    std::vector<int> open;
    while (true) {
      const std::string_view word = token();
      const bool is_root = same_word(word, "ROOT");
      if (is_root || same_word(word, "JOINT")) {
        if (is_root != open.empty()) fail(is_root ? "a ROOT inside of another joint" : "a JOINT outside of a ROOT");
        if (file_.joints.size() >= kMostJoints) fail(fmt::format("more than {} joints", kMostJoints));
        file_.joints.push_back(
            {.name = name(), .parent = is_root ? -1 : open.back(), .first_channel = file_.num_channels});
        open.push_back(static_cast<int>(file_.joints.size()) - 1);
      } else if (word == "}") {
        if (open.empty()) fail("'}' closes nothing");
        open.pop_back();
      } else if (same_word(word, "MOTION") && open.empty()) {
        break;
      } else {
        if (open.empty()) fail(fmt::format("'{}' where ROOT or MOTION is expected", shortened(word, 20)));
        read_member(word, file_.joints[static_cast<std::size_t>(open.back())]);
      }
    }
    if (file_.joints.empty()) fail("a skeleton without a ROOT");
  }

  void read_member(std::string_view word, BvhJoint& joint) {
    if (same_word(word, "OFFSET")) {
      joint.offset = vector("OFFSET");
    } else if (same_word(word, "CHANNELS")) {
      read_channels(joint);
    } else if (same_word(word, "End")) {
      name();  // "Site"
      if (!same_word(token(), "OFFSET")) fail("OFFSET is expected in an End Site");
      joint.end_site = vector("OFFSET");
      if (token() != "}") fail("'}' is expected after the OFFSET of an End Site");
    } else {
      fail(fmt::format("'{}' where OFFSET, CHANNELS, JOINT, End Site or a brace is expected", shortened(word, 20)));
    }
  }

  void read_channels(BvhJoint& joint) {
    const double count = number("CHANNELS");
    if (!(count >= 0.0 && count <= kMostChannels) || count != std::floor(count)) {
      fail(fmt::format("CHANNELS is {}, valid: 0 ... {}", count, kMostChannels));
    }
    if (!joint.channels.empty()) fail("a second CHANNELS of the same joint");
    if (joint.first_channel != file_.num_channels) fail("CHANNELS after the joint's children");
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      token();
      const auto* known = std::ranges::find_if(kChannels, [&](auto name) { return same_word(name, token_); });
      if (known == kChannels.end()) {
        fail(fmt::format("'{}' is not a channel; valid: {}", shortened(token_, 20), fmt::join(kChannels, " ")));
      }
      joint.channels.push_back(static_cast<BvhChannel>(known - kChannels.begin()));
    }
    file_.num_channels += joint.channels.size();
  }

  /// Reads the value of "Frames: N" or "Frame Time: s", with or without a space before the colon.
  double header_value(std::string_view key) {
    std::string found;
    while (found.find(':') == std::string::npos) {
      if (token().empty() || found.size() > 100) fail(fmt::format("'{}:' is expected", key));
      if (!found.empty() && token_[0] != ':') found += ' ';
      found += token_;
    }
    const std::size_t colon = found.find(':');
    if (!same_word(std::string_view(found).substr(0, colon), key)) {
      fail(fmt::format("'{}' where '{}:' is expected", shortened(found, 20), key));
    }
    double value = 0.0;
    if (colon + 1 == found.size()) return number(key);
    if (!parse_number(std::string_view(found).substr(colon + 1), value)) fail(fmt::format("{} is not a number", key));
    return value;
  }

  void read_motion_header() {
    announced_ = header_value("Frames");
    if (!(announced_ >= 0.0) || announced_ != std::floor(announced_))
      fail(fmt::format("Frames is {}, a count is expected", announced_));
    file_.frame_time_s = header_value("Frame Time");
    if (!(file_.frame_time_s > 0.0 && file_.frame_time_s < 1e6)) {
      fail(fmt::format("Frame Time is {} s, valid: above 0", file_.frame_time_s));
    }
  }

  void read_values() {
    // Bounds the reservation by the file's size: a number takes at least a digit and a space.
    const double expected = announced_ * static_cast<double>(file_.num_channels);
    file_.values.reserve(static_cast<std::size_t>(std::min(expected, 0.5 * static_cast<double>(input_.size()))));
    while (!token().empty()) {
      double value = 0.0;
      if (!parse_number(token_, value)) fail(fmt::format("'{}' is not a number", shortened(token_, 20)));
      if (file_.num_channels == 0 || static_cast<double>(file_.values.size()) >= expected) {
        fail(fmt::format("numbers go on after {} frames of {} channels", announced_, file_.num_channels));
      }
      file_.values.push_back(value);
    }
    if (file_.num_channels == 0) return;
    file_.num_frames = file_.values.size() / file_.num_channels;
    if (file_.values.size() % file_.num_channels != 0) {
      fail(fmt::format("the file ends inside of frame {}: {} of {} numbers", file_.num_frames + 1,
                       file_.values.size() % file_.num_channels, file_.num_channels));
    }
    if (static_cast<double>(file_.num_frames) != announced_) {
      file_.notes.push_back(
          fmt::format("Frames says {}, the file has {}: is it cut off?", announced_, file_.num_frames));
    }
  }

  const InputBytes& input_;
  LineReader lines_;
  std::string_view rest_;   ///< rest of the current line
  std::string_view token_;  ///< the current word, in the line
  double announced_ = 0.0;
  BvhFile file_;
};

struct Pose {
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
};

/// Pose of a joint in its parent's frame.
Pose local_pose(const BvhJoint& joint, const double* values) {
  Pose pose;
  pose.position = joint.offset;
  for (std::size_t i = 0; i < joint.channels.size(); ++i) {
    const auto channel = static_cast<int>(joint.channels[i]);
    const double value = values[joint.first_channel + i];
    if (channel < 3) {
      pose.position[channel] = joint.parent < 0 ? joint.offset[channel] + value : value;
    } else {
      const double angle = value * std::numbers::pi / 180.0;
      pose.rotation = pose.rotation * Eigen::AngleAxisd(angle, Eigen::Vector3d::Unit(channel - 3)).toRotationMatrix();
    }
  }
  return pose;
}

}  // namespace

BvhFile read_bvh(const InputBytes& input) { return BvhReader(input).read(); }

std::vector<Eigen::Vector3d> joint_positions(const BvhFile& file, std::size_t frame) {
  std::vector<Pose> poses;
  poses.reserve(file.joints.size());
  std::vector<Eigen::Vector3d> positions;
  positions.reserve(file.joints.size());
  for (const BvhJoint& joint : file.joints) {
    Pose pose = local_pose(joint, file.values.data() + frame * file.num_channels);
    if (joint.parent >= 0) {
      const Pose& parent = poses[static_cast<std::size_t>(joint.parent)];
      pose = {parent.rotation * pose.rotation, parent.position + parent.rotation * pose.position};
    }
    poses.push_back(pose);
    positions.push_back(pose.position);
  }
  return positions;
}

Points points_of(const BvhFile& file) {
  Points points;
  for (const BvhJoint& joint : file.joints) points.labels.push_back(joint.name);
  points.kinds.assign(points.labels.size(), PointKind::marker);
  points.num_frames = file.num_frames;
  points.rate_hz = 1.0 / file.frame_time_s;
  points.unit.clear();  // the format has none
  points.xyz.reserve(3 * points.num_points() * points.num_frames);
  for (std::size_t frame = 0; frame < points.num_frames; ++frame) {
    for (const Eigen::Vector3d& position : joint_positions(file, frame)) {
      const bool is_finite = position.cast<float>().allFinite();
      for (const double value : position) {
        points.xyz.push_back(is_finite ? static_cast<float>(value) : std::numeric_limits<float>::quiet_NaN());
      }
    }
  }
  return points;
}

}  // namespace aplomb
