#include "human/human_text.hpp"

#include "shared/table.hpp"

namespace aplomb {

std::vector<TrialOfPerson> trials_of(const std::vector<TrialAnalysis>& analyses,
                                     const std::vector<HumanOutput>& outputs) {
  std::vector<TrialOfPerson> trials;
  for (std::size_t i = 0; i < outputs.size(); ++i) trials.push_back({"", &analyses[i], &outputs[i]});
  return trials;
}

std::string human_text(const std::vector<TrialAnalysis>& analyses, const std::vector<HumanOutput>& outputs) {
  if (outputs.size() == 1) return result_text(outputs[0].result, outputs[0].page.tables);
  const PageTable table = trials_table(trials_of(analyses, outputs));
  return aligned_table(table.header, table.rows);
}

}  // namespace aplomb
