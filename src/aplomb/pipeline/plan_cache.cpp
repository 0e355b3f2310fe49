#include "aplomb/pipeline/plan_cache.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "aplomb/core/error.hpp"
#include "aplomb/core/files/output_file.hpp"
#include "aplomb/core/files/sha256.hpp"
#include "aplomb/core/interrupt.hpp"
#include "aplomb/core/version.hpp"
#include "aplomb/pipeline/cache/plan_members.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "aplomb cache 1\n";
constexpr std::string_view kEnding = ".cached";
constexpr std::size_t kDigest = 64;  // hexadecimal digits

/// Digest of the libraries that compute: another build does not take this one's results.
std::string digest_of_libraries() {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&digest_of_libraries), &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code error;
  const fs::path own = fs::canonical(info.dli_fname, error);
  if (error) return {};
  std::set<fs::path> files = {own};
  for (const auto& entry : fs::directory_iterator(own.parent_path(), error)) {
    const bool is_ours = entry.path().filename().string().starts_with("libaplomb_");
    if (is_ours && entry.is_regular_file(error)) files.insert(entry.path());
  }
  std::string digests;
  for (const fs::path& file : files) digests += sha256_of_file(file) + "\n";
  return sha256(digests);
}

const std::string& build() {
  static const std::string digest = [] {
    try {
      return version() + "\n" + commit() + "\n" + digest_of_libraries();
    } catch (const Error&) {
      return std::string();
    }
  }();
  return digest;
}

/// Everything about a robot that decides a plan, without the places of its files.
void write_robot(ByteWriter& bytes, const RobotModel& robot) {
  Urdf urdf = robot.urdf();
  RobotDescription description = robot.description();
  std::string file;  // its digest is part of a plan
  std::error_code error;
  if (fs::is_regular_file(urdf.file, error)) file = sha256_of_file(urdf.file);
  bytes(urdf, description, file);
}

std::string key_of(std::string_view kind, const ByteWriter& bytes) {
  return std::string(kind) + "-" + sha256(build() + "\n" + bytes.bytes());
}

bool is_private(const struct stat& status) { return status.st_uid == ::geteuid() && (status.st_mode & 0077) == 0; }

/// A file descriptor that is closed.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

template <typename Value>
std::optional<Value> decoded(const std::optional<std::string>& content) {
  if (!content) return std::nullopt;
  try {
    ByteReader reader(*content);
    Value value;
    reader(value);
    if (reader.is_at_end()) return value;
  } catch (const Error&) {  // damaged: as if it were not there
  }
  return std::nullopt;
}

/// A Log as the archive sees it.
struct Table {
  std::vector<std::string> columns;
  Eigen::MatrixXd values;  ///< one column per row of the log
};
template <typename Archive>
void members(Archive& archive, Table& table) {
  auto& [columns, values] = table;
  archive(columns, values);
}

}  // namespace

std::shared_ptr<PlanCache> PlanCache::of_user() {
  if (const char* off = std::getenv("APLOMB_NO_CACHE"); off != nullptr && *off != '\0') return nullptr;
  fs::path base;
  if (const char* caches = std::getenv("XDG_CACHE_HOME"); caches != nullptr) base = caches;
  if (!base.is_absolute()) {  // as the XDG specification says: a relative path is ignored
    const char* home = std::getenv("HOME");
    base = home == nullptr || *home != '/' ? fs::path() : fs::path(home) / ".cache";
  }
  if (base.empty() || build().empty()) return nullptr;
  return std::make_shared<PlanCache>(base / "aplomb");
}

