#include "aplomb/report/view/http_server.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "aplomb/core/error.hpp"

namespace aplomb {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kBacklog = 128;
constexpr int kPollMs = 100;
constexpr std::chrono::milliseconds kLingerTime{1000};  // for the client to close its side
constexpr std::string_view kEndOfHead = "\r\n\r\n";

const char* reason_phrase(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 410:
      return "Gone";
    case 422:
      return "Unprocessable Content";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    default:
      return "Error";
  }
}

std::string text_of(const HttpResponse& response) {
  std::string text =
      fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n", response.status,
                  reason_phrase(response.status), response.content_type, response.body.size());
  for (const auto& [name, value] : response.headers) text += fmt::format("{}: {}\r\n", name, value);
  return text + "\r\n" + response.body;
}

/// A visible ASCII character: what a request line consists of.
bool is_visible(unsigned char letter) { return letter > 0x20 && letter < 0x7F; }

bool is_token(std::string_view text) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return is_letter || kMarks.find(c) != kMarks.npos;
  });
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return lower;
}

bool would_block(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

}  // namespace

const std::string* HttpRequest::header(std::string_view lower_case_name) const {
  const auto found = std::ranges::find(headers, lower_case_name, &std::pair<std::string, std::string>::first);
  return found == headers.end() ? nullptr : &found->second;
}

int parse_http_request(std::string_view head, HttpRequest& request) {
  constexpr int kBadRequest = 400;
  if (!head.ends_with(kEndOfHead)) return kBadRequest;
  head.remove_suffix(2);
  bool is_first = true;
  while (!head.empty()) {
    const std::string_view line = head.substr(0, head.find("\r\n"));
    head.remove_prefix(line.size() + 2);
    if (is_first) {
      const std::size_t first = line.find(' '), last = line.rfind(' ');
      if (first == line.npos || last == first) return kBadRequest;
      const std::string_view version = line.substr(last + 1);
      request.method = line.substr(0, first);
      request.target = line.substr(first + 1, last - first - 1);
      if (version != "HTTP/1.1" && version != "HTTP/1.0") return kBadRequest;
      if (!is_token(request.method) || request.target.empty()) return kBadRequest;
      if (!std::ranges::all_of(request.target, [](char c) { return is_visible(static_cast<unsigned char>(c)); })) {
        return kBadRequest;
      }
      is_first = false;
      continue;
    }
    const std::size_t colon = line.find(':');
    if (colon == line.npos || !is_token(line.substr(0, colon))) return kBadRequest;
    const std::string_view value = trimmed(line.substr(colon + 1));
    if (value.find_first_of(std::string_view("\0\r\n", 3)) != value.npos) return kBadRequest;
    request.headers.emplace_back(lower_case(line.substr(0, colon)), value);
  }
  return is_first ? kBadRequest : 0;
}

