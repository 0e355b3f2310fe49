#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aplomb {

struct HttpRequest {
  std::string method;
  std::string target;                                        ///< as it was sent, percent-encoded
  std::vector<std::pair<std::string, std::string>> headers;  ///< names in lower case

  const std::string* header(std::string_view lower_case_name) const;  ///< the first of that name; null: none
};

struct HttpResponse {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
};

/// Bounds on what clients can take up.
struct HttpLimits {
  std::size_t connections = 64;                     ///< open at the same time
  std::size_t request_bytes = 16384;                ///< of request line and headers
  std::chrono::milliseconds request_time{5000};     ///< from the connection to the end of the request
  std::chrono::milliseconds response_time{120000};  ///< for the client to take the response
};

/// A minimal HTTP/1.1 server on 127.0.0.1: one thread, one request a connection, no request bodies. No client can make
/// another wait: sockets never block, and when all connections are taken, the one whose request has been incomplete for
/// the longest time makes room for a new one.
class HttpServer {
 public:
  using Handler = std::function<HttpResponse(const HttpRequest&)>;

  explicit HttpServer(Handler handler, const HttpLimits& limits = {});  ///< takes a free port; throws Error
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int port() const { return port_; }
  /// Serves until `is_over` returns true; it is called at least ten times a second.
  void run(const std::function<bool()>& is_over);

 private:
  class Connection;
  void accept_all();
  void make_room();

  Handler handler_;
  HttpLimits limits_;
  int socket_ = -1;
  int port_ = 0;
  std::vector<std::unique_ptr<Connection>> connections_;  ///< oldest first
};

/// Parses the head of a request, up to and including the empty line. Returns the status of the answer that it deserves
/// when it is malformed (400), or 0.
int parse_http_request(std::string_view head, HttpRequest& request);

}  // namespace aplomb
