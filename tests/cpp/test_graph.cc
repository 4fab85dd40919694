#include "graph/graph.h"

#include "graph/passes/subgraph.h"
#include "op/registration_error.h"

#include <thread>

#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::floats;
using testing::GraphFixture;
using testing::ints;

TINYTF_TEST(graph_counts_nodes_from_one) {
  GraphFixture g;
  EXPECT_EQ(g->last_id(), 0);
  EXPECT(g->node(0) == nullptr && g->node(1) == nullptr && g->node(-1) == nullptr);
  Node* a = g.placeholder("a");
  Node* b = g.placeholder("scope/b");
  EXPECT_EQ(a->id, 1);
  EXPECT_EQ(g->last_id(), 2);
  EXPECT_EQ(g->node(2), b);
  EXPECT_EQ(g->find("scope/b"), b);
  EXPECT(g->find("b") == nullptr && g->find("Scope/b") == nullptr);
  EXPECT(g->nodes() == (std::vector<Node*>{a, b}));
}

TINYTF_TEST(graph_names_are_made_unique_as_tensorflow_does) {
  GraphFixture g;
  const auto name = [&](const char* wanted) { return g->unique_name(wanted, true); };
  EXPECT_EQ(name("a"), "a");
  EXPECT_EQ(name("a"), "a_1");
  EXPECT_EQ(name("a"), "a_2");
  EXPECT_EQ(name("a_1"), "a_1_1");  // a_1 was already assigned
  EXPECT_EQ(name("A"), "A_3");      // case-insensitive counting that keeps the caller's case
  EXPECT_EQ(name("b_1"), "b_1");
  EXPECT_EQ(name("b"), "b");
  EXPECT_EQ(name("b"), "b_2");  // b_1 is taken
  EXPECT_EQ(name("B_2"), "B_2_1");
  EXPECT_EQ(name("scope/a"), "scope/a");
  EXPECT_EQ(name("scope/a"), "scope/a_1");
  EXPECT_EQ(name("scope"), "scope");
  EXPECT_EQ(name("scope_1/a"), "scope_1/a");
}

TINYTF_TEST(graph_names_can_be_asked_for_without_being_taken) {
  GraphFixture g;
  EXPECT_EQ(g->unique_name("a", false), "a");
  EXPECT_EQ(g->unique_name("a", false), "a");
  EXPECT_EQ(g->unique_name("a", true), "a");
  EXPECT_EQ(g->unique_name("a", false), "a_1");
  EXPECT_EQ(g->unique_name("a", false), "a_1");
  EXPECT_EQ(g->unique_name("a", true), "a_1");
  EXPECT_EQ(g->unique_name("a_1", false), "a_1_1");
}

TINYTF_TEST(graph_refuses_a_request_and_stays_as_it_was) {
  GraphFixture g;
  Node* x = g.placeholder("x", {2, 3});
  const auto error = [&](const char* op, const char* name, std::vector<Endpoint> inputs) {
    return g.request(op, name, std::move(inputs)).status();
  };
  EXPECT_EQ(error("Neg", "x", {{x, 0}}).message(), "Duplicate node name in graph: 'x'");
  const Status unknown = error("Nag", "y", {{x, 0}});
  EXPECT_EQ(unknown.code(), Code::kNotFound);
  EXPECT_EQ(unknown.message(), not_registered("'Nag'").message());
  EXPECT_EQ(error("MatMul", "y", {{x, 0}, {x, 0}}).message(),
            "Dimensions must be equal, but are 3 and 2 for 'y' (op: 'MatMul') with input shapes: [2,3], [2,3].");
  EXPECT(!error("MatMul", "y", {{x, 0}}).ok());
  EXPECT_EQ(g->last_id(), 1);
  EXPECT(g->find("y") == nullptr);
}

TINYTF_TEST(graph_additions_are_taken_back_unless_they_are_kept) {
  GraphFixture g;
  Node* x = g.placeholder("x");
  for (const bool kept : {false, true}) {
    Graph::Addition addition(*g);
    Node* y = g.add("Neg", "y", {{x, 0}});
    g.add("Neg", "z", {{y, 0}});
    g->set_device(y, "/cpu:0");
    EXPECT_EQ(g->last_id(), 3);
    EXPECT(g->find("z") != nullptr);
    if (kept) addition.keep();
  }
  EXPECT_EQ(g->last_id(), 3);  // the ids and names of removed nodes are free again
  EXPECT_EQ(g->find("y")->id, 2);
  {
    Graph::Addition addition(*g);
    g->set_device(g.add("Neg", "w", {{x, 0}}), "/cpu:0");
  }
  EXPECT_EQ(g->last_id(), 3);
  EXPECT_EQ(g->last_id_with_device(), 2);
  EXPECT(g->find("w") == nullptr);
}