/// One connection: it reads a request, sends the response, waits for the client to close.
class HttpServer::Connection {
 public:
  Connection(int socket, const HttpLimits& limits)
      : socket_(socket), limits_(limits), deadline_(Clock::now() + limits.request_time) {}
  ~Connection() { ::close(socket_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  int socket() const { return socket_; }
  short events() const { return state_ == State::sending ? POLLOUT : POLLIN; }
  bool is_over() const { return state_ == State::over; }
  bool is_sending() const { return state_ == State::sending; }

  /// Does what can be done without waiting.
  void advance(const Handler& handler) {
    if (state_ == State::reading) read(handler);
    if (state_ == State::sending) send();
    if (state_ == State::lingering) drain();
    if (state_ != State::over && Clock::now() > deadline_) expire();
  }

 private:
  enum class State { reading, sending, lingering, over };

  void read(const Handler& handler) {
    char chunk[4096];
    const ssize_t count = ::recv(socket_, chunk, sizeof(chunk), 0);
    if (count == 0 || (count < 0 && !would_block(errno))) state_ = State::over;
    if (count <= 0) return;
    bytes_.append(chunk, static_cast<std::size_t>(count));
    const std::size_t end = bytes_.find(kEndOfHead);
    if (end == bytes_.npos) {
      if (bytes_.size() > limits_.request_bytes) respond({.status = 431, .body = "the request is too long\n"});
      return;
    }
    HttpRequest request;
    const int status = parse_http_request(std::string_view(bytes_).substr(0, end + kEndOfHead.size()), request);
    if (status != 0) return respond({.status = status, .body = "not a request\n"});
    try {
      respond(handler(request));
    } catch (const std::exception& error) {  // e.g. a log that does not fit into memory
      respond({.status = 500, .body = fmt::format("the answer failed: {}\n", error.what())});
    }
  }

  void respond(const HttpResponse& response) {
    bytes_ = text_of(response);
    num_sent_ = 0;
    state_ = State::sending;
    deadline_ = Clock::now() + limits_.response_time;
  }

  void send() {
    while (num_sent_ < bytes_.size()) {
      const ssize_t count = ::send(socket_, bytes_.data() + num_sent_, bytes_.size() - num_sent_, MSG_NOSIGNAL);
      if (count < 0 && would_block(errno)) return;
      if (count < 0) {
        state_ = State::over;
        return;
      }
      num_sent_ += static_cast<std::size_t>(count);
    }
    // A socket that is closed with unread bytes resets the connection, and the client may lose the response.
    bytes_.clear();
    ::shutdown(socket_, SHUT_WR);
    state_ = State::lingering;
    deadline_ = Clock::now() + kLingerTime;
  }

  void drain() {
    char chunk[4096];
    const ssize_t count = ::recv(socket_, chunk, sizeof(chunk), 0);
    if (count == 0 || (count < 0 && !would_block(errno))) state_ = State::over;
  }

  void expire() {
    const bool has_begun = state_ == State::reading && !bytes_.empty();
    state_ = State::over;
    if (!has_begun) return;
    const std::string answer = text_of({.status = 408, .body = "the request came too slowly\n"});
    [[maybe_unused]] const ssize_t ignored = ::send(socket_, answer.data(), answer.size(), MSG_NOSIGNAL);
  }

  int socket_;
  const HttpLimits& limits_;
  State state_ = State::reading;
  Clock::time_point deadline_;
  std::string bytes_;  ///< of the request so far, or of the response
  std::size_t num_sent_ = 0;
};

HttpServer::HttpServer(Handler handler, const HttpLimits& limits) : handler_(std::move(handler)), limits_(limits) {
  socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof(address);
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (socket_ < 0 || ::bind(socket_, generic, length) != 0 || ::listen(socket_, kBacklog) != 0 ||
      ::getsockname(socket_, generic, &length) != 0) {
    const std::string reason = std::generic_category().message(errno);
    if (socket_ >= 0) ::close(socket_);
    throw Error(fmt::format("cannot listen on 127.0.0.1: {}", reason));
  }
  port_ = ntohs(address.sin_port);
}

HttpServer::~HttpServer() { ::close(socket_); }

void HttpServer::run(const std::function<bool()>& is_over) {
  while (!is_over()) {
    std::vector<pollfd> waiting{{socket_, POLLIN, 0}};
    for (const auto& connection : connections_) waiting.push_back({connection->socket(), connection->events(), 0});
    ::poll(waiting.data(), waiting.size(), kPollMs);
    for (const auto& connection : connections_) connection->advance(handler_);
    if (waiting[0].revents != 0) accept_all();
    std::erase_if(connections_, [](const auto& connection) { return connection->is_over(); });
  }
  connections_.clear();
}

void HttpServer::accept_all() {
  for (int i = 0; i < kBacklog; ++i) {
    const int socket = ::accept4(socket_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0) {
      if (errno == EMFILE || errno == ENFILE) make_room();
      return;
    }
    make_room();
    if (connections_.size() >= limits_.connections) {
      ::close(socket);
      continue;
    }
    connections_.push_back(std::make_unique<Connection>(socket, limits_));
    connections_.back()->advance(handler_);  // its request is often there already
  }
}

void HttpServer::make_room() {
  std::erase_if(connections_, [](const auto& connection) { return connection->is_over(); });
  if (connections_.size() < limits_.connections) return;
  const auto oldest = std::ranges::find_if(connections_, [](const auto& one) { return !one->is_sending(); });
  if (oldest != connections_.end()) connections_.erase(oldest);
}

}  // namespace aplomb
