#include "aplomb/link/link_address.hpp"

#include <gtest/gtest.h>

#include "aplomb/core/error.hpp"
#include "aplomb/link/udp_socket.hpp"

namespace aplomb {
namespace {

LinkAddress parsed(std::string_view text) { return parse_link_address(text, "--connect", false, false); }

TEST(LinkAddress, IsReadAndWritten) {
  EXPECT_EQ(parsed("127.0.0.1:4000").text(), "127.0.0.1:4000");
  EXPECT_EQ(parsed("localhost:65535").text(), "127.0.0.1:65535");
  EXPECT_EQ(parse_link_address("10.1.2.3:1", "--listen", true, true).text(), "10.1.2.3:1");
  EXPECT_EQ(parse_link_address("127.0.0.1:0", "--listen", true, false).port, 0);
}

TEST(LinkAddress, RefusesWhatIsNoAddress) {
  for (const char* text :
       {"", ":", "127.0.0.1", "127.0.0.1:", ":4000", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0:4000",
        "127.0.0.1.1:4000", "256.0.0.1:4000", "127.0.0.1:4000 ", "robot.local:4000", "[::1]:4000", "127.0.0.1:4e3"}) {
    EXPECT_THROW(parsed(text), InvalidValue) << text;
  }
}

TEST(LinkAddress, LeavesTheMachineOnlyWhenAsked) {
  EXPECT_THROW(parsed("192.168.1.2:4000"), InvalidValue);
  EXPECT_THROW(parse_link_address("0.0.0.0:4000", "--listen", true, false), InvalidValue);
  EXPECT_NO_THROW(parse_link_address("192.168.1.2:4000", "--connect", false, true));
}

TEST(UdpSocket, SaysThatAPortIsInUse) {
  const UdpSocket first(LinkAddress{});
  try {
    const UdpSocket second(first.address());
    FAIL() << "two sockets at one port";
  } catch (const InvalidValue& error) {
    EXPECT_NE(std::string(error.what()).find("is in use"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace aplomb
