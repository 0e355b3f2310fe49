#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "aplomb/report/view/run_folder.hpp"

namespace aplomb {

/// Shows runs in a browser on this machine only: it listens on 127.0.0.1 and answers GET requests that have the random
/// token of its address and come from no other site. It serves the given runs from memory, and their logs; no part of
/// an address is ever used as a file name. Connections and their times are bounded (HttpLimits).
class ViewServer {
 public:
  /// The first run is shown, the others are overlaid. Takes a free port; throws Error when there is none.
  explicit ViewServer(std::vector<RunFolder> runs);
  ~ViewServer();

  std::string address() const;  ///< "http://127.0.0.1:PORT/TOKEN/"
  /// Serves until `is_over` returns true; it is called ten times a second.
  void run(const std::function<bool()>& is_over);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace aplomb
