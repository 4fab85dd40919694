#include "graph/constant_value.h"

#include "graph/passes/subgraph.h"
#include "op/kernel_registry.h"
#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::floats;
using testing::GraphFixture;
using testing::ints;
constexpr int64_t kAny = kUnknownDim;

/// A graph with int vectors whose entries are partially known.
struct Fixture : GraphFixture {
  Node* x = placeholder("x", {2, kAny, 4});
  Node* shape = add("Shape", "shape", {{x, 0}});

  std::string entries(Node* node) { return constant_value_as_shape({node, 0}).to_string(); }
  Node* slice(const char* name, std::vector<int32_t> begin, std::vector<int32_t> end, int64_t shrink = 0) {
    const std::string prefix = name;
    return add("StridedSlice", name,
               {{shape, 0},
                {constant(prefix + "/begin", ints(begin)), 0},
                {constant(prefix + "/end", ints(end)), 0},
                {constant(prefix + "/stride", ints({1})), 0}},
               {{"shrink_axis_mask", shrink}});
  }
};

TINYTF_TEST(constant_values_are_computed_once_and_kept) {
  GraphFixture g;
  Node* a = g.constant("a", ints({1, 2}));
  Node* sum = g.add("Add", "sum", {{a, 0}, {a, 0}});
  EXPECT_EQ(constant_value({a, 0})->int_at(1), 2);
  const Tensor* value = constant_value({sum, 0});
  EXPECT_EQ(value->int_at(1), 4);
  EXPECT_EQ(constant_value({sum, 0}), value);
}

TINYTF_TEST(constant_values_are_none_of_what_may_change) {
  GraphFixture g;
  Node* c = g.constant("c", floats({1, 2}));
  const auto is_known = [&](Node* node) { return constant_value({node, 0}) != nullptr; };
  EXPECT(is_known(g.add("Neg", "neg", {{c, 0}})));
  EXPECT(!is_known(g.placeholder("fed", {2})));
  EXPECT(!is_known(g.add("PlaceholderWithDefault", "default", {{c, 0}}, {{"shape", PartialShape({2})}})));
  EXPECT(!is_known(g.add("RandomUniform", "random", {{g.constant("n", ints({2})), 0}}, {{"dtype", DType::kFloat}})));
  EXPECT(!is_known(g.variable("v", {2})));
  Node* first = g.add("NoOp", "first");
  EXPECT(is_known(g.add("Neg", "waiting", {{c, 0}}, {}, {first})));  // regardless of control inputs, as in TensorFlow
  Node* large = g.constant("large", testing::tensor<float>({4097}, std::vector<float>(4097)));
  EXPECT(is_known(large));
  EXPECT(!is_known(g.add("Neg", "of_large", {{large, 0}})));
  Node* bad =
      g.add("CheckNumerics", "bad", {{g.constant("inf", floats({1.0f / 0.0f})), 0}}, {{"message", std::string()}});
  EXPECT(!is_known(bad));  // its error occurs at run time
  EXPECT(!is_known(g.add("Neg", "of_bad", {{bad, 0}})));
}

TINYTF_TEST(constants_of_another_type_than_they_say_are_no_values) {
  for (const DType said : {DType::kInt32, DType::kInt64, DType::kString, DType::kDouble, DType::kBool}) {
    GraphFixture g;
    Tensor value = Tensor::allocate(Allocator::process(), DType::kInt8, Shape()).take();
    *value.data<int8_t>() = 1;
    Node* c = g.add("Const", "c", {}, {{"value", value}, {"dtype", said}});
    Node* same = g.add("Identity", "same", {{c, 0}});
    EXPECT(constant_value({c, 0}) == nullptr);
    EXPECT(constant_value({same, 0}) == nullptr);
    Subgraph subgraph = prune({}, {{same, 0}}, {}).take();
    fold_constants(subgraph, 10 << 20);
    for (const SubgraphNode& node : subgraph.nodes) EXPECT(!node.values);
    const auto kernel = KernelRegistry::global().create(*c->info);
    EXPECT_EQ(kernel.status().message(),
              str_cat("Tensor 'value' of type int8 does not match dtype ", dtype_name(said)));
  }
}

