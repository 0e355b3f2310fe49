#include "shared/write_person.hpp"

#include "aplomb/core/table/table_file.hpp"
#include "aplomb/human/phases/rise_table.hpp"
#include "aplomb/human/trial_files.hpp"
#include "aplomb/present/scene/human_scene.hpp"
#include "aplomb/report/result_files.hpp"

namespace aplomb {

void write_person(const TrialAnalysis& analysis, const HumanOutput& output, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  write_trial(analysis.trial(), folder);
  write_mot(folder / "moments.mot", moments_table(analysis.fit.motion, analysis.judgement.moments));
  const ReactionForces& reactions = analysis.judgement.reactions;
  if (reactions.is_known()) write_mot(folder / "forces.mot", reactions_table(analysis.fit.motion, reactions));
  const Log rises = rise_table(analysis);
  if (rises.num_rows() > 0) write_csv(rises, folder / "rises.csv");
  ReportPage page = output.page;
  page.scene = make_human_scene(analysis, output.log);
  write_result_files(output.result, output.log, page, {LogFormat::csv, LogFormat::npz}, folder);
}

}  // namespace aplomb
