#include "aplomb/report/view_server.hpp"

#include <fmt/format.h>

#include <charconv>
#include <random>

#include "aplomb/core/error.hpp"
#include "aplomb/report/mcap/binary_log.hpp"
#include "aplomb/report/page/report_page.hpp"
#include "aplomb/report/view/http_server.hpp"

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

HttpResponse refusal(int status, const std::string& why) { return {.status = status, .body = why + "\n"}; }

}  // namespace

struct ViewServer::Parts {
  explicit Parts(std::vector<RunFolder> given)
      : runs(std::move(given)), server([this](const HttpRequest& request) { return with_headers(answer(request)); }) {}

  static HttpResponse with_headers(HttpResponse response) {
    response.headers.insert(response.headers.end(), {{"Content-Security-Policy", view_content_security_policy()},
                                                     {"X-Content-Type-Options", "nosniff"},
                                                     {"X-Frame-Options", "DENY"},
                                                     {"Referrer-Policy", "no-referrer"},
                                                     {"Cross-Origin-Resource-Policy", "same-origin"},
                                                     {"Cross-Origin-Opener-Policy", "same-origin"},
                                                     {"Cache-Control", "no-store"}});
    return response;
  }

  /// Whether a request comes from this server's page. Requests of other sites, even with the right port, differ in Host
  /// (DNS rebinding) or in Origin.
  bool is_from_here(const HttpRequest& request) const {
    const std::string* given = request.header("host");
    const std::string* origin = request.header("origin");
    for (const char* name : {kHost, "localhost"}) {
      const std::string host = fmt::format("{}:{}", name, server.port());
      if (given == nullptr || *given != host) continue;
      return origin == nullptr || *origin == "http://" + host;
    }
    return false;
  }

  HttpResponse answer(const HttpRequest& request) const {
    if (request.method != "GET") {
      HttpResponse response = refusal(405, "only GET is answered");
      response.headers.emplace_back("Allow", "GET");
      return response;
    }
    if (!is_from_here(request)) return refusal(403, "this address is for this machine's browser alone");
    std::string_view path = request.target;
    if (!path.starts_with('/') || !is_same(path.substr(1, token.size()), token)) return refusal(404, "not here");
    path.remove_prefix(1 + token.size());
    if (path == "/") {
      return {.content_type = "text/html; charset=utf-8", .body = view_html(names(), runs.front().page_data)};
    }
    return answer_run(path);
  }

  /// Answers "/run/1" and "/run/1/log".
  HttpResponse answer_run(std::string_view path) const {
    constexpr std::string_view kRun = "/run/", kLog = "/log";
    if (!path.starts_with(kRun)) return refusal(404, "not here");
    path.remove_prefix(kRun.size());
    std::size_t index = 0;
    const auto [rest, error] = std::from_chars(path.data(), path.data() + path.size(), index);
    const std::string_view what(rest, static_cast<std::size_t>(path.data() + path.size() - rest));
    if (error != std::errc() || index >= runs.size()) return refusal(404, "no such run");
    if (what.empty()) return {.content_type = "application/json", .body = runs[index].page_data};
    if (what != kLog) return refusal(404, "not here");
    try {
      return {.content_type = "application/octet-stream", .body = binary_log(read_log_of(runs[index]))};
    } catch (const Error& problem) {
      return refusal(422, problem.what());
    }
  }

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const RunFolder& run : runs) all.push_back(run.name);
    return all;
  }

  std::vector<RunFolder> runs;
  std::string token = make_token();
  HttpServer server;
};

ViewServer::ViewServer(std::vector<RunFolder> runs) : parts_(std::make_unique<Parts>(std::move(runs))) {}

ViewServer::~ViewServer() = default;

std::string ViewServer::address() const {
  return fmt::format("http://{}:{}/{}/", kHost, parts_->server.port(), parts_->token);
}

void ViewServer::run(const std::function<bool()>& is_over) { parts_->server.run(is_over); }

}  // namespace aplomb
