#pragma once

#include <cstddef>
#include <span>

#include "aplomb/link/link_address.hpp"

namespace aplomb {

/// A UDP socket. After `connect_to` only the peer's datagrams arrive, and on one machine a peer that has ended is
/// noticed at the next exchange.
class UdpSocket {
 public:
  enum class Outcome { received, nothing, peer_gone };
  struct Received {
    Outcome outcome = Outcome::nothing;
    std::size_t size = 0;
    LinkAddress from;
  };

  UdpSocket();  ///< for a controller; throws InvalidValue
  /// Listens. Throws InvalidValue when the port is in use, or the address is not one of this machine.
  explicit UdpSocket(const LinkAddress& listen);
  ~UdpSocket();
  UdpSocket(const UdpSocket&) = delete;
  UdpSocket& operator=(const UdpSocket&) = delete;

  LinkAddress address() const;                           ///< its own, with the port that was chosen
  void connect_to(const LinkAddress& peer);              ///< throws InvalidValue
  bool send(std::span<const std::byte> bytes) noexcept;  ///< false: the peer has ended
  void send_to(std::span<const std::byte> bytes, const LinkAddress& to) noexcept;
  /// Waits up to `timeout_s` for one datagram; a longer one than `out` is cut (its size is then wrong for read_header).
  Received receive(std::span<std::byte> out, double timeout_s) noexcept;

 private:
  int descriptor_ = -1;
};

}  // namespace aplomb
