#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "aplomb/core/table/log.hpp"
#include "aplomb/human/analyse.hpp"
#include "aplomb/identify/identification.hpp"
#include "aplomb/motion/trajectory.hpp"
#include "aplomb/recording/c3d_file.hpp"
#include "aplomb/retarget/retarget.hpp"
#include "aplomb/robot/robot_model.hpp"
#include "aplomb/run/start.hpp"

namespace aplomb {

class PlanCache;           // pipeline/plan_cache.hpp
struct PostureExperiment;  // pipeline/measure_postures.hpp

/// How a robot's rise from a chair, or its way back, is planned; the key `plan`, or `reference.trajectory`, of a
/// scenario.
struct PlanRequest {
  enum class Parameters { identified, cad, actual };

  bool is_asked = false;          ///< the scenario has a plan at all
  std::string style = "natural";  ///< of the built-in demonstrator
  std::string demonstration;      ///< a recording, or a folder of `aplomb human`; empty: the demonstrator
  std::string trajectory;         ///< a folder of `aplomb retarget`; empty: planned here
  Parameters parameters = Parameters::identified;  ///< masses that plan and controller believe in
  std::string contacts;            ///< contacts.yaml of the demonstration, given by hand; empty: those found in it
  ClipKind clip = ClipKind::rise;  ///< part of the demonstration that is planned
  int rise = 1;                    ///< which rise, or sit-down, of the demonstration, from 1
  RetargetMode mode = RetargetMode::priced;  ///< how the motion is planned
  bool force = false;                        ///< plan even where recording and model of the person disagree
  double speed = 1.0;
  double start_s = 1.0;
  std::int64_t seed = 1;  ///< of the identification's postures and noise

  /// Whether another request gives the same plan, whatever its speed.
  bool plans_as(const PlanRequest& other) const;
};

/// A robot's rise as planned, and everything that was found on the way to it.
struct RisePlan {
  std::shared_ptr<const C3dFile> recording;     ///< of the built-in demonstrator; nullptr for other recordings
  std::shared_ptr<const TrialAnalysis> person;  ///< nullptr when the demonstration was analysed before
  std::shared_ptr<const HumanTrial> trial;      ///< the part of it that is retargeted; nullptr for a plan from a file
  std::shared_ptr<const IdentifiedRobot> identified;  ///< nullptr when other masses are believed in
  std::shared_ptr<const RobotModel> believed;         ///< the robot as planner and controller know it
  std::shared_ptr<const Retargeted> retargeted;       ///< the planner's whole answer; nullptr for a plan from a file
  std::shared_ptr<const MotionPlan> motion;
  std::vector<std::string> notes;
};

/// Plans rises: recording → the person's centre of mass → the robot's masses → the retargeted rise. Keeps what it has
/// made (robots, persons, identified masses, plans), so that runs that share a planner compute and load nothing twice.
/// May be used from several threads.
class RisePlanner {
 public:
  /// What a rise is planned for.
  struct Task {
    PlanRequest plan;
    std::string robot;                       ///< name or path
    std::string robot_model;                 ///< model given by the user, whose masses are believed in; empty: none
    std::shared_ptr<const RobotModel> base;  ///< the model that `robot_model`, else `robot`, names
    std::optional<Chair> chair;              ///< as believed; absent: one that fits the robot (chair_of)
    PlaceOf place_of;                        ///< where the settings are written, for errors
  };

  /// Gets what is being done while it is planned, and the completed fraction of that step: 0 to 1, or NaN where nothing
  /// measures it.
  using StepReport = std::function<void(std::string_view step, double done)>;
  void report_steps(StepReport on_step) { on_step_ = std::move(on_step); }
  /// Looks for plans and posture experiments of earlier runs there, and keeps new ones; nullptr: does not.
  void use_cache(std::shared_ptr<const PlanCache> cache) { cache_ = std::move(cache); }

  /// The robot of that name or path, loaded once. Throws as RobotModel::load does.
  std::shared_ptr<const RobotModel> load(const std::string& name_or_path);

  /// Plans with this analysis wherever a demonstration of that path is asked for, instead of analysing it here.
  void provide_person(const std::string& demonstration, TrialAnalysis analysis, std::vector<std::string> notes);

  /// A plan made without a chair is also the plan for the chair that it found. Throws FileError, InvalidValue; for a
  /// chair that does not fit UnfitChair, unless `place_of` names its place.
  std::shared_ptr<const RisePlan> plan(const Task& task);

 private:
  struct Person {
    std::shared_ptr<const C3dFile> recording;  ///< of the built-in demonstrator
    std::shared_ptr<const TrialAnalysis> analysis;
    std::vector<std::string> notes;
  };

  std::shared_ptr<const RisePlan> make(const Task& task);
  void analyse_demonstration(const Task& task, RisePlan& plan);
  void choose_believed(const Task& task, RisePlan& plan);
  Log postures_of(const RobotModel& robot, const PostureExperiment& experiment) const;
  Retargeted motion_of(const HumanTrial& person, const RobotModel& robot, const RetargetOptions& options) const;
  void report(std::string_view step, double done) const {
    if (on_step_) on_step_(step, done);
  }

  StepReport on_step_;
  std::shared_ptr<const PlanCache> cache_;
  std::recursive_mutex mutex_;
  std::map<std::string, std::shared_ptr<const RobotModel>> robots_;
  std::map<std::string, std::shared_ptr<const RisePlan>> plans_;
  std::map<std::string, std::shared_ptr<const IdentifiedRobot>> identified_;
  std::map<std::string, Person> persons_;
};

/// The chair that a plan was made for, with arm rests where its hands bear; absent when it has none.
std::optional<Chair> chair_of(const MotionPlan& plan);

/// A rise of the built-in demonstrator as a laboratory would record it.
C3dFile demonstrated_recording(const std::string& style);

/// A note when the plan needs more torque than a joint's limit; empty otherwise. `speed`: playback factor, 2 plays the
/// plan in half the time.
std::string torque_note(const RobotModel& believed, const MotionPlan& plan, double speed);

}  // namespace aplomb
