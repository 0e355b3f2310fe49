#include "aplomb/batch/job_claim.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <sstream>
#include <system_error>
#include <thread>

#include "aplomb/core/error.hpp"

namespace aplomb {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto kRenewalPeriod = 10s;
constexpr const char* kOwnerFile = "owner";

std::string text_of(const fs::path& file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// When a process began, in clock ticks since the machine did: a process number alone is given again. Empty: no such
/// process.
std::string start_of(pid_t process) {
  const std::string status = text_of(fmt::format("/proc/{}/stat", process));
  const std::size_t name_end = status.rfind(')');
  if (name_end == std::string::npos) return {};
  std::istringstream fields(status.substr(name_end + 1));
  constexpr int kStartField = 20;  // counted from the state, which follows the name
  std::string field;
  for (int i = 0; i < kStartField; ++i) fields >> field;
  return field;
}

/// This machine since its start, and the space of its process numbers (a container has its own).
std::string machine() {
  std::error_code ignored;
  std::string boot = text_of("/proc/sys/kernel/random/boot_id");
  while (boot.ends_with('\n')) boot.pop_back();
  return fmt::format("{}/{}", boot, fs::read_symlink("/proc/self/ns/pid", ignored).string());
}

std::string own_name() {
  static const std::string at = machine();
  return fmt::format("{} {} {}", at, ::getpid(), start_of(::getpid()));
}

/// Whether the owner is a process of this machine that has ended.
bool has_ended(const std::string& owner) {
  std::istringstream words(owner);
  std::string at, start;
  pid_t process = 0;
  words >> at >> process >> start;
  return words && at == machine() && start_of(process) != start;
}

[[noreturn]] void fail(const fs::path& folder, int error) {
  throw FileError({folder.parent_path().string()}, "cannot be written: " + std::generic_category().message(error));
}

/// The file server's time, which may differ from this machine's: that of a file that is touched now.
double now_at(const fs::path& folder) {
  const fs::path probe = folder / fmt::format(".now-{}-{}", ::getpid(), start_of(::getpid()));
  const int descriptor = ::open(probe.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  struct stat status {};
  const bool is_known = descriptor >= 0 && ::futimens(descriptor, nullptr) == 0 && ::fstat(descriptor, &status) == 0;
  if (descriptor >= 0) ::close(descriptor);
  ::unlink(probe.c_str());
  return is_known ? static_cast<double>(status.st_mtim.tv_sec) : 0.0;
}

}  // namespace

/// Touches the claim now and then, until it ends.
class JobClaim::Renewal {
 public:
  explicit Renewal(fs::path folder)
      : thread_([this, folder = std::move(folder)] {
          std::unique_lock lock(mutex_);
          while (!ended_.wait_for(lock, kRenewalPeriod, [this] { return has_ended_; })) {
            ::utimensat(AT_FDCWD, folder.c_str(), nullptr, 0);
          }
        }) {}

  ~Renewal() {
    {
      const std::lock_guard lock(mutex_);
      has_ended_ = true;
    }
    ended_.notify_all();
    thread_.join();
  }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  bool has_ended_ = false;
  std::thread thread_;  // last: it uses the others
};

JobClaim::JobClaim(const fs::path& folder) : folder_(folder) {
  if (try_take()) return;
  const std::string owner = text_of(folder_ / kOwnerFile);
  if (is_void() && put_aside(owner)) try_take();
}

JobClaim::~JobClaim() {
  if (!renewal_) return;
  renewal_.reset();
  ::unlink((folder_ / kOwnerFile).c_str());
  ::rmdir(folder_.c_str());
}

bool JobClaim::try_take() {
  if (::mkdir(folder_.c_str(), 0777) != 0) {
    if (errno == EEXIST) return false;
    fail(folder_, errno);
  }
  std::ofstream(folder_ / kOwnerFile) << own_name();
  renewal_ = std::make_unique<Renewal>(folder_);
  return true;
}

bool JobClaim::is_void() const {
  if (has_ended(text_of(folder_ / kOwnerFile))) return true;
  struct stat status {};
  if (::stat(folder_.c_str(), &status) != 0) return false;  // just released
  return now_at(folder_.parent_path()) - static_cast<double>(status.st_mtim.tv_sec) > kClaimLifeS;
}

/// Moves a void claim away; false when somebody else was faster.
bool JobClaim::put_aside(const std::string& owner) const {
  const fs::path aside = folder_.string() + fmt::format(".void-{}-{}", ::getpid(), start_of(::getpid()));
  if (::rename(folder_.c_str(), aside.c_str()) != 0) return false;
  const bool is_the_void_one = text_of(aside / kOwnerFile) == owner;
  if (!is_the_void_one && ::rename(aside.c_str(), folder_.c_str()) == 0) return false;
  std::error_code ignored;
  fs::remove_all(aside, ignored);
  return is_the_void_one;
}

}  // namespace aplomb
