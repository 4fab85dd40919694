#include "io/graph_text.h"

#include "tests/cpp/io_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::hex;

std::string print_seldom(uint32_t field, std::string_view message, int indent) {
  return std::string(static_cast<size_t>(indent), ' ') + "seldom: " + std::to_string(field) + " " +
         std::to_string(message.size()) + "\n";
}

TINYTF_TEST(nodes_are_written_line_by_line) {
  const std::string plain = hex("0a15 0a0161 12024f70 1a036227 63 2a07 0a0154 12023001");
  EXPECT_EQ(graph_text(plain.substr(0, plain.size() - 1), print_seldom).status().code(), Code::kInvalidArgument);
  EXPECT_EQ(graph_text(plain, print_seldom).value().nodes,
            "node {\n  name: \"a\"\n  op: \"Op\"\n  input: \"b\\'c\"\n  attr {\n    key: \"T\"\n    value {\n"
            "      type: DT_FLOAT\n    }\n  }\n}\n");
}

TINYTF_TEST(values_that_are_seldom_are_asked_for) {
  const std::string number = hex("0a0c 2a0a 0a0166 1205 25 0000c03f");
  EXPECT_EQ(graph_text(number, print_seldom).value().nodes,
            "node {\n  attr {\n    key: \"f\"\n    value {\n      f: 1.5\n    }\n  }\n}\n");
  const std::string graph = hex("0a0e 2a0c 0a0166 1207 25 0000c03f 2800");  // two values: a float, and a bool
  EXPECT_EQ(graph_text(graph, print_seldom).value().nodes,
            "node {\n  attr {\n    key: \"f\"\n    value {\n      seldom: 5 7\n    }\n  }\n}\n");
  EXPECT_EQ(graph_text("", print_seldom).value().nodes, "");
}

TINYTF_TEST(any_bytes_are_safe) {
  const std::string graph = hex("0a0e 2a0c 0a0166 1207 25 0000c03f 2800");
  for (size_t cut = 0; cut <= graph.size(); ++cut) {
    for (int change = 0; change < 256; ++change) {
      std::string bytes = graph.substr(0, cut);
      if (cut > 0) bytes[cut / 2] = static_cast<char>(change);
      (void)graph_text(bytes, print_seldom).ok();
    }
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
