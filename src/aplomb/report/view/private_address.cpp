#include "aplomb/report/view/private_address.hpp"

#include <fmt/format.h>

#include <random>

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

/// Whether a request comes from this server's page. Requests of other sites, even with the right port, differ in Host
/// (DNS rebinding) or in Origin.
bool is_from_here(const HttpRequest& request, int port) {
  const std::string* given = request.header("host");
  const std::string* origin = request.header("origin");
  for (const char* name : {kHost, "localhost"}) {
    const std::string host = fmt::format("{}:{}", name, port);
    if (given == nullptr || *given != host) continue;
    return origin == nullptr || *origin == "http://" + host;
  }
  return false;
}

HttpResponse with_headers(HttpResponse response) {
  response.headers.insert(response.headers.end(), {{"Content-Security-Policy", view_content_security_policy()},
                                                   {"X-Content-Type-Options", "nosniff"},
                                                   {"X-Frame-Options", "DENY"},
                                                   {"Referrer-Policy", "no-referrer"},
                                                   {"Cross-Origin-Resource-Policy", "same-origin"},
                                                   {"Cross-Origin-Opener-Policy", "same-origin"},
                                                   {"Cache-Control", "no-store"}});
  return response;
}

}  // namespace

HttpResponse http_refusal(int status, const std::string& why) { return {.status = status, .body = why + "\n"}; }

PrivateAddress::PrivateAddress() : token_(make_token()) {}

std::string PrivateAddress::text(int port) const { return fmt::format("http://{}:{}/{}/", kHost, port, token_); }

HttpResponse PrivateAddress::answer(const HttpRequest& request, int port,
                                    const std::function<HttpResponse(std::string_view path)>& content) const {
  if (request.method != "GET") {
    HttpResponse response = http_refusal(405, "only GET is answered");
    response.headers.emplace_back("Allow", "GET");
    return with_headers(std::move(response));
  }
  if (!is_from_here(request, port)) {
    return with_headers(http_refusal(403, "this address is for this machine's browser alone"));
  }
  std::string_view path = request.target;
  if (!path.starts_with('/') || !is_same(path.substr(1, token_.size()), token_)) {
    return with_headers(http_refusal(404, "not here"));
  }
  path.remove_prefix(1 + token_.size());
  return with_headers(content(path));
}

}  // namespace aplomb
