#include "aplomb/human/plate_judgement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "aplomb/human/fit/segment_motion.hpp"
#include "aplomb/human/phases/find_contacts.hpp"
#include "aplomb/human/phases/hand_contacts.hpp"
#include "aplomb/human/phases/rises.hpp"
#include "aplomb/human/plates/ground_forces.hpp"
#include "aplomb/human/plates/joint_moments.hpp"
#include "aplomb/human/plates/plate_agreement.hpp"
#include "aplomb/human/plates/plate_mass.hpp"
#include "aplomb/human/plates/reaction_forces.hpp"
#include "aplomb/human/subject/mass_adjustment.hpp"
#include "aplomb/human/subject/mass_parameters.hpp"
#include "aplomb/human/subject/motion_uncertainty.hpp"

namespace aplomb {
namespace {

constexpr double kLargestLag = 0.045;  ///< [s] largest plausible delay of an amplifier; more indicates another clock

/// Reads the plates at a given lag, and derives body mass and windows from them.
class Judge {
 public:
  Judge(const SegmentMotion& segments, const std::vector<std::unique_ptr<ForcePlate>>& plates,
        const PlateJudgementOptions& options, PlateJudgement& result)
      : segments_(segments), plates_(plates), options_(options), result_(result) {}

  void read(double lag_s) {
    result_.forces = ground_forces(
        plates_, segments_, {.cutoff_hz = options_.cutoff_hz, .lag_s = lag_s, .T_motion_lab = options_.T_motion_lab});
    result_.windows.clear();
    result_.mass = mass_from_plates(result_.body, result_.forces);
    if (!result_.mass || is_foreign()) return;
    result_.skeleton = with_mass(std::move(result_.skeleton), result_.mass->mass);
    result_.body = centroidal_motion(segments_, result_.skeleton, options_.cutoff_hz, kSkinCutoff);
    result_.windows = complete_windows(result_.body, result_.forces, result_.mass->mass);
  }

  /// Whether the plates' mass is not the body's, because something else carried part of the weight all the time.
  bool is_foreign() const { return mass_disagreement().value_or(0.0) >= kMassLimit; }

  std::optional<double> mass_disagreement() const {
    if (!options_.stated_mass || !result_.mass) return std::nullopt;
    return std::abs(result_.mass->mass / *options_.stated_mass - 1.0);
  }

  /// Verdict on the plates themselves, before the CoP is compared; none when they can be compared.
  std::optional<Verdict> refused() {
    result_.has_plates = !plates_.empty();
    if (!result_.has_plates) return Verdict{false, "there are no force plates: nothing confirms the centre of mass"};
    result_.mass_disagreement = mass_disagreement();
    const std::vector<char>& is_seen = result_.forces.is_seen;
    if (!is_seen.empty()) {
      result_.coverage = static_cast<double>(std::ranges::count(is_seen, 1)) / static_cast<double>(is_seen.size());
    }
    const bool contradicts_mass = result_.mass && is_foreign();
    result_.plates_carry_body = contradicts_mass || !result_.windows.empty();
    if (contradicts_mass) {
      return Verdict{false, fmt::format("the plates contradict the stated mass: they carry {:.1f} kg, {:.1f} kg was "
                                        "stated; something else carries all the time, or one of the two is wrong",
                                        result_.mass->mass, *options_.stated_mass)};
    }
    if (result_.plates_carry_body) return std::nullopt;
    return Verdict{false, fmt::format("the plates never carry the whole body for half a second: are these the forces "
                                      "of this trial?{}",
                                      times())};
  }

  /// The plates' times where they do not cover the trial, for a verdict.
  std::string times() const {
    if (result_.coverage > kCoverageLimit) return {};
    const PlateInfo& plate = plates_.front()->info();
    const double end_s =
        plate.start_s + static_cast<double>(plates_.front()->num_samples()) / std::max(plate.rate_hz, 1e-9);
    return fmt::format(" They were recorded from {:.2f} to {:.2f} s, the markers from {:.2f} to {:.2f} s",
                       plate.start_s, end_s, segments_.start_s(), segments_.time_s(segments_.num_frames() - 1));
  }

  void find_lag() {
    if (options_.lag_s || result_.windows.empty()) return;
    const double lag = plate_lag(result_.body, result_.forces, result_.windows);
    if (std::abs(lag) > kLargestLag) {
      result_.warnings.push_back(
          fmt::format("plates and markers seem to be {:.0f} ms or more apart: their clocks may differ", 1e3 * lag));
    } else if (lag != 0.0) {
      read(lag);
    }
  }

  void warn() {
    result_.warnings.insert(result_.warnings.end(), result_.forces.notes.begin(), result_.forces.notes.end());
    if (result_.forces.plates.empty()) return;
    if (result_.mass && options_.stated_mass && !is_foreign()) {
      const std::string text = mass_warning(*result_.mass, *options_.stated_mass);
      if (!text.empty()) result_.warnings.push_back(text);
    }
  }

