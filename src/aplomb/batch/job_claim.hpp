#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace aplomb {

/// A process's claim to a job while it works on it, so that others with the same result folder, on this machine or
/// another, leave it alone:
///
///   JobClaim claim(folder / "claims" / key);
///   if (!claim.is_ours()) ...   // somebody is at it: come back later
///
/// A claim is a folder, since `mkdir` is atomic on every file system, also over NFS, and needs no lock. Its owner
/// renews its time stamp. It is void when its owner has died (seen on the same machine) or has not renewed it for
/// kClaimLifeS by the file server's clock; then the next one takes it over. Two that take over in the same instant may
/// both do the job once more; its result is put in place whole either way.
class JobClaim {
 public:
  explicit JobClaim(const std::filesystem::path& folder);  ///< throws FileError when it cannot be written
  ~JobClaim();
  JobClaim(const JobClaim&) = delete;
  JobClaim& operator=(const JobClaim&) = delete;

  bool is_ours() const { return renewal_ != nullptr; }

 private:
  class Renewal;
  bool try_take();
  bool is_void() const;
  bool put_aside(const std::string& owner) const;

  std::filesystem::path folder_;
  std::unique_ptr<Renewal> renewal_;
};

inline constexpr double kClaimLifeS = 120.0;

}  // namespace aplomb
