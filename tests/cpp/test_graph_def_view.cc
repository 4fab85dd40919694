#include "graph/graph_def_view.h"

#include "graph/graph_def.h"
#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using std::string_literals::operator""s;

TINYTF_TEST(node_def_maps_have_the_last_value_of_a_name) {
  const auto entry = [](std::string_view key, std::string_view value) {
    std::string out;
    WireWriter to(&out);
    to.nested(5, [&] {
      to.bytes(1, key);
      to.bytes(2, value);
    });
    return out;
  };
  std::deque<std::string> merged;
  const std::string bytes = entry("a", "\x18\x01") + entry("b", "\x18\x02") + entry("a", "\x18\x03") + "\x2A\x00"s;
  auto node = read_node_def(bytes, merged);
  EXPECT_OK(node.status());
  EXPECT_EQ(node.value().attrs.size(), 3u);
  EXPECT_EQ(node.value().attrs[0].value, "\x18\x03");
  EXPECT_EQ(node.value().attrs[2].name, "");
  EXPECT(merged.empty());
  auto parts = read_node_def("\x2A\x0B\x0A\x01z\x12\x02\x18\x01\x12\x02\x18\x04", merged);
  EXPECT_OK(parts.status());
  EXPECT_EQ(parts.value().attrs[0].value, "\x18\x01\x18\x04");
}

TINYTF_TEST(graph_def_damage_is_found) {
  testing::GraphFixture g;
  Node* x = g.placeholder("x", {2, kUnknownDim});
  g.add("Add", "sum", {{x, 0}, {x, 0}}, {}, {x});
  auto message = graph_def_of(*g, {0, true, 134, 0});
  const std::string& bytes = message.value();
  int whole = 0;
  for (size_t size = 0; size < bytes.size(); ++size) {
    const auto found = read_graph_def(std::string_view(bytes).substr(0, size));
    whole += found.ok();  // truncated between two fields
    if (!found.ok()) EXPECT_EQ(found.status().message(), "Invalid GraphDef");
  }
  EXPECT_EQ(whole, 3);
  EXPECT(!read_graph_def("\x0A\x03\x0A\x01\xFF").ok());  // a name that is not UTF-8
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
