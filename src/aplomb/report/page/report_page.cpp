#include "aplomb/report/page/report_page.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "aplomb/core/metric_json.hpp"
#include "aplomb/report/check_text.hpp"
#include "aplomb/report/page/page_bundle.hpp"
#include "aplomb/report/page/page_data.hpp"

namespace aplomb {
namespace {

std::string escape_html(std::string_view text) {
  std::string escaped;
  for (const char letter : text) {
    switch (letter) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += letter;
    }
  }
  return escaped;
}

/// Escapes every "<" of a JSON text: inside a script element "</script" would end it and "<!--" change its parsing. In
/// JSON "<" occurs in strings only.
std::string escape_script(std::string_view json) {
  std::string escaped;
  escaped.reserve(json.size());
  for (const char letter : json) {
    if (letter == '<') {
      escaped += "\\u003c";
    } else {
      escaped += letter;
    }
  }
  return escaped;
}

/// Content-security policy that allows only this page's own script and style, and no requests.
std::string content_security_policy(bool has_replay) {
  return std::string("default-src 'none'; base-uri 'none'; form-action 'none'; script-src '")
      .append(has_replay ? kReplayScriptHash : kReportScriptHash)
      .append("'; style-src '")
      .append(kReportStyleHash)
      .append("'");
}

/// The HTML page that contains the script; `title` is plain text, `head` and `data` are HTML.
std::string page_html(const std::string& title, const std::string& head, const std::string& sorry,
                      const std::string& data, bool has_replay) {
  std::string html = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" + head;
  html += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  html += "<title>" + escape_html(title) + "</title>\n<style>";
  html += kReportStyle;
  html += "</style>\n</head>\n<body>\n<noscript>" + escape_html(sorry) + "</noscript>\n";
  html += "<main id=\"report\"></main>\n" + data + "<script>";
  html += has_replay ? kReplayScript : kReportScript;
  html += "</script>\n</body>\n</html>\n";
  return html;
}

std::string data_html(const std::string& id, std::string_view json) {
  return "<script type=\"application/json\" id=\"" + id + "\">" + escape_script(json) + "</script>\n";
}

/// Whether any replay is shown, at the top or in a chapter.
bool shows_replay(const ReportPage& page, const std::vector<ReportChapter>& chapters) {
  const auto has_scene = [](const ReportPart& part) { return part.page.scene.has_value(); };
  return page.scene.has_value() || std::ranges::any_of(chapters, [&](const ReportChapter& chapter) {
           return std::ranges::any_of(chapter.parts, has_scene);
         });
}

}  // namespace

std::string report_html(const Result& result, const Log& log, const ReportPage& page,
                        const std::vector<std::string>& log_files, const std::vector<ReportChapter>& chapters) {
  const std::string title = page.title + ": " + verdict_text(result);
  const std::string head = "<meta http-equiv=\"Content-Security-Policy\" content=\"" +
                           content_security_policy(shows_replay(page, chapters)) + "\">\n";
  return page_html(
      title, head,
      title + ". The tables and plots of this page need JavaScript; metrics.json beside it has the numbers.",
      data_html("page-data", page_data_json(result, log, page, log_files, chapters)), shows_replay(page, chapters));
}

std::string view_html(const std::vector<std::string>& run_names, std::string_view page_data) {
  const nlohmann::ordered_json runs{{"runs", run_names}};
  const std::string title = run_names.empty() ? "aplomb" : run_names.front();
  return page_html(title, "", title + ". This page needs JavaScript.",
                   data_html("page-data", page_data) + data_html("view-data", json_text(runs)),
                   /*has_replay=*/true);
}

std::string live_html(const std::string& title, std::string_view page_data) {
  return page_html(title, "", title + ". This page needs JavaScript.",
                   data_html("page-data", page_data) + data_html("live-data", "{}"),
                   /*has_replay=*/true);
}

std::string view_content_security_policy() {
  return content_security_policy(/*has_replay=*/true) + "; connect-src 'self'; frame-ancestors 'none'";
}

}  // namespace aplomb
