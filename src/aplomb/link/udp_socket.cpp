#include "aplomb/link/udp_socket.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <ctime>

#include "aplomb/core/error.hpp"

namespace aplomb {
namespace {

sockaddr_in system_address(const LinkAddress& address) {
  sockaddr_in result{};
  result.sin_family = AF_INET;
  result.sin_addr.s_addr = htonl(address.host);
  result.sin_port = htons(address.port);
  return result;
}

LinkAddress link_address(const sockaddr_in& address) {
  return {.host = ntohl(address.sin_addr.s_addr), .port = ntohs(address.sin_port)};
}

int open_socket() {
  const int descriptor = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) throw InvalidValue(fmt::format("no UDP socket can be opened: {}", std::strerror(errno)));
  return descriptor;
}

std::string bind_error(const LinkAddress& address, int error) {
  if (error == EADDRINUSE) {
    return fmt::format(
        "port {} is in use at {}: another robot is served there; choose another port, or 0 for any that "
        "is free",
        address.port, address.text());
  }
  if (error == EADDRNOTAVAIL) {
    return fmt::format("{} is not an address of this machine; `ip address` lists them", address.text());
  }
  return fmt::format("cannot listen at {}: {}", address.text(), std::strerror(error));
}

}  // namespace

UdpSocket::UdpSocket() : descriptor_(open_socket()) {}

UdpSocket::UdpSocket(const LinkAddress& listen) : descriptor_(open_socket()) {
  const sockaddr_in own = system_address(listen);
  if (::bind(descriptor_, reinterpret_cast<const sockaddr*>(&own), sizeof own) == 0) return;
  const int error = errno;
  ::close(descriptor_);
  throw InvalidValue(bind_error(listen, error));
}

UdpSocket::~UdpSocket() { ::close(descriptor_); }

LinkAddress UdpSocket::address() const {
  sockaddr_in own{};
  socklen_t size = sizeof own;
  ::getsockname(descriptor_, reinterpret_cast<sockaddr*>(&own), &size);
  return link_address(own);
}

void UdpSocket::connect_to(const LinkAddress& peer) {
  const sockaddr_in other = system_address(peer);
  if (::connect(descriptor_, reinterpret_cast<const sockaddr*>(&other), sizeof other) == 0) return;
  throw InvalidValue(fmt::format("cannot reach {}: {}", peer.text(), std::strerror(errno)));
}

bool UdpSocket::send(std::span<const std::byte> bytes) noexcept {
  // An earlier datagram's refusal is reported by the next call, which then has not sent: once more.
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (::send(descriptor_, bytes.data(), bytes.size(), 0) >= 0) return true;
    if (errno != ECONNREFUSED) return true;  // a full queue: the datagram is lost, as any may be
  }
  return false;
}

void UdpSocket::send_to(std::span<const std::byte> bytes, const LinkAddress& to) noexcept {
  const sockaddr_in other = system_address(to);
  ::sendto(descriptor_, bytes.data(), bytes.size(), 0, reinterpret_cast<const sockaddr*>(&other), sizeof other);
}

UdpSocket::Received UdpSocket::receive(std::span<std::byte> out, double timeout_s) noexcept {
  pollfd waiting{.fd = descriptor_, .events = POLLIN, .revents = 0};
  timespec timeout{};
  timeout.tv_sec = static_cast<std::time_t>(std::max(timeout_s, 0.0));
  timeout.tv_nsec = static_cast<long>(1e9 * (std::max(timeout_s, 0.0) - std::floor(std::max(timeout_s, 0.0))));
  if (::ppoll(&waiting, 1, &timeout, nullptr) <= 0) return {};
  sockaddr_in from{};
  socklen_t size = sizeof from;
  const ssize_t received =
      ::recvfrom(descriptor_, out.data(), out.size(), 0, reinterpret_cast<sockaddr*>(&from), &size);
  if (received < 0)
    return {.outcome = errno == ECONNREFUSED ? Outcome::peer_gone : Outcome::nothing, .size = 0, .from = {}};
  return {.outcome = Outcome::received, .size = static_cast<std::size_t>(received), .from = link_address(from)};
}

}  // namespace aplomb
