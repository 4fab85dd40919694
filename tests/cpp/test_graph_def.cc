#include "graph/graph_def.h"

#include "graph/attr_proto.h"
#include "graph/graph_def_view.h"
#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using std::string_literals::operator""s;
using testing::floats;
using testing::GraphFixture;

GraphFixture small_graph() {
  GraphFixture g;
  Node* x = g.placeholder("x", {2, kUnknownDim});
  Node* axis = g.constant("axis", testing::tensor<int32_t>({}, {0}));
  Node* parts = g.add("Split", "parts", {{axis, 0}, {x, 0}}, {{"num_split", int64_t{2}}});
  Node* sum = g.add("Add", "sum", {{parts, 1}, {parts, 0}}, {}, {x, axis});
  g->set_device(sum, "/device:CPU:0");
  g->set_attr(sum, "_class", std::vector<std::string>{"loc:@x"});
  return g;
}

std::string attr_text(const NodeDefView& node, std::string_view name) {
  for (const auto& attr : node.attrs) {
    if (attr.name != name) continue;
    auto content = read_attr_content(attr.value);
    EXPECT_OK(content.status());
    auto value = read_attr(content.value());
    EXPECT_OK(value.status());
    return attr_to_string(value.value());
  }
  return "missing";
}

TINYTF_TEST(graph_def_has_the_nodes_with_all_they_are) {
  GraphFixture g = small_graph();
  auto message = graph_def_of(*g, {0, false, 134, 12});
  EXPECT_OK(message.status());
  auto found = read_graph_def(message.value());
  EXPECT_OK(found.status());
  const auto& nodes = found.value().nodes;
  EXPECT_EQ(nodes.size(), 4u);
  EXPECT_EQ(nodes[3].name, "sum");
  EXPECT_EQ(nodes[3].op, "Add");
  EXPECT_EQ(nodes[3].device, "/device:CPU:0");
  EXPECT(nodes[3].inputs == (std::vector<std::string_view>{"parts:1", "parts", "^axis", "^x"}));
  EXPECT_EQ(attr_text(nodes[3], "T"), "DT_FLOAT");
  EXPECT_EQ(attr_text(nodes[3], "_class"), "[\"loc:@x\"]");
  EXPECT_EQ(attr_text(nodes[3], "_output_shapes"), "missing");
  EXPECT_EQ(message.value().substr(message.value().size() - 7), "\x22\x05\x08\x86\x01\x10\x0C"s);
}

TINYTF_TEST(graph_def_can_begin_behind_a_node_and_have_shapes) {
  GraphFixture g = small_graph();
  g.add("NoOp", "nothing");
  auto message = graph_def_of(*g, {3, true, 0, 0});
  auto found = read_graph_def(message.value());
  EXPECT_OK(found.status());
  EXPECT_EQ(found.value().nodes.size(), 2u);
  EXPECT_EQ(attr_text(found.value().nodes[0], "_output_shapes"), "[[1,?]]");
  EXPECT_EQ(attr_text(found.value().nodes[1], "_output_shapes"), "missing");
  auto none = graph_def_of(*g, {99, true, 0, 0});
  EXPECT_EQ(none.value(), "\x22\x00"s);
}

TINYTF_TEST(node_def_is_the_nodes_part_of_the_graphs) {
  GraphFixture g = small_graph();
  auto graph = graph_def_of(*g, {3, false, 0, 0});
  auto node = node_def_of(*g, *g->find("sum"));
  EXPECT_OK(node.status());
  WireReader fields(graph.value());
  EXPECT(fields.next() && fields.is(1, WireType::kBytes));
  EXPECT_EQ(fields.bytes(), node.value());
}

TINYTF_TEST(graph_def_of_values_without_a_form_fails) {
  GraphFixture g;
  auto handle = Tensor::allocate(Allocator::process(), DType::kResource, Shape());
  TINYTF_CHECK(handle.ok());
  g->set_attr(g.placeholder("x"), "_handle", handle.take());
  EXPECT_EQ(graph_def_of(*g, {}).status().code(), Code::kInvalidArgument);
  EXPECT_EQ(node_def_of(*g, *g->node(1)).status().code(), Code::kInvalidArgument);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
