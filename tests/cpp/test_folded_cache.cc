#include "runtime/plan/folded_cache.h"

#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::GraphFixture;

FoldedValues values(float value) {
  return std::make_shared<const std::vector<Tensor>>(std::vector<Tensor>{Tensor::scalar(value)});
}

TINYTF_TEST(values_are_found_as_long_as_a_plan_has_them) {
  GraphFixture g, other;
  Node* x = g.placeholder("x");
  Node* y = g.placeholder("y");
  FoldedCache cache;
  FoldedValues kept = values(1);
  EXPECT(cache.find(*g.graph(), 0, {x}).empty());
  cache.add(*g.graph(), 0, {{x, kept}, {y, values(2)}});  // no plan has the value of y
  EXPECT_EQ(cache.find(*g.graph(), 0, {x, y}).size(), 1u);
  EXPECT(cache.find(*g.graph(), 0, {x}).at(x) == kept);
  EXPECT(cache.find(*other.graph(), 0, {x}).empty());
  kept = nullptr;
  EXPECT(cache.find(*g.graph(), 0, {x}).empty());
}

TINYTF_TEST(values_of_other_versions_are_dropped) {
  GraphFixture g;
  Node* x = g.placeholder("x");
  FoldedCache cache;
  const FoldedValues kept = values(1);
  cache.find(*g.graph(), 0, {x});
  cache.add(*g.graph(), 0, {{x, kept}});
  EXPECT(cache.find(*g.graph(), 1, {x}).empty());
  cache.add(*g.graph(), 0, {{x, kept}});  // of a compilation that began before the change
  EXPECT(cache.find(*g.graph(), 1, {x}).empty());
  cache.add(*g.graph(), 1, {{x, kept}});
  EXPECT_EQ(cache.find(*g.graph(), 1, {x}).size(), 1u);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
