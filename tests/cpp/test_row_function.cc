#include "runtime/functions/row_function.h"

#include "runtime/plan/compile.h"
#include "tests/cpp/functions.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::GraphFixture;

/// Whether a function of a graph maps rows, `rows` of whose arguments get rows.
bool maps(const GraphFixture& f, std::vector<Endpoint> arguments, std::vector<Endpoint> results, size_t rows) {
  GraphFixture g;
  EXPECT_OK(g->add_function("f", testing::body_of(f, std::move(arguments), std::move(results))));
  SerialParallel serial;
  KernelStore kernels;
  Compiler compiler(g.graph(), CompileOptions());
  const auto plan = compiler.compile(FuncRef{"f", {}}, nullptr, kernels, {&serial});
  EXPECT_OK(plan.status());
  return plan.ok() && maps_rows(plan.value()->program(), rows);
}

/// As above, for a function whose result `make` computes of two arguments.
template <class Make>
bool maps(Make make, size_t rows = 2) {
  GraphFixture f;
  Node* x = f.placeholder("x");
  Node* y = f.placeholder("y");
  const Endpoint result = make(f, x, y);
  return maps(f, {{x, 0}, {y, 0}}, {result}, rows);
}

/// As above, for a function that parses a line with two features of floats and returns what `make` computes of them.
/// `sparse`: whether it also has a sparse one. `shape`: of the first feature.
template <class Make>
bool maps_lines(Make make, const PartialShape& shape = {}, bool sparse = false) {
  GraphFixture f;
  Node* line = f.placeholder("line", {}, DType::kString);
  Node* empty = f.constant("empty", testing::floats({}));
  const std::vector<DType> types(2, DType::kFloat);
  using Texts = std::vector<std::string>;
  Node* parsed = f.add("ParseSingleExample", "parsed", {{line, 0}, {empty, 0}, {empty, 0}},
                       {{"num_sparse", int64_t{sparse}},
                        {"sparse_keys", sparse ? Texts{"s"} : Texts()},
                        {"sparse_types", std::vector<DType>(sparse, DType::kFloat)},
                        {"dense_keys", Texts{"a", "b"}},
                        {"Tdense", types},
                        {"dense_shapes", std::vector<PartialShape>{shape, PartialShape::scalar()}}});
  const int first = sparse ? 3 : 0;
  const std::vector<Endpoint> results = make(f, Endpoint{parsed, first}, Endpoint{parsed, first + 1});
  return maps(f, {{line, 0}}, results, 1);
}

Endpoint sum(GraphFixture& f, Endpoint a, Endpoint b) { return {f.add("Add", "sum", {a, b}), 0}; }

TINYTF_TEST(element_wise_functions_map_rows) {
  EXPECT(maps([](GraphFixture& f, Node* x, Node* y) { return sum(f, {x, 0}, {y, 0}); }));
  EXPECT(maps([](GraphFixture& f, Node* x, Node* y) {
    return sum(f, {f.add("Sqrt", "root", {{x, 0}}), 0}, {f.add("Neg", "minus", {{y, 0}}), 0});
  }));
  EXPECT(maps(
      [](GraphFixture& f, Node* x, Node*) { return sum(f, {x, 0}, {f.constant("two", Tensor::scalar(2.0f)), 0}); }));
  // A captured scalar beside rows.
  EXPECT(maps([](GraphFixture& f, Node* x, Node* y) { return sum(f, {x, 0}, {y, 0}); }, 1));
}

TINYTF_TEST(other_functions_do_not_map_rows) {
  EXPECT(!maps([](GraphFixture& f, Node* x, Node*) {
    return sum(f, {x, 0}, {f.constant("pair", testing::floats({1, 2})), 0});
  }));
  EXPECT(!maps(
      [](GraphFixture& f, Node* x, Node* y) { return Endpoint{f.add("MatMul", "product", {{x, 0}, {y, 0}}), 0}; }));
  EXPECT(!maps([](GraphFixture& f, Node* x, Node*) { return Endpoint{f.add("Shape", "shape", {{x, 0}}), 0}; }));
  EXPECT(!maps([](GraphFixture& f, Node*, Node*) { return Endpoint{f.constant("two", Tensor::scalar(2.0f)), 0}; }));
  // A result without rows.
  EXPECT(!maps([](GraphFixture& f, Node*, Node* y) { return Endpoint{f.add("Neg", "minus", {{y, 0}}), 0}; }, 1));
}

TINYTF_TEST(functions_that_parse_fixed_features_map_rows) {
  const auto features = [](GraphFixture&, Endpoint a, Endpoint b) { return std::vector<Endpoint>{a, b}; };
  EXPECT(maps_lines(features, PartialShape::scalar()));
  EXPECT(maps_lines(features, PartialShape({2, 3})));
  EXPECT(maps_lines(
      [](GraphFixture& f, Endpoint a, Endpoint b) {
        const Endpoint two{f.constant("two", Tensor::scalar(2.0f)), 0};
        return std::vector<Endpoint>{sum(f, {f.add("Neg", "minus", {a}), 0}, two), b};
      },
      PartialShape({2, 3})));

  EXPECT(!maps_lines(features, PartialShape({-1})));
  EXPECT(!maps_lines(features, PartialShape::scalar(), /*sparse=*/true));
  // Rows of several shapes.
  EXPECT(!maps_lines([](GraphFixture& f, Endpoint a, Endpoint b) { return std::vector<Endpoint>{sum(f, a, b)}; },
                     PartialShape({2, 3})));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
