#include "runtime/step/run_node.h"

#include <stdexcept>

#include "tests/cpp/executor_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::floats;
using Fixture = testing::ExecutorFixture;

struct ThrowingKernel final : Kernel {
  Status compute(KernelContext&) override { throw std::runtime_error("oops"); }
};

/// Counts the nodes it observes.
struct Witness final : NodeObserver {
  Status after(const KernelContext&, int64_t, const Iterations&) override {
    ++seen;
    return Status();
  }
  int seen = 0;
};

TINYTF_TEST(run_node_is_the_same_with_and_without_an_observer) {
  Fixture f;
  Node* x = f.placeholder("x", {1});
  const RefPtr<Plan> plan = f.plan({{x, 0}}, {{f.add("Neg", "a", {{x, 0}}), 0}});
  const Program& program = plan->program();
  Witness witness;
  for (NodeObserver* observer : {static_cast<NodeObserver*>(nullptr), static_cast<NodeObserver*>(&witness)}) {
    f.services.observer = observer;
    auto memory = plan->take_slots();
    memory->slots[program.feed_slots[0]].tensor = floats({3});
    EXPECT_OK(run_node(program, program.nodes[0], f.services, memory->slots.data(), 0));
    EXPECT_EQ(memory->slots[program.fetch_slots[0]].tensor.data<float>()[0], -3.0f);
  }
  EXPECT_EQ(witness.seen, 1);
}

TINYTF_TEST(run_node_names_the_node_of_what_a_kernel_throws) {
  Fixture f;
  Node* x = f.placeholder("x", {1});
  const auto kernels = [](const SubgraphNode&) -> Result<std::shared_ptr<Kernel>> {
    return std::shared_ptr<Kernel>(std::make_shared<ThrowingKernel>());
  };
  const RefPtr<Plan> plan = f.plan({{x, 0}}, {{f.add("Neg", "a", {{x, 0}}), 0}}, kernels);
  auto memory = plan->take_slots();
  const Status status = run_node(plan->program(), plan->program().nodes[0], f.services, memory->slots.data(), 0);
  EXPECT_EQ(status.message(), "The operation ended with an exception: oops\n\t [[{{node a}}]]");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
