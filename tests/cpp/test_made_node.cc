#include "graph/passes/made_node.h"

#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/in_child.h"

namespace tinytf {
namespace TINYTF_FILE {

/// The pruned last node of y = -x, which is in the function of a call.
struct Made : testing::GraphFixture {
  Node* x = placeholder("x");
  Node* y = add("Neg", "y", {{x, 0}});
  Node* call = add("Identity", "call", {{x, 0}});
  SubgraphNode of = prune({}, {{y, 0}}, {}).take().nodes.back();

  Made() {
    auto info = std::make_shared<NodeInfo>(*of.info);
    info->device = "/cpu:0";
    of.info = std::move(info);
    of.call = std::make_shared<const CallPath>(CallPath{call, nullptr});
  }
};

TINYTF_TEST(made_nodes_have_the_name_and_place_of_the_users) {
  Made g;
  AttrMap attrs;
  attrs.set("T", DType::kInt32);
  const SubgraphNode made =
      made_node(g.of, "Add", {{DType::kInt32, false}, {DType::kInt32, false}}, {{DType::kInt32, false}}, attrs);
  EXPECT_EQ(made.info->name, "y");
  EXPECT_EQ(made.info->op->name, "Add");
  EXPECT_EQ(made.info->device, "/cpu:0");
  EXPECT(*made.info->attrs.get<DType>("T") == DType::kInt32);
  EXPECT_EQ(made.info->inputs.size(), size_t{2});
  EXPECT(made.info->outputs == (std::vector<ArgType>{{DType::kInt32, false}}));
  EXPECT(made.inputs.empty() && made.control_inputs.empty() && made.feeds.empty() && !made.values && !made.removed);
}

TINYTF_TEST(made_nodes_may_have_internal_ops) {
  EXPECT(testing::holds_in_child([] {
    const_cast<OpRegistry&>(OpRegistry::global()).op("_Hidden").internal();
    Made g;
    return made_node(g.of, "_Hidden", {}, {}, {}).info->op->name == "_Hidden";
  }));
}

TINYTF_TEST(made_nodes_yield_nothing_of_the_users) {
  Made g;
  const SubgraphNode made = made_node(g.of, "ControlTrigger", {}, {}, {});
  EXPECT(made.origin == g.y);
  EXPECT(g.of.described() == g.y);
  EXPECT(made.described() == nullptr);
  EXPECT(made.call->call == g.y);  // as if called from the user's node, if that is in a function itself
  EXPECT(made.call->caller == g.of.call);
  EXPECT(!made.call->shares_state);
}

TINYTF_TEST(made_identities_keep_references_or_read_them) {
  Made g;
  const ArgType value{DType::kFloat, false}, reference{DType::kFloat, true};
  for (const bool is_ref : {false, true}) {
    for (const bool keeps_reference : {false, true}) {
      const ArgType& taken = is_ref ? reference : value;
      const bool yields_ref = is_ref && keeps_reference;
      const SubgraphNode made = made_identity(g.of, taken, {3, 1}, {4, 5}, keeps_reference);
      EXPECT_EQ(made.info->op->name, yields_ref ? "RefIdentity" : "Identity");
      EXPECT(*made.info->attrs.get<DType>("T") == DType::kFloat);
      EXPECT(made.info->inputs == std::vector<ArgType>{taken});
      EXPECT(made.info->outputs == std::vector<ArgType>{yields_ref ? reference : value});
      EXPECT_EQ(made.inputs.size(), size_t{1});
      EXPECT_EQ(made.inputs[0].node, 3);
      EXPECT_EQ(made.inputs[0].output, 1);
      EXPECT(made.control_inputs == (std::vector<int>{4, 5}));
    }
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