PlanCache::PlanCache(fs::path folder, std::uintmax_t most_bytes) : folder_(std::move(folder)), most_bytes_(most_bytes) {
  std::error_code error;
  if (folder_.has_parent_path()) fs::create_directories(folder_.parent_path(), error);
  ::mkdir(folder_.c_str(), 0700);  // fails when it is there
  struct stat status {};
  is_usable_ = ::lstat(folder_.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && is_private(status);
}

std::string PlanCache::plan_key(const HumanTrial& person, const RobotModel& robot, const RetargetOptions& options) {
  ByteWriter bytes;
  HumanTrial trial = person;
  RetargetOptions asked = options;
  bytes(trial, asked);
  write_robot(bytes, robot);
  return key_of("plan", bytes);
}

std::string PlanCache::postures_key(const RobotModel& robot, const PostureExperiment& experiment) {
  ByteWriter bytes;
  PostureExperiment asked = experiment;
  bytes(asked);
  write_robot(bytes, robot);
  if (robot.has_cad()) write_robot(bytes, robot.cad());
  return key_of("postures", bytes);
}

std::optional<Retargeted> PlanCache::find_plan(const std::string& key) const { return decoded<Retargeted>(read(key)); }

void PlanCache::keep(const std::string& key, const Retargeted& plan) const {
  ByteWriter bytes;
  Retargeted copy = plan;
  bytes(copy);
  write(key, bytes.bytes());
}

std::optional<Log> PlanCache::find_postures(const std::string& key) const {
  const std::optional<Table> table = decoded<Table>(read(key));
  if (!table || table->values.rows() != static_cast<Eigen::Index>(table->columns.size())) return std::nullopt;
  Log log(table->columns);
  for (const auto& row : table->values.colwise()) log.append({row.data(), static_cast<std::size_t>(row.size())});
  return log;
}

void PlanCache::keep(const std::string& key, const Log& postures) const {
  Table table{.columns = postures.columns()};
  const auto rows = static_cast<Eigen::Index>(postures.num_rows());
  table.values = Eigen::Map<const Eigen::MatrixXd>(postures.values().data(),
                                                   static_cast<Eigen::Index>(postures.columns().size()), rows);
  ByteWriter bytes;
  bytes(table);
  write(key, bytes.bytes());
}

std::optional<std::string> PlanCache::read(const std::string& key) const {
  if (!is_usable_) return std::nullopt;
  const fs::path file = folder_ / (key + std::string(kEnding));
  const Descriptor opened(::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (opened.number() < 0 || ::fstat(opened.number(), &status) != 0) return std::nullopt;
  const auto size = static_cast<std::uintmax_t>(status.st_size);
  if (!S_ISREG(status.st_mode) || status.st_uid != ::geteuid() || size > most_bytes_) return std::nullopt;
  std::string bytes(size, '\0');
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t got = ::read(opened.number(), bytes.data() + done, bytes.size() - done);
    if (got <= 0) return std::nullopt;
    done += static_cast<std::size_t>(got);
  }
  // Magic, digest of the content, content.
  if (bytes.size() < kMagic.size() + kDigest || !bytes.starts_with(kMagic)) return std::nullopt;
  std::string content = bytes.substr(kMagic.size() + kDigest);
  if (sha256(content) != std::string_view(bytes).substr(kMagic.size(), kDigest)) return std::nullopt;
  ::futimens(opened.number(), nullptr);  // used now: it goes last
  return content;
}

void PlanCache::write(const std::string& key, const std::string& content) const {
  if (!is_usable_ || content.size() > most_bytes_ / 4) return;
  try {
    write_file(folder_ / (key + std::string(kEnding)), std::string(kMagic) + sha256(content) + content);
    make_room();
  } catch (const Interrupted&) {
    throw;
  } catch (const std::exception&) {  // a full disk, no permission: the next run computes again
  }
}

void PlanCache::make_room() const {
  struct Entry {
    fs::file_time_type used;
    std::uintmax_t size = 0;
    fs::path file;
  };
  std::vector<Entry> entries;
  std::uintmax_t total = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_, error)) {
    if (entry.path().extension() != kEnding || !entry.is_regular_file(error)) continue;
    entries.push_back({entry.last_write_time(error), entry.file_size(error), entry.path()});
    total += entries.back().size;
  }
  std::ranges::sort(entries, {}, &Entry::used);
  for (const Entry& entry : entries) {
    if (total <= most_bytes_) break;
    if (fs::remove(entry.file, error)) total -= entry.size;
  }
}

}  // namespace aplomb
