#include "aplomb/report/live_server.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "aplomb/report/page/page_data.hpp"
#include "aplomb/report/page/report_page.hpp"
#include "aplomb/report/view/http_server.hpp"
#include "aplomb/report/view/private_address.hpp"

namespace aplomb {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kLongestPause{5};  // between two requests of an open page

}  // namespace

struct LiveServer::Parts {
  explicit Parts(std::string html)
      : live_html(std::move(html)), server([this](const HttpRequest& request) {
          return address.answer(request, server.port(), [this](std::string_view path) { return content(path); });
        }) {}

  HttpResponse content(std::string_view path) {
    const std::lock_guard lock(mutex);
    asked_at = Clock::now();
    if (path == "/") {
      is_watched = true;
      has_report = !report_html.empty();
      return {.content_type = "text/html; charset=utf-8", .body = has_report ? report_html : live_html};
    }
    // "/rows/3": the parts of the run's rows from the fourth on. 204: none yet. 410: there will be no more.
    constexpr std::string_view kRows = "/rows/";
    if (!path.starts_with(kRows)) return http_refusal(404, "not here");
    path.remove_prefix(kRows.size());
    std::size_t index = 0;
    const auto [rest, error] = std::from_chars(path.data(), path.data() + path.size(), index);
    if (error != std::errc() || rest != path.data() + path.size()) return http_refusal(404, "no such rows");
    if (index < rows.size()) {
      std::string parts;
      for (std::size_t i = index; i < rows.size(); ++i) parts += (i > index ? "," : "[") + rows[i];
      return {.content_type = "application/json", .body = parts + "]"};
    }
    if (report_html.empty()) return {.status = 204};
    return http_refusal(410, "the run is over");
  }

  std::mutex mutex;  // of what follows, up to the next comment
  std::string live_html, report_html;
  std::vector<std::string> rows;
  Clock::time_point asked_at;  ///< of the last request
  // Of the thread that simulates.
  std::size_t num_rows = 0;
  Log tracks;
  // Set by the server's thread.
  std::atomic<bool> is_watched = false, has_report = false;
  std::atomic<bool> is_over = false;
  PrivateAddress address;
  HttpServer server;
  std::thread thread;  // last: it uses all of the above
};

LiveServer::LiveServer(const Result& result, const Log& rows, const ReportPage& page)
    : parts_(std::make_unique<Parts>(live_html(page.title, page_data_json(result, rows, page, {})))) {
  if (page.scene) parts_->tracks = page.scene->tracks;
  parts_->thread =
      std::thread([parts = parts_.get()] { parts->server.run([parts] { return parts->is_over.load(); }); });
}

LiveServer::~LiveServer() {
  parts_->is_over = true;
  parts_->thread.join();
}

std::string LiveServer::address() const { return parts_->address.text(parts_->server.port()); }

bool LiveServer::is_watched() const { return parts_->is_watched; }

void LiveServer::add(const Log& rows) {
  Log tracks(parts_->tracks.columns());
  const std::size_t width = tracks.columns().size(), known = parts_->tracks.num_rows();
  for (std::size_t i = 0; known > 0 && i < rows.num_rows(); ++i) {
    tracks.append(parts_->tracks.values().subspan(std::min(parts_->num_rows + i, known - 1) * width, width));
  }
  std::string json = motion_part_json(rows, tracks, parts_->num_rows);
  parts_->num_rows += rows.num_rows();
  const std::lock_guard lock(parts_->mutex);
  parts_->rows.push_back(std::move(json));
}

void LiveServer::finish(const Result& result, const Log& log, const ReportPage& page,
                        const std::function<bool()>& is_over) {
  std::string report = report_html(result, log, page, {});
  {
    const std::lock_guard lock(parts_->mutex);
    parts_->report_html = std::move(report);
  }
  const auto is_page_open = [this] {
    const std::lock_guard lock(parts_->mutex);
    return Clock::now() - parts_->asked_at < kLongestPause;
  };
  while (is_watched() && !parts_->has_report && !is_over() && is_page_open()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

}  // namespace aplomb
