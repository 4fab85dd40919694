#include "runtime/functions/row_function.h"

#include "runtime/plan/compile.h"
#include "tests/cpp/functions.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::GraphFixture;

/// Whether a function maps rows, whose result `make` computes of two arguments, `rows` of which get rows.
template <class Make>
bool maps(Make make, size_t rows = 2) {
  GraphFixture f;
  Node* x = f.placeholder("x");
  Node* y = f.placeholder("y");
  GraphFixture g;
  EXPECT_OK(g->add_function("f", testing::body_of(f, {{x, 0}, {y, 0}}, {make(f, x, y)})));
  SerialParallel serial;
  KernelStore kernels;
  Compiler compiler(g.graph(), CompileOptions());
  const auto plan = compiler.compile(FuncRef{"f", {}}, nullptr, kernels, {&serial});
  EXPECT_OK(plan.status());
  return plan.ok() && maps_rows(plan.value()->program(), rows);
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

}  // namespace TINYTF_FILE
}  // namespace tinytf
