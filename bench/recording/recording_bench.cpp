// Speed of reading recordings, in bytes of the file per second:
//   recording_bench [--benchmark_filter=c3d]
// and the memory for reading one file, measured in a separate process:
//   recording_bench --memory-of FILE
#include <benchmark/benchmark.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <string>

#include "aplomb/recording/formats/input_bytes.hpp"
#include "aplomb/recording/formats/trc_file.hpp"
#include "aplomb/recording/recording.hpp"
#include "recording/c3d_bytes.hpp"
#include "recording/sample_points.hpp"
#include "support/temporary_folder.hpp"

namespace aplomb {
namespace {

using Read = void (*)(const InputBytes&);

void read_all(benchmark::State& run, const std::filesystem::path& file, Read read) {
  for (auto _ : run) read(InputBytes::open(file));
  run.SetBytesProcessed(static_cast<std::int64_t>(run.iterations()) *
                        static_cast<std::int64_t>(std::filesystem::file_size(file)));
}

/// A C3D file with 60 markers and 32 analog channels of 10 samples per frame: about 40 MB with real numbers.
std::string c3d_bytes(Processor processor, bool is_real) {
  test::C3dBytes file(processor, is_real);
  file.num_points = 60;
  file.num_channels = 32;
  file.samples_per_frame = 10;
  for (int frame = 0; frame < 18'000; ++frame) {
    for (int i = 0; i < 60; ++i) file.point(frame % 1000 + 1, i, 100 + i, 5);
    for (int i = 0; i < 320; ++i) file.number(i + frame % 7);
  }
  return file.bytes();
}

void use_c3d(const InputBytes& input) { benchmark::DoNotOptimize(read_c3d(input).points.xyz.data()); }
void use_trc(const InputBytes& input) { benchmark::DoNotOptimize(read_trc(input).points.xyz.data()); }
void use_mot(const InputBytes& input) { benchmark::DoNotOptimize(read_mot(input).table.values.data()); }

void write_files(const std::filesystem::path& folder) {
  const std::pair<const char*, std::string> files[] = {{"intel_real", c3d_bytes(Processor::intel, true)},
                                                       {"intel_integer", c3d_bytes(Processor::intel, false)},
                                                       {"dec_real", c3d_bytes(Processor::dec, true)},
                                                       {"sgi_real", c3d_bytes(Processor::sgi, true)}};
  for (const auto& [name, bytes] : files) std::ofstream(folder / name, std::ios::binary) << bytes;
  Points points = test::moving_points(50, 20'000);
  // Typical resolution of motion capture files: 0.01 mm.
  points.unit = "mm";
  for (float& value : points.xyz) value = 0.01F * static_cast<float>(static_cast<int>(1e5F * value));
  write_trc(folder / "markers.trc", points);
  MotFile mot;
  mot.table.columns.emplace_back("time");
  for (int i = 0; i < 27; ++i) mot.table.columns.push_back(std::string("c").append(std::to_string(i)));
  for (int row = 0; row < 50'000; ++row) {
    mot.table.values.push_back(0.001 * row);
    for (int i = 0; i < 27; ++i) mot.table.values.push_back(0.001 * (row % 5000 + 37 * i));
  }
  write_mot(folder / "forces.mot", mot);
}

long most_memory_kb() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stol(line.substr(6));
  }
  return 0;
}

int tell_memory(const std::string& file) {
  const long before = most_memory_kb();
  const std::unique_ptr<Recording> recording = std::make_unique<Recording>(read_recording(file, {}));
  const double megabytes = 1e-6 * static_cast<double>(std::filesystem::file_size(file));
  std::printf("%s: %.1f MB, read with %.1f MB of memory\n", file.c_str(), megabytes,
              1.024e-3 * static_cast<double>(most_memory_kb() - before));
  return 0;
}

}  // namespace
}  // namespace aplomb

int main(int argc, char** argv) try {
  if (argc == 3 && std::string(argv[1]) == "--memory-of") return aplomb::tell_memory(argv[2]);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const aplomb::test::TemporaryFolder folder;
  aplomb::write_files(folder.path());
  const std::tuple<const char*, const char*, aplomb::Read> cases[] = {
      {"read_c3d/intel_real", "intel_real", aplomb::use_c3d},
      {"read_c3d/intel_integer", "intel_integer", aplomb::use_c3d},
      {"read_c3d/dec_real", "dec_real", aplomb::use_c3d},
      {"read_c3d/sgi_real", "sgi_real", aplomb::use_c3d},
      {"read_trc", "markers.trc", aplomb::use_trc},
      {"read_mot", "forces.mot", aplomb::use_mot}};
  for (const auto& [name, file, read] : cases) {
    benchmark::RegisterBenchmark(name, aplomb::read_all, folder.path() / file, read)->Unit(benchmark::kMillisecond);
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "demonstration_bench: error: %s\n", error.what());
  return 2;
}
