// write_seeds FOLDER: the seeds of every format, each in a folder of its own.
#include <cstdio>
#include <exception>

#include "aplomb/core/files/output_file.hpp"
#include "fuzz/fuzz_one.hpp"

int main(int argc, char** argv) try {
  const std::filesystem::path target = argc > 1 ? argv[1] : "seeds";
  for (const aplomb::RecordingFormat format : aplomb::test::kAllFormats) {
    const std::filesystem::path folder = target / aplomb::test::folder_name(format);
    std::filesystem::create_directories(folder);
    int number = 0;
    for (const std::string& seed : aplomb::test::fuzz_seeds(format)) {
      aplomb::write_file(folder / (std::string("seed_").append(std::to_string(number++))), seed);
    }
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "write_seeds: %s\n", error.what());
  return 2;
}