TINYTF_TEST(graph_nodes_are_put_beside_others) {
  GraphFixture g, other;
  using Groups = std::vector<std::string>;
  const auto groups_of = [](Node* node) { return *node->info->attrs.get<Groups>("_class"); };
  Node* a = g.placeholder("a");
  Node* b = g.placeholder("b");
  Node* c = g.placeholder("c");
  Node* far = other.placeholder("far");
  other->set_device(far, "/gpu:1");
  g->colocate(b, {g->place_of(*a)}, nullptr, false);
  EXPECT_EQ(groups_of(b), Groups{"loc:@a"});
  EXPECT_EQ(b->info->device, "");
  g->set_attr(c, "_class", AttrValue(Groups{"own"}));
  const std::string there = "/cpu:1";
  g->colocate(c, {other->place_of(*far), g->place_of(*b)}, &there, true);
  EXPECT_EQ(groups_of(c), (Groups{"loc:@a", "loc:@far", "own"}));
  EXPECT_EQ(c->info->device, "/gpu:1");
  EXPECT_EQ(g->place_of(*c).groups, (Groups{"loc:@a", "loc:@far"}));
  g->colocate(c, {g->place_of(*a)}, &there, false);
  EXPECT_EQ(groups_of(c), Groups{"loc:@a"});
  EXPECT_EQ(c->info->device, there);
  EXPECT_EQ(g->last_id_with_device(), c->id);
}

TINYTF_TEST(graph_names_that_nodes_have_anyway_are_not_handed_out) {
  GraphFixture g;
  g->mark_as_used("A");
  g->mark_as_used("a");
  EXPECT_EQ(g->unique_name("a", true), "a_1");
}

TINYTF_TEST(node_names_begin_with_a_letter_digit_or_period) {
  for (const char* name : {"a", "0", ".", "A_-/.9"}) EXPECT(is_valid_node_name(name));
  for (const char* name : {"", "_a", "-a", "/a", "a b", "a:0", "\xC3\xA4"}) EXPECT(!is_valid_node_name(name));
}

TINYTF_TEST(graph_shape_errors_show_known_values) {
  GraphFixture g;
  Node* x = g.placeholder("x", {2, 3});
  Node* shape = g.constant("shape", ints({4, 2}));
  EXPECT_EQ(g.request("Reshape", "y", {{x, 0}, {shape, 0}}).status().message(),
            "Cannot reshape a tensor with 6 elements to shape [4,2] (8 elements) for 'y' (op: 'Reshape') with input "
            "shapes: [2,3], [2] and with input tensors computed as partial shapes: input[1] = [4,2].");
  Node* axis = g.constant("axis", Tensor::scalar(int32_t{2}));
  EXPECT_EQ(g.request("Sum", "sum", {{x, 0}, {axis, 0}}).status().message(),
            "Invalid reduction dimension 2 for input with 2 dimensions. for 'sum' (op: 'Sum') with input shapes: "
            "[2,3], [] and with computed input tensors: input[1] = <2>.");
}

TINYTF_TEST(graph_infers_types_and_shapes) {
  GraphFixture g;
  Node* x = g.placeholder("x", {kUnknownDim, 3});
  Node* w = g.constant("w", testing::tensor<float>({3, 4}, std::vector<float>(12)));
  Node* y = g.add("MatMul", "y", {{x, 0}, {w, 0}});
  EXPECT_EQ(*y->info->attrs.get<DType>("T"), DType::kFloat);
  EXPECT_EQ(*y->info->attrs.get<bool>("transpose_a"), false);
  EXPECT_EQ(g->shape({y, 0}).to_string(), "[?,4]");
  EXPECT_OK(g->set_shape({y, 0}, {5, kUnknownDim}));
  EXPECT_EQ(g->shape({y, 0}).to_string(), "[5,4]");
  EXPECT(!g->set_shape({y, 0}, {6, 4}).ok());
  EXPECT_EQ(g->shape({y, 0}).to_string(), "[5,4]");
  Node* handle = g.add("VarHandleOp", "v", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape({7})}});
  Node* same = g.add("Identity", "same", {{handle, 0}});
  Node* read = g.add("ReadVariableOp", "read", {{same, 0}}, {{"dtype", DType::kFloat}});
  EXPECT_EQ(g->shape({read, 0}).to_string(), "[7]");  // from the static information of the handle
}

TINYTF_TEST(graph_control_inputs_are_kept_once) {
  GraphFixture g;
  Node* a = g.add("NoOp", "a");
  Node* b = g.add("NoOp", "b");
  Node* c = g.add("NoOp", "c", {}, {}, {a});
  g->add_control_input(c, b);
  g->add_control_input(c, a);
  EXPECT(c->control_inputs == (std::vector<Node*>{a, b}));
}