 private:
  const SegmentMotion& segments_;
  const std::vector<std::unique_ptr<ForcePlate>>& plates_;
  const PlateJudgementOptions& options_;
  PlateJudgement& result_;
};

MassAdjustmentOptions adjustment_options(const PlateJudgementOptions& options) {
  MassAdjustmentOptions settings{.cutoff_hz = options.cutoff_hz};
  settings.is_frozen = !options.adjusts_masses;
  settings.lost_markers = options.lost_markers;
  settings.marker_variance = options.marker_variance;
  return settings;
}

/// Last time before `off_s` at which the hips are at their seated height.
double hips_leave_s(const SegmentMotion& segments, double off_s) {
  constexpr double kSeated = 1.0, kRisen = 0.005;  // [s] searched before seat-off; fraction of the leg's length
  const double rate = segments.rate_hz();
  const auto off =
      std::clamp<Eigen::Index>(std::lround((off_s - segments.start_s()) * rate), 0, segments.num_frames() - 1);
  const Eigen::Index from = std::max<Eigen::Index>(0, off - static_cast<Eigen::Index>(kSeated * rate));
  double seated = segments.mid_hip(off).z();
  for (Eigen::Index i = from; i < off; ++i) seated = std::min(seated, segments.mid_hip(i).z());
  Eigen::Index last = off;
  while (last > from && segments.mid_hip(last).z() > seated + kRisen * segments.leg_length()) --last;
  return segments.time_s(last);
}

/// Detects hands on arm rests, by their plates or from the motion. With hands, seat-off is set to when the hips start
/// to rise, unless a plate of the seat or of the arm rests measures it: foot plates alone cannot tell the load on the
/// hands from that on the seat, and the rule for the motion alone assumes that the trunk swings forward.
void find_hands(const SegmentMotion& segments, PlateJudgement& result) {
  for (Rise& rise : result.rises.rises) {
    if (!rise.seat_off_s) continue;
    const bool has_rests = result.forces.has(PlateLoad::left_hand) || result.forces.has(PlateLoad::right_hand);
    const bool is_told = result.rises.evidence == SeatEvidence::seat_plate || has_rests;
    const double seat_off_s = is_told ? *rise.seat_off_s : hips_leave_s(segments, *rise.seat_off_s);
    rise.hands = find_hand_contacts(result.skeleton, segments, result.body, result.forces, seat_off_s);
    if (rise.hands.any()) rise.seat_off_s = seat_off_s;
  }
}

/// Events found from the plates are reported in the plates' own time, as in the recording.
void tell_in_plates_clock(double lag_s, Rises& rises) {
  for (Rise& rise : rises.rises) {
    if (rise.seat_off_s) *rise.seat_off_s += lag_s;
    if (rise.seat_on_s) *rise.seat_on_s += lag_s;
  }
}

MassParameters::Covariance prior_covariance() { return MassAdjustmentOptions{}.prior.cwiseAbs2().asDiagonal(); }

/// The judgement of one motion, in steps, so that several can share the adjustment.
class Trial {
 public:
  Trial(const Skeleton& skeleton, const PlatedMotion& plated)
      : plated_(plated), options_(plated.options), segments_(skeleton, plated.motion) {
    result_.skeleton = options_.stated_mass ? with_mass(skeleton, *options_.stated_mass) : skeleton;
    result_.body = centroidal_motion(segments_, result_.skeleton, options_.cutoff_hz, kSkinCutoff);
    split_reactions();
    Judge judge(segments_, plated.plates, options_, result_);
    judge.read(options_.lag_s.value_or(0.0));
    judge.find_lag();
    judge.warn();
    if (const std::optional<Verdict> refused = judge.refused()) {
      result_.verdict = *refused;
      is_refused_ = true;
    } else {
      times_ = judge.times();
    }
    mean_body_ = result_.skeleton;
  }

  bool is_refused() const { return is_refused_; }
  PlateTrial plate_trial() const {
    return {segments_, mean_body_, result_.forces, result_.windows, adjustment_options(options_)};
  }

  void set(MassAdjustment adjustment) {
    result_.adjustment = std::move(adjustment);
    const MassAdjustment& found = *result_.adjustment;
    result_.skeleton = found.skeleton;
    result_.body = centroidal_motion(segments_, result_.skeleton, options_.cutoff_hz, found.skin_cutoff_hz);
    result_.uncertainty = found.uncertainty;
    result_.verdict = found.verdict;
    if (result_.coverage > kCoverageLimit) return;
    result_.verdict = {false,
                       "the plates do not cover the trial: are these its forces?" + times_ + "; " + found.verdict.text};
  }

