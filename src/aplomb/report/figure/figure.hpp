#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aplomb {

/// The names of the figures in a report's data (RunFolder::page_data): the ids of its line and plane plots, e.g.
/// `centre_of_mass_forward`. Repeated ids get the suffix _2, _3.
std::vector<std::string> figure_names(std::string_view page_data);

/// A run whose curves are drawn.
struct FigureRun {
  std::string name;            ///< for the legend, if there are several runs
  std::string_view page_data;  ///< RunFolder::page_data
};

/// One of the first run's figures as an SVG for a paper: black on white, axes with units, colours that are safe for the
/// colour-blind; events (pushes, contact changes) as vertical lines. Curves of the other runs' plots of the same name
/// are overlaid. Its last line has a digest of the others. Throws InvalidValue on an unknown name (the text lists all),
/// and when the data are not those of a report.
std::string figure_svg(std::span<const FigureRun> runs, std::string_view name);

/// Whether a text is a figure of figure_svg that nobody has changed since.
bool is_unchanged_figure(const std::string& svg);

}  // namespace aplomb
