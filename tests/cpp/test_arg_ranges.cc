#include "graph/arg_ranges.h"

#include "op/op_registry.h"
#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::GraphFixture;

std::string ranges(const Node* node) {
  return str_join(output_ranges(*node->info), " ",
                  [](const ArgRange& range) { return str_cat(range.arg->name, "@", range.begin, "+", range.count); });
}

TINYTF_TEST(outputs_are_known_by_their_declaration) {
  GraphFixture g;
  Node* x = g.placeholder("x", PartialShape({4, 2}));
  EXPECT_EQ(ranges(g.add("Unpack", "rows", {{x, 0}}, {{"num", int64_t{4}}})), "output@0+4");
  EXPECT_EQ(ranges(g.add_list("IdentityN", "both", {{x, 0}, {x, 0}})), "output@0+2");
  Node* k = g.constant("k", Tensor::scalar<int32_t>(1));
  EXPECT_EQ(ranges(g.add("TopKV2", "top", {{x, 0}, {k, 0}})), "values@0+1 indices@1+1");
}

TINYTF_TEST(types_of_an_argument_stand_in_attrs) {
  const OpDef& op = *OpRegistry::global().find("Pack");
  AttrMap attrs;
  EXPECT_EQ(types_of(op.inputs[0], attrs).status().message(),
            "The type of 'values' is given by attr 'T', which is missing or has no suitable value");
  attrs.set("T", DType::kHalf);
  for (const int64_t count : {int64_t{-1}, kMaxOutputs + 1}) {
    attrs.set("N", count);
    EXPECT_EQ(types_of(op.inputs[0], attrs).status().message(),
              "The type of 'values' is given by attr 'N', which is missing or has no suitable value");
  }
  attrs.set("N", int64_t{3});
  EXPECT(types_of(op.inputs[0], attrs).value() == std::vector<DType>(3, DType::kHalf));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
