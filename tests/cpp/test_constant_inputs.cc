#include "runtime/plan/constant_inputs.h"

#include <map>

#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/plans.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::floats;
using testing::GraphFixture;

class Noting final : public Kernel {
 public:
  Status compute(KernelContext&) override { return Status(); }
  void note_constant_input(int i) override { noted.push_back(i); }
  std::vector<int> noted;
};

TINYTF_TEST(kernels_are_told_which_inputs_are_constants) {
  GraphFixture g;
  Node* x = g.placeholder("x", {2});
  Node* c = g.constant("c", floats({2}));
  Node* sum = g.add("Sub", "sum", {{x, 0}, {c, 0}});
  Node* both = g.add("Mul", "both", {{sum, 0}, {x, 0}});
  Subgraph subgraph = prune({{x, 0}}, {{both, 0}}, {}).take();
  fold_constants(subgraph, 1 << 20);
  std::map<std::string, std::shared_ptr<Noting>> kernels;
  const Program program = build_program(subgraph, {{x, 0}}, [&](const SubgraphNode& node) {
                            auto& kernel = kernels[node.info->name];
                            kernel = std::make_shared<Noting>();
                            return Result<std::shared_ptr<Kernel>>(kernel);
                          }).take();
  note_constant_inputs(program);
  EXPECT(kernels["sum"]->noted == std::vector<int>{1});
  EXPECT(kernels["both"]->noted.empty());
}

TINYTF_TEST(a_constant_that_is_fed_is_none) {
  GraphFixture g;
  Node* c = g.constant("c", floats({2}));
  Node* sum = g.add("Sub", "sum", {{c, 0}, {c, 0}});
  Subgraph subgraph = prune({{c, 0}}, {{sum, 0}}, {}).take();
  const auto kernel = std::make_shared<Noting>();
  const Program program = build_program(subgraph, {{c, 0}}, [&](const SubgraphNode&) {
                            return Result<std::shared_ptr<Kernel>>(kernel);
                          }).take();
  note_constant_inputs(program);
  EXPECT(kernel->noted.empty());
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