TINYTF_TEST(graph_inputs_can_be_replaced_by_others) {
  GraphFixture g;
  Node* x = g.placeholder("x", {2, kUnknownDim});
  Node* n = g.placeholder("n", {}, DType::kInt32);
  Node* y = g.add("Neg", "y", {{x, 0}});
  Node* z = g.placeholder("z");
  EXPECT_OK(g->update_input(y, 0, {z, 0}));
  EXPECT_EQ(y->inputs[0].node, z);
  EXPECT_EQ(g->update_input(y, 1, {x, 0}).code(), Code::kOutOfRange);
  EXPECT_EQ(g->replace_input(y, -1, {x, 0}).code(), Code::kOutOfRange);
  EXPECT_EQ(y->inputs[0].node, z);
  EXPECT(takes_its_types(*y));
  EXPECT_OK(g->update_input(y, 0, {n, 0}));  // an error only when a step runs it
  EXPECT(!takes_its_types(*y));
  const auto lock = g->lock();
  EXPECT_EQ(prune({}, {{y, 0}}, {}).status().message(),
            "Input 0 of node y was passed int32 from n:0 incompatible with expected float.");
}

TINYTF_TEST(graph_inputs_keep_the_shapes_that_they_had) {
  GraphFixture g;
  Node* x = g.placeholder("x", {2, kUnknownDim});
  Node* y = g.add("Neg", "y", {{x, 0}});
  EXPECT_OK(g->replace_input(y, 0, {g.placeholder("any"), 0}));
  EXPECT_EQ(g->replace_input(y, 0, {g.placeholder("three", {3, 4}), 0}).message(),
            "Cannot update edge, incompatible shapes: [3,4] and [2,?].");
  EXPECT_OK(g->replace_input(y, 0, {g.placeholder("five", {2, 5}), 0}));
  EXPECT_EQ(g->replace_input(y, 0, {g.placeholder("six", {2, 6}), 0}).message(),
            "Cannot update edge, incompatible shapes: [2,6] and [2,5].");
  EXPECT_EQ(y->inputs[0].node->name(), "five");
}

TINYTF_TEST(graph_values_follow_a_replaced_input) {
  GraphFixture g;
  Node* one = g.constant("one", floats({1}));
  Node* two = g.constant("two", floats({2}));
  Node* a = g.add("Neg", "a", {{one, 0}});
  Node* b = g.add("Neg", "b", {{a, 0}});
  EXPECT_EQ(g->constant_value({b, 0}).data<float>()[0], 1.0f);
  EXPECT_OK(g->update_input(a, 0, {two, 0}));
  EXPECT_EQ(g->constant_value({a, 0}).data<float>()[0], -2.0f);
  EXPECT_EQ(g->constant_value({b, 0}).data<float>()[0], 2.0f);
  EXPECT_OK(g->update_input(a, 0, {g.placeholder("x", {1}), 0}));
  EXPECT(!g->constant_value({a, 0}).valid());
  EXPECT(!g->constant_value({b, 0}).valid());
  EXPECT_OK(g->update_input(a, 0, {one, 0}));
  EXPECT_EQ(g->constant_value({b, 0}).data<float>()[0], 1.0f);
}

TINYTF_TEST(graph_attrs_and_devices_can_be_changed) {
  GraphFixture g;
  Node* a = g.add("NoOp", "a");
  g->set_attr(a, "_mark", int64_t{1});
  EXPECT_EQ(*a->info->attrs.get<int64_t>("_mark"), 1);
  g->clear_attr(a, "_mark");
  EXPECT(a->info->attrs.find("_mark") == nullptr);
  g->set_device(a, "/cpu:0");
  EXPECT_EQ(a->info->device, "/cpu:0");
  Node* c = g.constant("c", floats({1}));
  Node* negated = g.add("Neg", "n", {{c, 0}});
  EXPECT_EQ(g->constant_value({negated, 0}).data<float>()[0], -1.0f);
  g->set_attr(c, "value", floats({3}));
  EXPECT_EQ(g->constant_value({negated, 0}).data<float>()[0], -3.0f);
}

TINYTF_TEST(graph_knows_the_last_node_with_a_device) {
  GraphFixture g;
  g.add("NoOp", "a");
  EXPECT_EQ(g->last_id_with_device(), 0);
  NodeRequest request;
  request.op = "NoOp";
  request.name = "b";
  request.device = "/cpu:0";
  Node* b = g->add_node(std::move(request)).take();
  Node* c = g.add("NoOp", "c");
  EXPECT_EQ(g->last_id_with_device(), b->id);
  g->set_device(c, "/cpu:1");
  g->set_device(b, "/cpu:1");
  EXPECT_EQ(g->last_id_with_device(), c->id);
  g->set_device(g.add("NoOp", "d"), "");
  EXPECT_EQ(g->last_id_with_device(), c->id);
}

TINYTF_TEST(graph_grows_on_many_threads) {
  GraphFixture g;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i) g.add("NoOp", g->unique_name("n", true));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(g->last_id(), 800);
  for (int id = 1; id <= 800; ++id) EXPECT_EQ(g->find(g->node(id)->name()), g->node(id));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
