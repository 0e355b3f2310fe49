#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "aplomb/batch/batch_record.hpp"
#include "aplomb/batch/job.hpp"

namespace aplomb {

/// The result folder of a batch:
///
///   batch.json            version of aplomb, and the folder that relative paths count from
///   index.jsonl           all jobs, one a line
///   jobs/ab/abcd...json   record of a finished or failed job
///   jobs/ab/abcd.../      its files (files: all)
///   claims/               jobs that are being done
///   jobs.csv, report.html, metrics.json
///
/// A job is finished when its record is there; it is written last, in one piece. Any number of processes, on any number
/// of machines that see the folder, may work in it at once.
class BatchFolder {
 public:
  /// Makes the folder, or opens one that was begun by this version in the same current folder. Throws FileError.
  static BatchFolder begin(const std::filesystem::path& folder);

  /// Opens a folder that was begun, and makes its current folder this process's. Throws FileError.
  static BatchFolder join(const std::filesystem::path& folder);

  const std::filesystem::path& path() const { return path_; }  ///< absolute
  const std::string& shown() const { return shown_; }          ///< as the user wrote it
  std::filesystem::path index() const { return path_ / "index.jsonl"; }
  std::filesystem::path record_file(const std::string& key) const;
  std::filesystem::path files_folder(const std::string& key) const;
  std::filesystem::path claim_folder(const std::string& key) const { return path_ / "claims" / key; }

  std::optional<BatchRecord> record(const std::string& key) const;      ///< absent, also when it is damaged
  void write(const std::string& key, const BatchRecord& record) const;  ///< throws FileError

  /// Whether the job need not be done: it has a result, its files if they are asked for, and no input has changed
  /// since.
  bool is_finished(const BatchJob& job) const;

  /// Removes the claims of processes that ended without releasing them; those of others stay.
  void remove_void_claims() const;

 private:
  explicit BatchFolder(const std::filesystem::path& folder);
  void check(const std::string& text, const std::filesystem::path& here) const;

  std::string shown_;
  std::filesystem::path path_;
};

}  // namespace aplomb
