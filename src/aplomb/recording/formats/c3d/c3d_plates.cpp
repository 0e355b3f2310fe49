#include "aplomb/recording/formats/c3d/c3d_plates.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "aplomb/core/error.hpp"
#include "aplomb/recording/plates/analog_plate.hpp"

namespace aplomb {
namespace {

constexpr const char* kGroup = "FORCE_PLATFORM";
constexpr std::size_t kMostPlates = 255;  ///< largest size of one dimension of a parameter

std::size_t num_channels_of(int type) { return type == 3 ? 8 : 6; }

/// Length [m] in a moment's unit: "Nmm", "ntmm", "N.mm" against "Nm", "N-m"; none when it is unclear.
std::optional<double> metres_in_moment(const std::string& unit) {
  std::string letters;
  std::ranges::copy_if(unit, std::back_inserter(letters),
                       [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
  if (letters.ends_with("mm") || letters.ends_with("MM")) return 0.001;
  if (letters.ends_with("cm")) return 0.01;
  if (letters.size() > 1 && letters.ends_with("m") && (letters[0] == 'N' || letters[0] == 'n')) return 1.0;
  return std::nullopt;
}

/// Reads one plate from the parameters; throws InvalidValue with the reason when it is refused.
class PlateReader {
 public:
  PlateReader(const C3dFile& file, const PlateOptions& options, std::size_t index)
      : file_(file), options_(options), index_(index) {}

  std::unique_ptr<ForcePlate> read() {
    setup_.threshold_n = options_.threshold_n;
    setup_.info.name = fmt::format("plate {}", index_ + 1);
    setup_.info.rate_hz = file_.analog.rate_hz;
    setup_.info.start_s = file_.points.start_s;
    read_type();
    read_channels();
    read_corners();
    read_origin();
    read_calibration();
    read_polynomial();
    set_scales();
    auto plate = std::make_unique<AnalogPlate>(file_.analog, std::move(setup_));
    if (const auto range = zero_range(); range && options_.subtract_baseline)
      plate->subtract_baseline(range->first, range->second);
    if (options_.correct_signs) plate->correct();
    return plate;
  }

 private:
  /// `count` numbers of a parameter, from `first` on.
  std::vector<double> take(const char* name, std::size_t first, std::size_t count) const {
    const C3dParameter* parameter = file_.parameters.find(kGroup, name);
    if (parameter == nullptr) throw InvalidValue(fmt::format("FORCE_PLATFORM:{} is missing", name));
    if (parameter->num_numbers() < first + count) {
      throw InvalidValue(
          fmt::format("FORCE_PLATFORM:{} has {} values, {} are needed", name, parameter->num_numbers(), first + count));
    }
    std::vector<double> values;
    for (std::size_t i = first; i < first + count; ++i) values.push_back(parameter->number(i));
    return values;
  }

  void read_type() {
    const double type = take("TYPE", index_, 1)[0];
    if (!(type >= 1.0 && type <= 4.0)) throw InvalidValue(fmt::format("it is of type {}, valid: 1, 2, 3, 4", type));
    setup_.info.type = static_cast<int>(type);
  }

  void read_channels() {
    const C3dParameter* parameter = file_.parameters.find(kGroup, "CHANNEL");
    const std::size_t needed = num_channels_of(setup_.info.type);
    // CHANNEL is n × USED; n may be eight although a plate has six channels.
    const std::size_t rows = parameter != nullptr && !parameter->sizes.empty() ? parameter->sizes[0] : needed;
    if (rows < needed)
      throw InvalidValue(fmt::format("FORCE_PLATFORM:CHANNEL names {} channels, {} are needed", rows, needed));
    for (const double channel : take("CHANNEL", index_ * rows, needed)) {
      if (!(channel >= 1.0 && channel <= static_cast<double>(file_.analog.num_channels()))) {
        throw InvalidValue(fmt::format("FORCE_PLATFORM:CHANNEL names channel {}, valid: 1 ... {}", channel,
                                       file_.analog.num_channels()));
      }
      setup_.channels.push_back(static_cast<std::size_t>(channel) - 1);
    }
  }

  void read_corners() {
    const std::vector<double> values = take("CORNERS", 12 * index_, 12);
    std::array<Eigen::Vector3d, 4> corners;
    for (std::size_t i = 0; i < 4; ++i) {
      const Eigen::Vector3d in_file(values[3 * i], values[3 * i + 1], values[3 * i + 2]);
      corners[i] = file_.points.metres_per_unit * (file_.points.R_lab_file * in_file);
    }
    // Corners lie in the quadrants (+x,+y), (-x,+y), (-x,-y), (+x,-y) of the plate's frame.
    const Eigen::Vector3d x = corners[0] - corners[1];
    const Eigen::Vector3d z = x.cross(corners[0] - corners[3]);
    if (!z.allFinite() || !(z.norm() > 1e-6)) throw InvalidValue("FORCE_PLATFORM:CORNERS span no area");
    setup_.R_lab_plate << x.normalized(), z.cross(x).normalized(), z.normalized();
    setup_.centre = 0.25 * (corners[0] + corners[1] + corners[2] + corners[3]);
    setup_.info.corners = corners;
    if (z.normalized().z() > 0.5) {
      setup_.info.notes.emplace_back(
          "its z axis points up: the corners are probably in another order than the format's "
          "(+x,+y) (-x,+y) (-x,-y) (+x,-y)");
    }
    const double longest = std::max(x.norm(), (corners[0] - corners[3]).norm());
    if (longest < 0.1 || longest > 5.0) {
      setup_.info.notes.push_back(fmt::format("its longer side is {:.3g} m: is the unit right?", longest));
    }
  }

  void read_origin() {
    if (setup_.info.type == 1) return;  // its channels contain the CoP
    const std::vector<double> values = take("ORIGIN", 3 * index_, 3);
    Eigen::Vector3d origin = file_.points.metres_per_unit * Eigen::Vector3d(values[0], values[1], values[2]);
    if (!origin.allFinite()) throw InvalidValue("FORCE_PLATFORM:ORIGIN is not finite");
    if (setup_.info.type == 3) {  // ORIGIN holds two spacings and a depth
      const Eigen::Vector3d as_stored = origin;
      origin = {std::abs(origin.x()), std::abs(origin.y()), -std::abs(origin.z())};
      if (origin != as_stored)
        setup_.info.notes.emplace_back("ORIGIN has other signs than (a, b, az0) = (+, +, -): corrected");
    } else if (origin.z() > 0.0) {
      origin = -origin;
      setup_.info.notes.emplace_back("ORIGIN's z is positive: the writer stored the opposite vector, it is turned");
    }
    setup_.origin = origin;
    setup_.info.origin = origin;
  }

  void read_calibration() {
    if (setup_.info.type != 4) return;
    const std::vector<double> values = take("CAL_MATRIX", 36 * index_, 36);
    for (int column = 0; column < 6; ++column) {
      for (int row = 0; row < 6; ++row)
        setup_.calibration(row, column) = values[static_cast<std::size_t>(6 * column + row)];
    }
    if (!setup_.calibration.allFinite()) throw InvalidValue("FORCE_PLATFORM:CAL_MATRIX is not finite");
  }

  /// Reads Kistler's correction of the CoP, when the file has one: 12 numbers per plate.
  void read_polynomial() {
    const C3dParameter* parameter = file_.parameters.find(kGroup, "FPCOPPOLY");
    if (setup_.info.type != 3 || parameter == nullptr || parameter->num_numbers() < 12 * (index_ + 1)) return;
    setup_.polynomial.emplace();
    for (std::size_t i = 0; i < 12; ++i) (*setup_.polynomial)[i] = parameter->number(12 * index_ + i);
  }

  void set_scales() {
    const int type = setup_.info.type;
    const double metres = file_.points.metres_per_unit;
    const std::string& moment_unit = file_.analog.units[setup_.channels[type == 1 ? 5 : 3]];
    // The channels of type 4 are in volts; its matrix yields moments in N times the points' unit of length.
    setup_.moment_scale = type == 4 ? metres : metres_in_moment(moment_unit).value_or(metres);
    setup_.position_scale = metres;
  }

  /// The samples of FORCE_PLATFORM:ZERO, [first, last).
  std::optional<std::pair<std::size_t, std::size_t>> zero_range() const {
    const auto from = file_.parameters.number(kGroup, "ZERO", 0);
    const auto to = file_.parameters.number(kGroup, "ZERO", 1);
    if (!from || !to || *to < 1.0 || *to < *from || *from < 0.0) return std::nullopt;  // (0, 0) and (1, 0) mean none
    const std::size_t per_frame = file_.analog.samples_per_frame;
    const std::size_t first = (static_cast<std::size_t>(std::max(*from, 1.0)) - 1) * per_frame;
    const std::size_t last = std::min(static_cast<std::size_t>(*to) * per_frame, file_.analog.num_samples());
    return first < last ? std::optional(std::pair(first, last)) : std::nullopt;
  }

  const C3dFile& file_;
  const PlateOptions& options_;
  std::size_t index_;
  AnalogPlate::Setup setup_;
};

}  // namespace

ForcePlates plates_of(const C3dFile& file, const PlateOptions& options) {
  ForcePlates found;
  std::size_t num_plates = file.parameters.count(kGroup, "USED").value_or(0);
  if (num_plates > kMostPlates) {
    found.refused.push_back(
        fmt::format("FORCE_PLATFORM:USED says {} plates, at most {} are read", num_plates, kMostPlates));
    num_plates = 0;
  }
  for (std::size_t i = 0; i < num_plates; ++i) {
    try {
      found.plates.push_back(PlateReader(file, options, i).read());
    } catch (const InvalidValue& error) {
      found.refused.push_back(fmt::format("plate {} is refused: {}", i + 1, error.what()));
    }
  }
  return found;
}

}  // namespace aplomb
