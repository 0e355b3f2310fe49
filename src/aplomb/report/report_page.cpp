#include "aplomb/report/report_page.hpp"

#include <string_view>

#include "aplomb/report/page_bundle.hpp"
#include "aplomb/report/page_data.hpp"

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

/// JSON inside a script element ends at the first "</script" and changes its rules at "<!--", so that no "<" may
/// remain. Outside of its strings JSON has none.
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

/// Only this page's own script and style may run, and nothing may be fetched, even if an escape were forgotten.
std::string content_security_policy() {
  return std::string("default-src 'none'; base-uri 'none'; form-action 'none'; script-src '")
      .append(kReportScriptHash)
      .append("'; style-src '")
      .append(kReportStyleHash)
      .append("'");
}

}  // namespace

std::string report_html(const Result& result, const Log& log, const ReportPage& page,
                        const std::vector<std::string>& log_files) {
  const std::string title = escape_html(page.title);
  std::string html = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  html += "<meta http-equiv=\"Content-Security-Policy\" content=\"" + content_security_policy() + "\">\n";
  html += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  html += "<title>" + title + ": " + result.verdict() + "</title>\n<style>";
  html += kReportStyle;
  html += "</style>\n</head>\n<body>\n<noscript>" + title + ": " + result.verdict() +
          ". The tables and plots of this page need JavaScript; metrics.json beside it has the numbers.</noscript>\n";
  html += "<main id=\"report\"></main>\n<script type=\"application/json\" id=\"page-data\">";
  html += escape_script(page_data_json(result, log, page, log_files));
  html += "</script>\n<script>";
  html += kReportScript;
  html += "</script>\n</body>\n</html>\n";
  return html;
}

}  // namespace aplomb
