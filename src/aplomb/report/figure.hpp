#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace aplomb {

/// The figures that a report's data (RunFolder::page_data) can give: its plots by their titles, as
/// `centre_of_mass_forward`. Where two have one title, the later ones end in _2, _3.
std::vector<std::string> figure_names(std::string_view page_data);

/// One of them as an SVG for a paper: black on white, axes with units, colours that the colour-blind can tell apart.
/// Throws UnknownName; InvalidValue when the data are not a report's.
std::string figure_svg(std::string_view page_data, std::string_view name);

}  // namespace aplomb