TINYTF_TEST(constant_value_of_a_long_chain) {
  GraphFixture g;
  Node* node = g.constant("c", floats({1}));
  for (int i = 0; i < 100'001; ++i) node = g.add("Neg", str_cat("n", i), {{node, 0}});
  EXPECT_EQ(constant_value({node, 0})->data<float>()[0], -1.0f);
}

TINYTF_TEST(constant_shapes_behind_long_chains_and_cycles) {
  Fixture f;
  Node* node = f.shape;
  for (int i = 0; i < 100'000; ++i) node = f.add("Identity", str_cat("i", i), {{node, 0}});
  EXPECT_EQ(f.entries(node), "[2,?,4]");
  Node* n = f.placeholder("n", {3}, DType::kInt32);
  Node* a = f.add("Identity", "a", {{n, 0}});
  Node* b = f.add("Identity", "b", {{a, 0}});
  EXPECT_OK(f->update_input(a, 0, {b, 0}));  // a cycle, which can never run
  EXPECT_EQ(f.entries(b), "[?,?,?]");
}

TINYTF_TEST(constant_shapes_come_from_known_values) {
  Fixture f;
  EXPECT_EQ(f.entries(f.constant("two", ints({3, 4}))), "[3,4]");
  EXPECT_EQ(f.entries(f.constant("open", ints({3, -1}))), "[3,?]");
  EXPECT_EQ(f.entries(f.constant("none", ints({}))), "[]");
  EXPECT_EQ(f.entries(f.constant("scalar", Tensor::scalar(int32_t{-1}))), "<unknown>");
  EXPECT_EQ(f.entries(f.constant("reals", floats({1, 2}))), "<unknown>");
  EXPECT_EQ(f.entries(f.placeholder("n", {3}, DType::kInt32)), "[?,?,?]");
  EXPECT_EQ(f.entries(f.placeholder("m", {kAny}, DType::kInt32)), "<unknown>");
}

TINYTF_TEST(constant_shapes_come_through_shape_ops) {
  Fixture f;
  EXPECT_EQ(f.entries(f.shape), "[2,?,4]");
  Node* cast = f.add("Cast", "cast", {{f.shape, 0}}, {{"DstT", DType::kInt64}});
  EXPECT_EQ(f.entries(f.add("Identity", "same", {{cast, 0}})), "[2,?,4]");
  EXPECT_EQ(f.entries(f.slice("tail", {1}, {3})), "[?,4]");
  EXPECT_EQ(f.entries(f.slice("front", {0}, {-1})), "[2,?]");
  EXPECT_EQ(f.entries(f.slice("beyond", {1}, {9})), "[?,4]");
  EXPECT_EQ(f.entries(f.slice("empty", {2}, {1})), "[]");
  Node* last = f.slice("last", {-1}, {0}, 1);
  Node* middle = f.slice("middle", {1}, {2}, 1);
  Node* pack = f.add_list("Pack", "pack", {{last, 0}, {middle, 0}, {f.constant("c", Tensor::scalar(int32_t{7})), 0}});
  EXPECT_EQ(f.entries(pack), "[4,?,7]");
  NodeRequest concat;
  concat.op = "ConcatV2";
  concat.name = "concat";
  concat.inputs = {{f.shape, 0}, {pack, 0}, {f.constant("axis", Tensor::scalar(int32_t{0})), 0}};
  concat.group_sizes = {2, 1};
  EXPECT_EQ(f.entries(f->add_node(std::move(concat)).value()), "[2,?,4,4,?,7]");
}

TINYTF_TEST(constant_shapes_decide_later_shapes) {
  Fixture f;
  Node* tail = f.slice("tail", {1}, {3});
  Node* y = f.add("Reshape", "y", {{f.placeholder("flat"), 0}, {tail, 0}});
  EXPECT_EQ(f->shape({y, 0}).to_string(), "[?,4]");
  EXPECT_EQ(f->constant_value_as_shape({tail, 0}).to_string(), "[?,4]");
  EXPECT(!f->constant_value({tail, 0}).valid());
}

TINYTF_TEST(nodes_are_evaluated_outside_sessions) {
  GraphFixture g;
  Node* x = g.placeholder("x", {2});
  Node* neg = g.add("Neg", "neg", {{x, 0}});
  const auto values = evaluate_node(*neg->info, {floats({1, -2})});
  EXPECT_EQ(values.value()[0].data<float>()[1], 2.0f);
  Node* check = g.add("CheckNumerics", "check", {{x, 0}}, {{"message", std::string("bad")}});
  EXPECT(!evaluate_node(*check->info, {floats({1, 0.0f / 0.0f})}).ok());
  NodeConstants constants(*neg);
  EXPECT(constants.value(0) == nullptr);
  EXPECT_EQ(constants.value_as_shape(0).to_string(), "[?,?]");
}

TINYTF_TEST(entries_of_inputs_are_known_as_far_as_their_nodes_show_them) {
  Fixture f;
  const auto scalar = [&](const char* name, Tensor value) { return Endpoint{f.constant(name, std::move(value)), 0}; };
  Node* pack = f.add_list("Pack", "pack",
                          {scalar("c", Tensor::scalar(int32_t{7})),
                           {f.slice("last", {-1}, {0}, 1), 0},
                           {f.slice("middle", {1}, {2}, 1), 0},
                           {f.placeholder("n", PartialShape::scalar(), DType::kInt32), 0}});
  NodeConstants constants(*pack);
  EXPECT_EQ(constants.entry(0), 7);
  EXPECT_EQ(constants.entry(1), 4);
  for (int i = 2; i < 4; ++i) EXPECT_EQ(constants.entry(i), kUnknownDim);
  EXPECT_EQ(f.entries(pack), "[7,4,?,?]");
  Node* cast = f.add("Cast", "cast", {{f.slice("first", {0}, {1}, 1), 0}}, {{"DstT", DType::kInt64}});
  EXPECT_EQ(f.entries(f.add_list("Pack", "wide", {{cast, 0}})), "[2]");
  Node* bytes = f.add_list("Pack", "bytes", {scalar("b", Tensor::scalar(int8_t{3}))});
  EXPECT_EQ(NodeConstants(*bytes).entry(0), kUnknownDim);  // int8 is not a size type
  Node* masked = f.add("StridedSlice", "masked",
                       {{f.shape, 0},
                        {f.constant("from", ints({1})), 0},
                        {f.constant("to", ints({2})), 0},
                        {f.constant("by", ints({1})), 0}},
                       {{"begin_mask", int64_t{1}}, {"end_mask", int64_t{1}}});
  EXPECT_EQ(f.entries(masked), "[2,?,4]");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
