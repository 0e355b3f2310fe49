#pragma once

#include <string>
#include <string_view>

namespace aplomb {

/// A field as RFC 4180 has it: quoted when it holds a comma, a quote or a line break.
std::string csv_field(std::string_view text);

}  // namespace aplomb
