#include "shared/resumption.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "verbs.hpp"

namespace aplomb {

void tell_resumption(const PartialResults& kept, std::string_view items) {
  if (kept.num_items() > 0) {
    tell(fmt::format("{}: resuming after {} finished {}\n", kept.shown(), kept.num_items(), items));
  }
  if (kept.num_outdated() > 0) {
    tell(fmt::format("{}: {} finished {} are made again, because a file that they were made from has changed\n",
                     kept.shown(), kept.num_outdated(), items));
  }
}

std::string options_text(const CLI::App& verb, std::initializer_list<std::string_view> without) {
  std::string text;
  for (const CLI::Option* option : verb.get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 || std::ranges::find(without, name) != without.end()) continue;
    text += fmt::format("{} {}\n", name, fmt::join(option->results(), "\n  "));
  }
  return text;
}

}  // namespace aplomb
