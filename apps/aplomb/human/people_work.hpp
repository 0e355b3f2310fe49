#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace aplomb {

struct PeopleRequest {
  std::filesystem::path file;
  std::optional<std::string> out;
  double cutoff_hz = 4.0;
  std::size_t jobs = 1;
  bool json = false;
};

/// Analyses every person of a people file, several at once, and compares them in one report; PERSON/TRIAL below `out`
/// has what `aplomb human` writes of one trial. A person whose files cannot be analysed is named and does not stop the
/// rest. Returns the exit code. Throws FileError for a people file that cannot be read.
int analyse_people(const PeopleRequest& request);

}  // namespace aplomb