  /// Without plates of its own: with the masses that `parameters` give, or those of the mean body.
  void set_masses(const MassParameters::Vector& parameters, const MassParameters::Covariance& covariance) {
    result_.skeleton = with_mass_parameters(mean_body_, MassParameters::from(parameters));
    result_.body = centroidal_motion(segments_, result_.skeleton, options_.cutoff_hz, kSkinCutoff);
    const double height = result_.forces.plates.empty() ? segments_.floor_height() : result_.forces.plane_height;
    result_.uncertainty = motion_uncertainty(segments_, result_.body, {mean_body_, parameters, covariance}, height,
                                             options_.marker_variance);
  }

  /// Finds rises and joint moments, with the final masses.
  PlateJudgement conclude() {
    // The rule for events in the motion is that of the CoM speed below the requested cut-off.
    result_.motion_rises =
        rises_of_motion(segments_, centroidal_motion(segments_, result_.skeleton, options_.cutoff_hz));
    result_.rises = result_.windows.empty()
                        ? result_.motion_rises
                        : rises_of_plates(segments_, result_.body, result_.forces, result_.mass->mass);
    find_hands(segments_, result_);
    if (!result_.windows.empty()) tell_in_plates_clock(result_.forces.lag_s, result_.rises);
    const FootContacts feet = foot_contacts_of_plates(segments_, result_.forces, result_.windows);
    result_.contacts = find_contacts(segments_, result_.body, feet, result_.rises.rises);
    if (!result_.windows.empty()) {
      result_.reaction_agreement = reaction_agreement(result_.reactions, motion_alone_, result_.forces,
                                                      result_.mass->mass, rises_alone_, result_.windows);
    }
    result_.moments = result_.has_plates
                          ? joint_moments(result_.skeleton, plated_.motion, segments_, result_.forces, result_.windows)
                          : joint_moments(result_.skeleton, plated_.motion, result_.reactions, options_.cutoff_hz);
    if (!result_.moments.note.empty()) result_.warnings.push_back(result_.moments.note);
    return std::move(result_);
  }

 private:
  /// Forces of feet and seat before any plate is read.
  void split_reactions() {
    motion_alone_ = result_.body;
    rises_alone_ = rises_of_motion(segments_, centroidal_motion(segments_, result_.skeleton, options_.cutoff_hz));
    const MotionUncertainty uncertainty = motion_uncertainty(
        segments_, motion_alone_, {result_.skeleton, MassParameters::Vector::Zero(), prior_covariance()},
        segments_.floor_height(), options_.marker_variance);
    result_.reactions =
        reaction_forces(segments_, motion_alone_, rises_alone_, foot_contacts_of_motion(segments_), uncertainty);
  }

  const PlatedMotion& plated_;
  const PlateJudgementOptions& options_;
  SegmentMotion segments_;
  PlateJudgement result_;
  CentroidalMotion motion_alone_;  ///< with the given masses
  Rises rises_alone_;
  Skeleton mean_body_;
  std::string times_;
  bool is_refused_ = false;
};

}  // namespace

PlateJudgement judge_by_plates(const Skeleton& skeleton, const HumanMotion& motion,
                               const std::vector<std::unique_ptr<ForcePlate>>& plates,
                               const PlateJudgementOptions& options) {
  const PlatedMotion plated{motion, plates, options};
  Trial trial(skeleton, plated);
  if (trial.is_refused()) {
    trial.set_masses(MassParameters::Vector::Zero(), prior_covariance());
  } else {
    trial.set(adjust_masses(trial.plate_trial()));
  }
  return trial.conclude();
}

std::vector<PlateJudgement> judge_together(const Skeleton& skeleton, const std::vector<PlatedMotion>& motions) {
  std::vector<std::unique_ptr<Trial>> trials;
  std::vector<PlateTrial> plated;
  std::vector<Trial*> judged;
  for (const PlatedMotion& motion : motions) {
    trials.push_back(std::make_unique<Trial>(skeleton, motion));
    if (trials.back()->is_refused()) continue;
    plated.push_back(trials.back()->plate_trial());
    judged.push_back(trials.back().get());
  }
  MassParameters::Vector parameters = MassParameters::Vector::Zero();
  MassParameters::Covariance covariance = prior_covariance();
  std::vector<MassAdjustment> adjustments;
  if (plated.size() == 1) adjustments.push_back(adjust_masses(plated.front()));
  if (plated.size() > 1) adjustments = adjust_masses_together(plated);
  if (!adjustments.empty()) {
    parameters = adjustments.front().parameters.vector();
    covariance = adjustments.front().covariance;
  }
  for (std::size_t i = 0; i < judged.size(); ++i) judged[i]->set(std::move(adjustments[i]));
  std::vector<PlateJudgement> results;
  for (const std::unique_ptr<Trial>& trial : trials) {
    if (trial->is_refused()) trial->set_masses(parameters, covariance);
    results.push_back(trial->conclude());
  }
  return results;
}

}  // namespace aplomb
