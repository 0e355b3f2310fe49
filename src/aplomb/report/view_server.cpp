#include "aplomb/report/view_server.hpp"

#include <charconv>
#include <utility>

#include "aplomb/core/error.hpp"
#include "aplomb/report/mcap/binary_log.hpp"
#include "aplomb/report/page/report_page.hpp"
#include "aplomb/report/view/http_server.hpp"
#include "aplomb/report/view/private_address.hpp"

namespace aplomb {
struct ViewServer::Parts {
  explicit Parts(std::vector<RunFolder> given)
      : runs(std::move(given)), server([this](const HttpRequest& request) { return answer(request); }) {}

  HttpResponse answer(const HttpRequest& request) const {
    return address.answer(request, server.port(), [this](std::string_view path) {
      if (path != "/") return answer_run(path);
      return HttpResponse{.content_type = "text/html; charset=utf-8",
                          .body = view_html(names(), runs.front().page_data)};
    });
  }

  /// Answers "/run/1" and "/run/1/log".
  HttpResponse answer_run(std::string_view path) const {
    constexpr std::string_view kRun = "/run/", kLog = "/log";
    if (!path.starts_with(kRun)) return http_refusal(404, "not here");
    path.remove_prefix(kRun.size());
    std::size_t index = 0;
    const auto [rest, error] = std::from_chars(path.data(), path.data() + path.size(), index);
    const std::string_view what(rest, static_cast<std::size_t>(path.data() + path.size() - rest));
    if (error != std::errc() || index >= runs.size()) return http_refusal(404, "no such run");
    if (what.empty()) return {.content_type = "application/json", .body = runs[index].page_data};
    if (what != kLog) return http_refusal(404, "not here");
    try {
      return {.content_type = "application/octet-stream", .body = binary_log(read_log_of(runs[index]))};
    } catch (const Error& problem) {
      return http_refusal(422, problem.what());
    }
  }

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const RunFolder& run : runs) all.push_back(run.name);
    return all;
  }

  std::vector<RunFolder> runs;
  PrivateAddress address;
  HttpServer server;
};

ViewServer::ViewServer(std::vector<RunFolder> runs) : parts_(std::make_unique<Parts>(std::move(runs))) {}

ViewServer::~ViewServer() = default;

std::string ViewServer::address() const { return parts_->address.text(parts_->server.port()); }

void ViewServer::run(const std::function<bool()>& is_over) { parts_->server.run(is_over); }

}  // namespace aplomb
