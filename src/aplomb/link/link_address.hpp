#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace aplomb {

/// Where a robot or a controller is reached: an IPv4 address in numbers and a UDP port.
struct LinkAddress {
  std::uint32_t host = 0x7F000001;  ///< 127.0.0.1, in the machine's byte order
  std::uint16_t port = 0;           ///< 0: one that is free, where one listens

  bool is_loopback() const { return (host >> 24U) == 127U; }
  std::string text() const;  ///< "127.0.0.1:4000"
  bool operator==(const LinkAddress&) const = default;
};

/// Reads "127.0.0.1:4000" or "localhost:4000". Port 0 only where `may_choose_port`; an address that is not of this
/// machine alone (127.x.x.x) only where `may_leave_machine`. Throws InvalidValue, which names `option`.
LinkAddress parse_link_address(std::string_view text, std::string_view option, bool may_choose_port,
                               bool may_leave_machine);

}  // namespace aplomb
