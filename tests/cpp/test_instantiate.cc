#include "graph/instantiate.h"

#include <functional>
#include <random>

#include "graph/attr_proto.h"
#include "graph/function_def_of.h"
#include "tests/cpp/functions.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::body_of;
using testing::definition;
using testing::GraphFixture;

/// Instantiates a function that calls no others by name.
Result<std::shared_ptr<const FunctionBody>> alone(const FunctionDef& function, const AttrProtos& attrs,
                                                  int32_t ops_of = 0) {
  return instantiate(function, attrs, FunctionLibrary(), Declarations::kOfBody, ops_of);
}

Result<std::shared_ptr<const FunctionBody>> made_of(const std::string& bytes, const AttrProtos& attrs = {}) {
  TINYTF_ASSIGN_OR_RETURN(const FunctionDef function, read_function_def(bytes));
  return alone(function, attrs);
}

TINYTF_TEST(function_is_made_of_its_definition) {
  const auto body = made_of(definition());
  EXPECT_OK(body.status());
  EXPECT_EQ(body.value()->arguments.size(), 2u);
  EXPECT_EQ(body.value()->results[0].node->name(), "y/top");
  EXPECT_EQ(body.value()->results[0].index, 1);
  EXPECT(body.value()->results[1] == body.value()->arguments[1]);
  EXPECT_EQ(body.value()->targets.size(), 1u);
  EXPECT_EQ(body.value()->targets[0]->name(), "checked");
  // Exporting it again gives the same, except for the nodes of arguments.
  const auto again = function_def_of("f", *body.value());
  EXPECT_OK(again.status());
  EXPECT(read_function_def(again.value()).value().ret == read_function_def(definition()).value().ret);
}

TINYTF_TEST(function_of_a_later_graph_has_no_removed_ops) {
  GraphFixture g;
  Node* x = g.placeholder("x");
  Node* top = g.add("TopK", "top", {{x, 0}}, {{"k", int64_t{1}}});
  const std::string bytes = function_def_of("f", *body_of(g, {{x, 0}}, {{top, 0}}, {})).take();
  const FunctionDef f = read_function_def(bytes).take();
  EXPECT_OK(alone(f, {}).status());
  EXPECT_OK(alone(f, {}, 6).status());
  EXPECT_EQ(alone(f, {}, 6).value()->graph->ops_of(), 6);
  EXPECT_EQ(alone(f, {}, 7).status().code(), Code::kUnimplemented);
}

/// A function with a type attr and a type list attr.
FunctionDef generic() {
  FunctionDef f;
  f.signature.name = "g";
  OpDefBuilder(&f.signature)
      .input("x: T")
      .input("rest: Ts")
      .output("y: T")
      .output("others: Ts")
      .attr("T: {float, double} = DT_FLOAT")
      .attr("Ts: list(type)");
  f.nodes.push_back({"n", "Neg", "", {"x"}, {{"T", "\x4A\x01T"}}});
  f.nodes.push_back({"all", "IdentityN", "", {"rest", "^n"}, {{"T", "\x4A\x02Ts"}}});
  f.ret = {{"y", "n:y:0"}, {"others", "all:output"}};
  return f;
}

std::string value_of(const AttrValue& value) {
  std::string bytes;
  WireWriter to(&bytes);
  EXPECT_OK(write_attr(to, value));
  return bytes;
}

TINYTF_TEST(function_takes_attrs) {
  const AttrProtos attrs{{"T", value_of(DType::kDouble)},
                         {"Ts", value_of(std::vector<DType>{DType::kInt32, DType::kBool})}};
  const auto body = alone(generic(), attrs);
  EXPECT_OK(body.status());
  EXPECT_EQ(body.value()->arguments.size(), 3u);
  EXPECT_EQ(body.value()->results[0].node->info->outputs[0].dtype, DType::kDouble);
  EXPECT_EQ(body.value()->results[2].node->info->outputs[1].dtype, DType::kBool);
  EXPECT_EQ(alone(generic(), {}).status().message(), "Attr Ts is not found from g");
}

