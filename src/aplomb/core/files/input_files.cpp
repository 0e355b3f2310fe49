#include "aplomb/core/files/input_files.hpp"

#include <sys/stat.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <vector>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/sha256.hpp"

namespace aplomb {
namespace {

constexpr const char* kAbsent = "absent";

std::mutex g_mutex;                 // NOLINT: of the two below
std::vector<InputFiles*> g_living;  // NOLINT
std::atomic<bool> g_is_recording = false;
thread_local InputFiles::Item* t_item = nullptr;

/// Changes whenever the contents do: device, inode, size, times of the last change of contents and of status.
using Signature = std::array<long long, 7>;

Signature signature_of(const struct stat& status) {
  return {static_cast<long long>(status.st_dev),
          static_cast<long long>(status.st_ino),
          static_cast<long long>(status.st_size),
          status.st_mtim.tv_sec,
          status.st_mtim.tv_nsec,
          status.st_ctim.tv_sec,
          status.st_ctim.tv_nsec};
}

/// Whether the last change was long enough ago that a later one has another time stamp.
bool is_settled(const struct stat& status) {
  constexpr long long kSettledS = 2;
  return static_cast<long long>(::time(nullptr)) - status.st_ctim.tv_sec > kSettledS;
}

}  // namespace

InputFiles::InputFiles() {
  const std::lock_guard lock(g_mutex);
  g_living.push_back(this);
  g_is_recording = true;
}

InputFiles::~InputFiles() {
  const std::lock_guard lock(g_mutex);
  std::erase(g_living, this);
  g_is_recording = !g_living.empty();
}

InputFiles::Item::Item() : outer_(t_item) { t_item = this; }
InputFiles::Item::~Item() { t_item = outer_; }

InputFiles::Digests InputFiles::digests() const {
  const std::lock_guard lock(mutex_);
  Digests all = common_;
  for (const Item* item = t_item; item != nullptr; item = item->outer_) {
    all.insert(item->digests_.begin(), item->digests_.end());
  }
  return all;
}

std::string input_digest(const std::filesystem::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return errno == ENOENT || errno == ENOTDIR ? kAbsent : kUnrepeatableInput;
  if (!S_ISREG(status.st_mode)) return kUnrepeatableInput;
  static std::mutex mutex;
  static std::map<std::string, std::pair<Signature, std::string>> known;  // a robot's files are read for every run
  const Signature signature = signature_of(status);
  {
    const std::lock_guard lock(mutex);
    const auto found = known.find(file.string());
    if (found != known.end() && found->second.first == signature) return found->second.second;
  }
  try {
    const std::string digest = sha256_of_file(file);
    const std::lock_guard lock(mutex);
    if (is_settled(status)) known[file.string()] = {signature, digest};
    return digest;
  } catch (const FileError&) {
    return kUnrepeatableInput;
  }
}

void note_input(const std::filesystem::path& file) {
  if (!g_is_recording) return;
  std::error_code ignored;
  const std::filesystem::path absolute = std::filesystem::absolute(file, ignored);
  const std::string digest = input_digest(absolute);
  // The first contents stay: the final is_unchanged() then finds a file that changed between two readings.
  if (t_item != nullptr) {
    t_item->digests_.emplace(absolute.string(), digest);
    return;
  }
  const std::lock_guard lock(g_mutex);
  for (InputFiles* files : g_living) {
    const std::lock_guard inner(files->mutex_);
    files->common_.emplace(absolute.string(), digest);
  }
}

bool is_unchanged(const std::string& file, const std::string& digest) {
  return digest != kUnrepeatableInput && input_digest(file) == digest;
}

}  // namespace aplomb
