#include <fmt/format.h>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/recording/formats/number_text.hpp"
#include "aplomb/recording/mot_file.hpp"

namespace aplomb {
namespace {

/// The labels of the file's own columns: `p` for `p.1 p.2 p.3`.
std::vector<std::string> file_labels(const MotFile& mot) {
  const std::vector<std::string>& columns = mot.table.columns;
  std::vector<std::string> labels = {"time"};
  for (std::size_t i = 1; i < columns.size(); i += mot.num_elements) {
    labels.push_back(mot.num_elements == 1 ? columns[i] : columns[i].substr(0, columns[i].rfind('.')));
    if (labels.back().find_first_of("\t\r\n") != std::string::npos) {
      throw InvalidValue(
          fmt::format("a column's label with a tab or a line break does not fit a MOT file: '{}'", labels.back()));
    }
  }
  return labels;
}

}  // namespace

void write_mot(const std::filesystem::path& file, const MotFile& mot) {
  const Table& table = mot.table;
  if (table.columns.empty() || (table.columns.size() - 1) % mot.num_elements != 0) {
    throw InvalidValue(
        fmt::format("{} columns are not time and whole cells of {}", table.columns.size(), mot.data_type));
  }
  const std::vector<std::string> labels = file_labels(mot);
  OutputFile output(file);
  output.write(fmt::format("{}\n", mot.name.empty() ? file.stem().string() : mot.name));
  for (const auto& [key, value] : mot.header) output.write(value.empty() ? key + "\n" : key + "=" + value + "\n");
  output.write(fmt::format("nRows={}\nnColumns={}\ninDegrees={}\nDataType={}\nendheader\n{}\n", table.num_rows(),
                           labels.size(), mot.in_degrees ? "yes" : "no", mot.data_type, fmt::join(labels, "\t")));
  std::string line;
  for (std::size_t row = 0; row < table.num_rows(); ++row) {
    line.clear();
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const bool is_first_element = i == 0 || (i - 1) % mot.num_elements == 0;
      if (i > 0) line += is_first_element ? '\t' : ',';
      append_number(line, table.at(row, i));
    }
    output.write(line += '\n');
  }
  output.close();
}

}  // namespace aplomb