TINYTF_TEST(functions_that_make_no_sense_are_refused) {
  const AttrProtos attrs{{"Ts", value_of(std::vector<DType>{DType::kBool})}};
  const auto error = [&](const std::function<void(FunctionDef&)>& change) {
    FunctionDef f = generic();
    change(f);
    return alone(f, attrs).status().message();
  };
  EXPECT_EQ(error([](FunctionDef& f) { f.ret.erase("y"); }), "Return y missing.");
  EXPECT_EQ(error([](FunctionDef& f) { f.ret["y"] = "n:z:0"; }), "Return y -> n:z:0 is not found.");
  EXPECT_EQ(error([](FunctionDef& f) { f.nodes[0].inputs[0] = "w"; }), "input w is not found: {{node n}}");
  EXPECT_EQ(error([](FunctionDef& f) { f.nodes[0].attrs["T"] = "\x4A\x01U"; }), "Failed to bind all placeholders in U");
  EXPECT_EQ(error([](FunctionDef& f) { f.signature.inputs[1].name = "x"; }), "Duplicated arg name x");
  EXPECT_EQ(error([](FunctionDef& f) { f.nodes[0].op = "Nag"; }), "");  // kept, although it cannot run
  EXPECT(error([](FunctionDef& f) { f.nodes[0].inputs[0] = "n:y:0"; }).find("cycle") != std::string::npos);
}

TINYTF_TEST(short_functions_do_not_grow_large) {
  FunctionDef f;
  f.signature.name = "wide";
  OpDefBuilder(&f.signature).input("x: float");
  const std::string many = value_of(int64_t{200'000});
  for (int i = 0; i < 1000; ++i) {
    f.nodes.push_back({str_cat("n", i), "Unpack", "", {"x"}, {{"num", many}, {"T", value_of(DType::kFloat)}}});
    f.nodes.push_back(
        {str_cat("p", i), "Pack", "", {str_cat("n", i, ":output")}, {{"N", many}, {"T", value_of(DType::kFloat)}}});
  }
  EXPECT_EQ(alone(f, {}).status().code(), Code::kResourceExhausted);
}

TINYTF_TEST(damaged_functions_are_refused_or_run) {
  const std::string bytes = definition();
  std::mt19937_64 random(20261126);
  int made = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string changed = bytes;
    for (uint64_t changes = random() % 3 + 1; changes > 0; --changes) {
      changed[random() % changed.size()] = static_cast<char>(random());
    }
    const auto body = made_of(changed);
    if (!body.ok()) continue;
    ++made;
    (void)function_def_of("f", *body.value());
  }
  EXPECT(made > 0);
}

TINYTF_TEST(graph_finds_functions_by_name_and_attrs) {
  GraphFixture g;
  EXPECT_OK(g->add_function("double", testing::doubling()));
  EXPECT_EQ(g->function({"double", {}}).value()->arguments.size(), 1u);
  EXPECT_EQ(g->function({"triple", {}}).status().message(), "Function triple is not defined.");
  EXPECT_EQ(g->add_function("double", testing::doubling()).message(),
            "Cannot add function 'double' because a different function with the same name already exists.");
  EXPECT_EQ(g->add_function("Add", testing::doubling()).message(),
            "Cannot add function 'Add' because an op with the same name already exists.");
  EXPECT_EQ(g->add_function("own", body_of(g, {}, {})).message(),
            "Cannot add function 'own' to the graph that it is a part of.");
  GraphFixture outer;
  EXPECT_OK(outer->add_function("g", body_of(g, {}, {})));
  EXPECT_EQ(outer->functions().size(), 2u);
  EXPECT(outer->functions().body("double") == g->functions().body("double"));
}

TINYTF_TEST(call_is_extended) {
  GraphFixture g;
  Node* x = g.placeholder("x");
  Node* node = testing::call(g, "call", "f", {{x, 0}});
  LongerCall longer;
  longer.functions["f"] = {"forward"};
  longer.outputs = {DType::kInt32, DType::kBool};
  longer.shapes = {PartialShape({2}), PartialShape()};
  EXPECT_OK(g->extend_call(node, longer));
  EXPECT_EQ(node->num_outputs(), 3);
  EXPECT_EQ(node->info->outputs[2].dtype, DType::kBool);
  EXPECT_EQ(node->output_shapes[1].to_string(), "[2]");
  EXPECT_EQ(node->info->attrs.get<FuncRef>("f")->name, "forward");
  EXPECT(!g->extend_call(x, LongerCall()).ok());
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
