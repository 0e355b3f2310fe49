#include "aplomb/report/view_server.hpp"

#include <fmt/format.h>
#include <httplib.h>

#include <atomic>
#include <charconv>
#include <chrono>
#include <random>
#include <thread>

#include "aplomb/core/error.hpp"
#include "aplomb/report/mcap/binary_log.hpp"
#include "aplomb/report/page/report_page.hpp"

namespace aplomb {
namespace {

constexpr const char* kHost = "127.0.0.1";

std::string make_token() {
  std::random_device random;
  std::string token;
  for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", random());
  return token;
}

/// Compares in constant time, independent of the position of the first difference.
bool is_same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned>(static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]));
  }
  return difference == 0;
}

void refuse(httplib::Response& response, int status, const std::string& why) {
  response.status = status;
  response.set_content(why + "\n", "text/plain; charset=utf-8");
}

}  // namespace

struct ViewServer::Parts {
  std::vector<RunFolder> runs;
  std::string token = make_token();
  int port = 0;
  httplib::Server server;

  /// Whether a request comes from this server's page. Requests of other sites, even with the right port, differ in Host
  /// (DNS rebinding) or in Origin.
  bool is_from_here(const httplib::Request& request) const {
    for (const char* name : {kHost, "localhost"}) {
      const std::string host = fmt::format("{}:{}", name, port);
      if (request.get_header_value("Host") != host) continue;
      return !request.has_header("Origin") || request.get_header_value("Origin") == "http://" + host;
    }
    return false;
  }

  void answer(const httplib::Request& request, httplib::Response& response) {
    if (request.method != "GET") {
      response.set_header("Allow", "GET");
      return refuse(response, 405, "only GET is answered");
    }
    if (!is_from_here(request)) return refuse(response, 403, "this address is for this machine's browser alone");
    std::string_view path = request.path;
    if (!path.starts_with('/') || !is_same(path.substr(1, token.size()), token))
      return refuse(response, 404, "not here");
    path.remove_prefix(1 + token.size());
    if (path == "/")
      return response.set_content(view_html(names(), runs.front().page_data), "text/html; charset=utf-8");
    answer_run(path, response);
  }

  /// Answers "/run/1" and "/run/1/log".
  void answer_run(std::string_view path, httplib::Response& response) {
    constexpr std::string_view kRun = "/run/", kLog = "/log";
    if (!path.starts_with(kRun)) return refuse(response, 404, "not here");
    path.remove_prefix(kRun.size());
    std::size_t index = 0;
    const auto [rest, error] = std::from_chars(path.data(), path.data() + path.size(), index);
    const std::string_view what(rest, static_cast<std::size_t>(path.data() + path.size() - rest));
    if (error != std::errc() || index >= runs.size()) return refuse(response, 404, "no such run");
    if (what.empty()) return response.set_content(runs[index].page_data, "application/json");
    if (what != kLog) return refuse(response, 404, "not here");
    try {
      response.set_content(binary_log(read_log_of(runs[index])), "application/octet-stream");
    } catch (const Error& problem) {
      refuse(response, 422, problem.what());
    }
  }

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const RunFolder& run : runs) all.push_back(run.name);
    return all;
  }
};

ViewServer::ViewServer(std::vector<RunFolder> runs) : parts_(std::make_unique<Parts>()) {
  parts_->runs = std::move(runs);
  parts_->server.set_default_headers({{"Content-Security-Policy", view_content_security_policy()},
                                      {"X-Content-Type-Options", "nosniff"},
                                      {"X-Frame-Options", "DENY"},
                                      {"Referrer-Policy", "no-referrer"},
                                      {"Cross-Origin-Resource-Policy", "same-origin"},
                                      {"Cross-Origin-Opener-Policy", "same-origin"},
                                      {"Cache-Control", "no-store"}});
  parts_->server.set_payload_max_length(0);
  // All requests are answered here: the library never looks up a route or a file.
  parts_->server.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
    parts_->answer(request, response);
    return httplib::Server::HandlerResponse::Handled;
  });
  parts_->port = parts_->server.bind_to_any_port(kHost);
  if (parts_->port <= 0) throw Error(fmt::format("cannot listen on {}: no free port, or not allowed here", kHost));
}

ViewServer::~ViewServer() = default;

std::string ViewServer::address() const { return fmt::format("http://{}:{}/{}/", kHost, parts_->port, parts_->token); }

void ViewServer::run(const std::function<bool()>& is_over) {
  std::atomic<bool> has_ended = false;
  std::thread listener([this, &has_ended] {
    parts_->server.listen_after_bind();
    has_ended = true;
  });
  while (!is_over() && !has_ended) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  // stop() has no effect on a server that is not running yet.
  while (!parts_->server.is_running() && !has_ended) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  if (!has_ended) parts_->server.stop();
  listener.join();
}

}  // namespace aplomb
