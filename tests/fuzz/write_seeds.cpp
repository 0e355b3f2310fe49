// write_seeds FOLDER: the seeds of every format and of the messages, each in a folder of its own.
#include <cstdio>
#include <exception>

#include "aplomb/core/files/output_file.hpp"
#include "fuzz/fuzz_message.hpp"
#include "fuzz/fuzz_one.hpp"

namespace {

void write(const std::filesystem::path& folder, const std::vector<std::string>& seeds) {
  std::filesystem::create_directories(folder);
  int number = 0;
  for (const std::string& seed : seeds) {
    aplomb::write_file(folder / (std::string("seed_").append(std::to_string(number++))), seed);
  }
}

}  // namespace

int main(int argc, char** argv) try {
  const std::filesystem::path target = argc > 1 ? argv[1] : "seeds";
  for (const aplomb::RecordingFormat format : aplomb::test::kAllFormats) {
    write(target / aplomb::test::folder_name(format), aplomb::test::fuzz_seeds(format));
  }
  write(target / "message", aplomb::test::message_seeds());
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "write_seeds: %s\n", error.what());
  return 2;
}
