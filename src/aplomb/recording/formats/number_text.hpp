#pragma once

#include <string>
#include <string_view>

namespace aplomb {

/// Content of a table's cell.
enum class Cell { number, blank, wrong };

/// Reads the cell that begins at `at` and ends before the next `separator` or at `end`; `at` is advanced to it. A cell
/// that is empty or says NaN (in any case) is blank, and its value NaN; anything but a finite decimal number is wrong.
Cell read_cell(const char*& at, const char* end, char separator, double& value);

/// Parses the whole text as a finite number; false when it is anything else.
bool parse_number(std::string_view text, double& value);

/// Appends the shortest text that reads back as exactly this number; "NaN" when it is not a number.
void append_number(std::string& text, float value);
void append_number(std::string& text, double value);

}  // namespace aplomb
