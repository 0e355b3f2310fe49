#pragma once

#include <functional>
#include <memory>
#include <string>

#include "aplomb/core/result.hpp"
#include "aplomb/core/table/log.hpp"
#include "aplomb/report/plot.hpp"

namespace aplomb {

/// Shows a run in a browser while it is simulated: a page whose replay grows, then the report. Listens as ViewServer
/// does, in a thread of its own.
class LiveServer {
 public:
  /// `rows` has an instant for every one that the replay will show: the first as it is, the others for their times
  /// only. The scene of `page` has its tracks for all of them. Takes a free port; throws Error when there is none.
  LiveServer(const Result& result, const Log& rows, const ReportPage& page);
  ~LiveServer();

  std::string address() const;  ///< "http://127.0.0.1:PORT/TOKEN/"
  bool is_watched() const;      ///< whether the page has been opened
  /// The next rows have been simulated.
  void add(const Log& rows);
  /// The run is over: from now on the address has its report. Returns when the open page has it, when no page has asked
  /// for 5 s, or when `is_over` returns true.
  void finish(const Result& result, const Log& log, const ReportPage& page, const std::function<bool()>& is_over);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace aplomb
