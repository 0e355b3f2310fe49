#include "aplomb/report/view/http_server.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <deque>
#include <string>
#include <thread>

namespace aplomb {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

/// A blocking connection to the server.
class Client {
 public:
  explicit Client(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    is_connected_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
    const timeval patience{20, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
  }
  ~Client() { ::close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  bool is_connected() const { return is_connected_; }
  bool send(std::string_view bytes) const {
    return ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
  }
  /// All that comes until the server closes.
  std::string receive() const {
    std::string all;
    char chunk[65536];
    for (ssize_t count = 0; (count = ::recv(socket_, chunk, sizeof(chunk), 0)) > 0;) {
      all.append(chunk, static_cast<std::size_t>(count));
    }
    return all;
  }
  std::string ask(std::string_view request) const { return send(request) ? receive() : ""; }

 private:
  int socket_;
  bool is_connected_ = false;
};

/// A server that answers with the target, in a thread of its own.
class Echo {
 public:
  explicit Echo(const HttpLimits& limits = {})
      : server_([](const HttpRequest& request) { return HttpResponse{.body = request.target}; }, limits),
        thread_([this] { server_.run([this] { return is_over_.load(); }); }) {}
  ~Echo() {
    is_over_ = true;
    thread_.join();
  }
  Echo(const Echo&) = delete;
  Echo& operator=(const Echo&) = delete;
  int port() const { return server_.port(); }

 private:
  std::atomic<bool> is_over_ = false;
  HttpServer server_;
  std::thread thread_;
};

constexpr const char* kRequest = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n";

TEST(HttpServer, AnswersOneRequestAConnection) {
  const Echo server;
  const std::string answer = Client(server.port()).ask(kRequest);
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 OK\r\n")) << answer;
  EXPECT_TRUE(answer.ends_with("\r\n\r\n/x")) << answer;
  EXPECT_NE(answer.find("Content-Length: 2\r\n"), std::string::npos);
}

TEST(HttpServer, ARequestMayComeInPieces) {
  const Echo server;
  const Client client(server.port());
  for (const char letter : std::string(kRequest)) {
    ASSERT_TRUE(client.send({&letter, 1}));
    std::this_thread::sleep_for(milliseconds(1));
  }
  EXPECT_TRUE(client.receive().ends_with("/x"));
}

TEST(HttpServer, SlowConnectionsDoNotMakeAnotherOneWait) {
  const Echo server;
  std::deque<Client> slow;
  for (int i = 0; i < 200; ++i) {
    slow.emplace_back(server.port());
    ASSERT_TRUE(slow.back().is_connected());
    slow.back().send("GET /slow HTTP/1.1\r\nX: ");
  }
  std::atomic<bool> is_over = false;
  std::thread dripping([&] {
    while (!is_over) {
      for (const Client& client : slow) client.send("x");
      std::this_thread::sleep_for(milliseconds(50));
    }
  });
  const auto begin = Clock::now();
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(Client(server.port()).ask(kRequest).ends_with("/x"));
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(5));
  is_over = true;
  dripping.join();
}

TEST(HttpServer, AConnectionThatDripsIsClosedInTime) {
  const Echo server({.request_time = milliseconds(300)});
  const Client silent(server.port()), dripping(server.port());
  const auto begin = Clock::now();
  std::thread drips([&] {
    while (Clock::now() - begin < std::chrono::seconds(10) && dripping.send("G")) {
      std::this_thread::sleep_for(milliseconds(20));
    }
  });
  EXPECT_EQ(silent.receive(), "");
  const std::string answer = dripping.receive();
  EXPECT_TRUE(answer.empty() || answer.starts_with("HTTP/1.1 408 ")) << answer;
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(5));
  drips.join();
}

TEST(HttpServer, AClientThatDoesNotReadIsClosedInTime) {
  HttpServer server([](const HttpRequest&) { return HttpResponse{.body = std::string(50'000'000, 'x')}; },
                    {.response_time = milliseconds(300)});
  std::atomic<bool> is_over = false;
  std::thread thread([&] { server.run([&] { return is_over.load(); }); });
  const Client client(server.port());
  client.send(kRequest);
  std::this_thread::sleep_for(std::chrono::seconds(1));
  EXPECT_LT(client.receive().size(), 50'000'000u);  // what the system's buffers held
  is_over = true;
  thread.join();
}

TEST(HttpServer, ALargeResponseArrivesWhole) {
  HttpServer server([](const HttpRequest&) { return HttpResponse{.body = std::string(50'000'000, 'x')}; });
  std::atomic<bool> is_over = false;
  std::thread thread([&] { server.run([&] { return is_over.load(); }); });
  EXPECT_GT(Client(server.port()).ask(kRequest).size(), 50'000'000u);
  is_over = true;
  thread.join();
}

TEST(HttpServer, ARequestThatIsTooLongOrMalformedIsRefused) {
  const Echo server;
  EXPECT_TRUE(Client(server.port()).ask("GET /" + std::string(20'000, 'x')).starts_with("HTTP/1.1 431 "));
  for (const std::string request : {"\r\n\r\n", "GET\r\n\r\n", "GET /x\r\n\r\n", "GET /x HTTP/2\r\n\r\n",
                                    "GET  HTTP/1.1\r\n\r\n", "GET /x y HTTP/1.1\r\n\r\n", "G\x01T /x HTTP/1.1\r\n\r\n",
                                    "GET /\xff HTTP/1.1\r\n\r\n", "GET /x HTTP/1.1\r\nno colon\r\n\r\n",
                                    "GET /x HTTP/1.1\r\n: no name\r\n\r\n", "GET /x HTTP/1.1\r\n folded: x\r\n\r\n"}) {
    EXPECT_TRUE(Client(server.port()).ask(request).starts_with("HTTP/1.1 400 ")) << request;
  }
}

TEST(HttpServer, HeadersAreFoundInAnyCaseAndWithoutTheirSpaces) {
  HttpRequest request;
  EXPECT_EQ(parse_http_request("GET /x?y HTTP/1.1\r\nHOST: \t a:1 \r\nhost: b\r\nEmpty:\r\n\r\n", request), 0);
  EXPECT_EQ(request.method, "GET");
  EXPECT_EQ(request.target, "/x?y");
  ASSERT_NE(request.header("host"), nullptr);
  EXPECT_EQ(*request.header("host"), "a:1");
  EXPECT_EQ(*request.header("empty"), "");
  EXPECT_EQ(request.header("origin"), nullptr);
}

}  // namespace
}  // namespace aplomb
