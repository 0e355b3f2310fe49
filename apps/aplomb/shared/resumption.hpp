#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "aplomb/core/files/partial_results.hpp"

namespace CLI {
class App;
}

namespace aplomb {

/// Says on stderr what an earlier process left: "out.partial: resuming after 3 finished runs". `items`: "runs".
void tell_resumption(const PartialResults& kept, std::string_view items);

/// The options and arguments of a command as they were given, one a line, without those that change no result: for
/// PartialResults::Work. An option that a verb gets later is part of it without further ado.
std::string options_text(const CLI::App& verb, std::initializer_list<std::string_view> without);

}  // namespace aplomb
