#include <cstring>
#include <fstream>
#include <sstream>

#include "aplomb/recording/formats/trc_file.hpp"
#include "fuzz/fuzz_one.hpp"
#include "recording/c3d_bytes.hpp"
#include "recording/sample_points.hpp"
#include "support/temporary_folder.hpp"

namespace aplomb::test {
namespace {

std::string content(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// What one of our writers makes.
template <typename Write>
std::string written(Write write) {
  const TemporaryFolder folder;
  write(folder.path() / "seed");
  return content(folder.path() / "seed");
}

std::string c3d_with_plates(int type) {
  C3dBytes file(Processor::intel, true);
  file.num_points = 2;
  file.num_channels = 8;
  file.group(1, "POINT");
  file.reals(1, "SCALE", {-1.0}, {});
  file.texts(1, "UNITS", {"mm"});
  file.texts(1, "LABELS", {"LTOE", "C7"});
  file.group(2, "ANALOG");
  file.reals(2, "SCALE", std::vector<double>(8, 1.0));
  file.group(3, "FORCE_PLATFORM");
  file.words(3, "USED", {1}, {});
  file.words(3, "TYPE", {static_cast<std::uint32_t>(type)});
  file.words(3, "CHANNEL", {1, 2, 3, 4, 5, 6, 7, 8}, {8, 1});
  file.reals(3, "CORNERS", {400, 600, 0, 0, 600, 0, 0, 0, 0, 400, 0, 0}, {3, 4, 1});
  file.reals(3, "ORIGIN", {1, 2, 30}, {3, 1});
  file.words(3, "ZERO", {1, 3});
  file.reals(3, "CAL_MATRIX", std::vector<double>(36, 1.0), {6, 6, 1});
  file.group(4, "EVENT");
  file.words(4, "USED", {1}, {});
  file.reals(4, "TIMES", {0, 0.5}, {2, 1});
  file.texts(4, "LABELS", {"Foot"});
  for (int frame = 0; frame < 60; ++frame) {
    file.point(100, 200, 50, 0);
    file.point(100 + frame, 200, 1500, 0);
    for (int i = 0; i < 8; ++i) file.number(frame < 5 ? 0 : -70 - i);
  }
  return file.bytes();
}

std::vector<std::string> c3d_seeds() {
  std::vector<std::string> seeds;
  for (const Processor processor : {Processor::intel, Processor::dec, Processor::sgi}) {
    for (const bool is_real : {true, false}) seeds.push_back(small_c3d(processor, is_real).bytes());
  }
  for (const int type : {1, 2, 3, 4}) seeds.push_back(c3d_with_plates(type));
  C3dFile file;
  file.points = moving_points(3, 30);
  hide(file.points, 4, 1);
  file.events = {{"Foot Strike", "Left", 0.1}};
  seeds.push_back(written([&](const auto& path) { write_c3d(path, file); }));
  return seeds;
}

std::string forces_text() {
  MotFile mot{.name = "forces"};
  mot.table.columns = {"time",
                       "ground_force_1_vx",
                       "ground_force_1_vy",
                       "ground_force_1_vz",
                       "ground_force_1_px",
                       "ground_force_1_py",
                       "ground_force_1_pz",
                       "ground_force_1_mx",
                       "ground_force_1_my",
                       "ground_force_1_mz"};
  for (int row = 0; row < 20; ++row) {
    mot.table.values.insert(mot.table.values.end(), {0.1 * row, 1, 600, 2, 0.1, 0, 0.2, 0, 3, 0});
  }
  return written([&](const auto& path) { write_mot(path, mot); });
}

std::vector<std::string> text_seeds(RecordingFormat format) {
  switch (format) {
    case RecordingFormat::trc: {
      Points points = moving_points(3, 25);
      hide(points, 4, 1);
      return {written([&](const auto& path) { write_trc(path, points); })};
    }
    case RecordingFormat::mot:
      return {forces_text(), "name x\ndatacolumns 2\ndatarows 2\nrange 0 1\nendheader\ntime a\n0 1\n1 2\n",
              "x\nDataType=Vec3\nendheader\ntime\tf1\tp1\tm1\n0\t1,500,2\t0.1,0,0.2\t0,3,0\n"};
    case RecordingFormat::bvh:
      return {
          "HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation "
          "Yrotation\n JOINT Knee\n {\n  OFFSET 0 -40 0\n  CHANNELS 3 Zrotation Yrotation Xrotation\n  End Site\n  {\n"
          "   OFFSET 0 -40 0\n  }\n }\n}\nMOTION\nFrames: 2\nFrame Time: 0.01\n0 90 0 1 2 3 4 5 6\n0 91 0 1 2 3 4 5 "
          "6\n"};
    default:
      return {"time,A_x,A_y,A_z,\"B, c\"\n0,1,2,3,4\n0.1,1,,3,4\n", "t;a\n0;1\n"};
  }
}

}  // namespace

std::vector<std::string> fuzz_seeds(RecordingFormat format) {
  return format == RecordingFormat::c3d ? c3d_seeds() : text_seeds(format);
}

}  // namespace aplomb::test
