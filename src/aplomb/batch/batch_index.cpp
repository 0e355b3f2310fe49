#include "aplomb/batch/batch_index.hpp"

#include "aplomb/batch/manifest.hpp"
#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/interrupt.hpp"

namespace aplomb {

void write_index(const std::filesystem::path& manifest, const BatchFolder& folder) {
  OutputFile file(folder.index());
  for_each_job(manifest, [&](const ManifestJob& asked) {
    check_interrupt();
    const BatchJob job{.command = asked.command, .keeps_files = asked.keeps_files, .key = batch_key(asked.command)};
    file.write(to_line(job) + "\n");
  });
  file.close();
}

BatchIndex::BatchIndex(const BatchFolder& folder) : file_(folder.index()), stream_(file_) {
  if (!stream_) {
    throw FileError({folder.shown()}, "has no index of jobs; give the command without --task and --only first");
  }
}

std::optional<BatchJob> BatchIndex::next() {
  std::string line;
  if (std::getline(stream_, line)) return parse_job(line);
  if (stream_.bad()) throw FileError({file_.string()}, "cannot be read to its end");
  return std::nullopt;
}

}  // namespace aplomb
