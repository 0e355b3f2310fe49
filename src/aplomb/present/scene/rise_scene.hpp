#pragma once

#include "aplomb/core/table/log.hpp"
#include "aplomb/human/human_trial.hpp"
#include "aplomb/identify/identification.hpp"
#include "aplomb/report/scene.hpp"
#include "aplomb/retarget/retarget.hpp"
#include "aplomb/run/run.hpp"

namespace aplomb {

/// The replay of a robot that stands up as a person did: the run (make_run_scene), and beside it the person in full
/// size at the same moment of the motion, with a sentence for each phase. Before the plan begins and after it has ended
/// the person rests in its first and its last frame.
Scene make_rise_scene(const RunResult& run, const HumanTrial& person, const Retargeted& retargeted);

/// A replay and the log that it goes with.
struct Replayed {
  Log log;
  Scene scene;
};

/// The postures that a robot held to be identified, one every half second, with the measured CoP of each foot and the
/// CoM by the identified masses and by those of the CAD.
Replayed make_postures_scene(const IdentifiedRobot& identified);

}  // namespace aplomb
