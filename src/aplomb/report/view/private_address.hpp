#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "aplomb/report/view/http_server.hpp"

namespace aplomb {

/// The address of a page that is for this machine's browser alone. It has a random token, and requests are answered
/// only when they have it, are GET, and come from no other site.
class PrivateAddress {
 public:
  PrivateAddress();

  std::string text(int port) const;  ///< "http://127.0.0.1:PORT/TOKEN/"
  /// The answer of `content` to the path after the token ("/", "/run/1"), or the refusal; with the headers that keep
  /// other sites out.
  HttpResponse answer(const HttpRequest& request, int port,
                      const std::function<HttpResponse(std::string_view path)>& content) const;

 private:
  std::string token_;
};

HttpResponse http_refusal(int status, const std::string& why);

}  // namespace aplomb
