#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "aplomb/batch/batch_folder.hpp"
#include "aplomb/core/result.hpp"
#include "aplomb/core/table/log.hpp"
#include "aplomb/report/plot.hpp"

namespace aplomb {

/// What the jobs of a batch found, together. Reads the records one after the other, twice, and keeps no more than a
/// sample of them, so that its memory does not grow with their number:
///
///   BatchTable table(folder);   // counts, columns, a sample, the worst jobs
///   table.write_csv();          // jobs.csv, one row a job in the manifest's order
///   table.page()                // the report
class BatchTable {
 public:
  struct Job {
    BatchJob job;
    std::size_t number = 0;  ///< row of jobs.csv, from 1
    WorstCheck check;
  };

  explicit BatchTable(const BatchFolder& folder, const std::function<void(double rows)>& on_progress = {});

  Result result() const;                                    ///< counts of jobs, and the check that none failed
  ReportPage page() const;                                  ///< outcomes, distributions, worst jobs, errors
  Log sample() const;                                       ///< numbers that the page's plots draw
  const std::vector<Job>& worst() const { return worst_; }  ///< at most kNumWorst, the smallest margin first
  void write_csv() const;                                   ///< throws FileError
  std::size_t num_jobs() const { return num_jobs_; }
  std::size_t num_missing() const { return num_missing_; }  ///< not done yet

 private:
  struct Group {
    std::map<std::string, std::size_t> outcomes;
    std::size_t num_jobs = 0;
  };
  struct Sampled {
    std::string key;
    std::string group;
    Metrics metrics;
    bool ok = false;
  };
  struct Failure {
    std::size_t count = 0, first = 0;
  };
  void add(const BatchJob& job, std::size_t number);
  void add_columns(const BatchJob& job, const BatchRecord* record);
  void add_worst(Job candidate);
  void add_sample(const BatchJob& job, const BatchRecord& record, const std::string& group);
  std::vector<std::string> row_of(const BatchJob& job, std::size_t number) const;
  PageTable outcomes_table() const;
  PageTable worst_table() const;
  PageTable errors_table() const;
  std::vector<PageTable> distributions() const;

  const BatchFolder& folder_;
  std::size_t num_jobs_ = 0, num_missing_ = 0;
  std::map<std::string, Group> groups_;
  std::vector<std::string> options_, metrics_;  ///< columns, in the order of their first occurrence
  std::map<std::string, std::size_t> option_at_, metric_at_;
  std::vector<Sampled> sample_;  ///< a heap: the largest key first
  std::vector<Job> worst_;
  std::map<std::string, Failure> errors_;  ///< by text; at most kMostErrors
  std::size_t other_errors_ = 0;
  std::vector<std::string> checked_;  ///< metrics with a check
};

inline constexpr std::size_t kNumWorst = 10;
inline constexpr std::size_t kSampleSize = 10'000;

}  // namespace aplomb
