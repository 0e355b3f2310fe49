#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace aplomb::test {

/// Reads these bytes as a datagram of the link between robot and controller (link/messages.hpp), as they are and, so
/// that what lies behind the checksum is reached too, with size and checksum put right. A reading or a command that is
/// read must be written again as the same bytes.
void fuzz_message(std::string_view bytes);

/// One datagram of each kind.
std::vector<std::string> message_seeds();

}  // namespace aplomb::test
