#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "aplomb/report/view/run_folder.hpp"

namespace aplomb {

/// Shows runs in a browser on this machine, and to nobody else: it listens on 127.0.0.1, and answers GET requests that
/// know the random token of its address and come from no other site. It serves what it was given in memory and the log
/// of these folders; no part of an address is ever taken for a file's name.
class ViewServer {
 public:
  /// The first run is shown, the others as its ghosts. Takes a free port; throws Error when there is none.
  explicit ViewServer(std::vector<RunFolder> runs);
  ~ViewServer();

  std::string address() const;  ///< "http://127.0.0.1:PORT/TOKEN/"
  /// Serves until `is_over`, which is asked ten times a second.
  void run(const std::function<bool()>& is_over);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace aplomb
