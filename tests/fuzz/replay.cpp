// replay FOUND: every case that a fuzzer once found (FOUND/c3d/* and so on), then seeds with bytes changed at random.
// Built with the address and undefined-behaviour sanitizers, whatever the rest is built with.
// Ten times as many mutations with APLOMB_LONG_TESTS=1.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <functional>
#include <random>
#include <sstream>

#include "fuzz/fuzz_message.hpp"
#include "fuzz/fuzz_one.hpp"

namespace aplomb::test {
namespace {

constexpr int kMutations = 8000;

/// What is fuzzed: its folder of found cases, its seeds, and what reads one input.
struct Fuzzed {
  std::string name;
  std::vector<std::string> seeds;
  std::function<void(std::string_view)> read;
};

std::vector<Fuzzed> all_fuzzed() {
  std::vector<Fuzzed> all;
  for (const RecordingFormat format : kAllFormats) {
    all.push_back(
        {folder_name(format), fuzz_seeds(format), [format](std::string_view bytes) { fuzz_one(format, bytes); }});
  }
  all.push_back({"message", message_seeds(), fuzz_message});
  return all;
}

std::size_t replay_found(const std::filesystem::path& folder, const Fuzzed& fuzzed) {
  std::size_t count = 0;
  const std::filesystem::path cases = folder / fuzzed.name;
  if (!std::filesystem::exists(cases)) return 0;
  for (const auto& entry : std::filesystem::directory_iterator(cases)) {
    std::ifstream stream(entry.path(), std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    fuzzed.read(text.str());
    ++count;
  }
  return count;
}

/// A few of: a byte changed, a word at its end of range, a part cut out, doubled or taken from elsewhere, the end lost.
std::string mutated(std::string bytes, std::mt19937_64& random) {
  const auto below = [&](std::size_t limit) { return limit == 0 ? 0 : static_cast<std::size_t>(random() % limit); };
  for (std::size_t change = 0; change < 1 + below(4) && !bytes.empty(); ++change) {
    // Half of the changes go where headers and parameters are.
    const std::size_t at = random() % 2 == 0 ? below(bytes.size()) : below(std::min<std::size_t>(bytes.size(), 1200));
    const std::size_t length = std::min(bytes.size() - at, below(40));
    constexpr char kExtremes[] = {'\0', '\x01', '\x7F', '\x80', '\xFF', '-', '9', '\t', '\n', ' '};
    switch (random() % 6) {
      case 0:
        bytes[at] = static_cast<char>(random());
        break;
      case 1:
        bytes[at] = kExtremes[below(sizeof(kExtremes))];
        break;
      case 2:
        bytes.erase(at, length);
        break;
      case 3:
        bytes.insert(at, bytes.substr(below(bytes.size()), length));
        break;
      case 4:
        bytes.resize(at);
        break;
      default:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
        break;
    }
  }
  return bytes;
}

std::size_t replay_mutations(const Fuzzed& fuzzed, int count) {
  for (const std::string& seed : fuzzed.seeds) fuzzed.read(seed);
  std::mt19937_64 random(7);
  for (int i = 0; i < count; ++i) {
    fuzzed.read(mutated(fuzzed.seeds[static_cast<std::size_t>(i) % fuzzed.seeds.size()], random));
  }
  return fuzzed.seeds.size() + static_cast<std::size_t>(count);
}

}  // namespace
}  // namespace aplomb::test

int main(int argc, char** argv) try {
  using namespace aplomb::test;
  const char* is_long = std::getenv("APLOMB_LONG_TESTS");
  const int count = kMutations * (is_long != nullptr ? 10 : 1);
  for (const Fuzzed& fuzzed : all_fuzzed()) {
    const std::size_t num_found = argc > 1 ? replay_found(argv[1], fuzzed) : 0;
    std::printf("%s: %zu found cases, %zu seeds and mutations\n", fuzzed.name.c_str(), num_found,
                replay_mutations(fuzzed, count));
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "replay: %s\n", error.what());
  return 1;
}
