#include "aplomb/link/link_address.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "aplomb/core/error.hpp"

namespace aplomb {
namespace {

/// A decimal number without sign that fills `text` and is at most `most`.
std::optional<std::uint32_t> number(std::string_view text, std::uint32_t most) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || value > most) return std::nullopt;
  return value;
}

std::optional<std::uint32_t> host(std::string_view text) {
  if (text == "localhost") return 0x7F000001U;
  std::uint32_t value = 0;
  for (int part = 0; part < 4; ++part) {
    const std::size_t dot = part < 3 ? text.find('.') : text.size();
    if (dot == std::string_view::npos) return std::nullopt;
    const std::optional<std::uint32_t> byte = number(text.substr(0, dot), 255);
    if (!byte) return std::nullopt;
    value = (value << 8U) | *byte;
    text.remove_prefix(part < 3 ? dot + 1 : dot);
  }
  return value;
}

}  // namespace

std::string LinkAddress::text() const {
  return fmt::format("{}.{}.{}.{}:{}", host >> 24U, (host >> 16U) & 0xFFU, (host >> 8U) & 0xFFU, host & 0xFFU, port);
}

LinkAddress parse_link_address(std::string_view text, std::string_view option, bool may_choose_port,
                               bool may_leave_machine) {
  const std::size_t colon = text.rfind(':');
  const std::optional<std::uint32_t> found_host = host(text.substr(0, std::min(colon, text.size())));
  const std::optional<std::uint32_t> found_port =
      colon == std::string_view::npos ? std::nullopt : number(text.substr(colon + 1), 65535);
  if (!found_host || !found_port || (*found_port == 0 && !may_choose_port)) {
    throw InvalidValue(
        fmt::format("{} {}: not an address; valid: an IPv4 address in numbers, a colon and a port{}, e.g. "
                    "127.0.0.1:4000",
                    option, text, may_choose_port ? " (0: any that is free)" : " from 1 to 65535"));
  }
  const LinkAddress address{.host = *found_host, .port = static_cast<std::uint16_t>(*found_port)};
  if (!address.is_loopback() && !may_leave_machine) {
    throw InvalidValue(
        fmt::format("{} {}: not an address of this machine alone (127.0.0.1), and the messages are "
                    "neither encrypted nor signed; on a network of your own add --allow-network",
                    option, text));
  }
  return address;
}

}  // namespace aplomb
