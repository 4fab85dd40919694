#include "runtime/plan/kernel_store.h"

#include "tests/cpp/functions.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::GraphFixture;

/// The node as a part of a plan, in the body of a function that `call` calls, or outside of functions.
SubgraphNode part(Node* node, const std::shared_ptr<const CallPath>& call = nullptr) {
  SubgraphNode made;
  made.info = node->info;
  made.origin = node;
  made.call = call;
  return made;
}

TINYTF_TEST(kernels_with_state_are_shared_by_plans) {
  GraphFixture g;
  Node* shape = g.constant("shape", testing::ints({1}));
  Node* random = g.add("RandomUniform", "random", {{shape, 0}}, {{"dtype", DType::kFloat}});
  Node* sum = g.add("Add", "sum", {{random, 0}, {random, 0}});
  KernelStore store, other;
  const auto kernel = [](KernelStore& of, const SubgraphNode& node) { return of.kernel_for(node).take(); };
  EXPECT(kernel(store, part(random)) == kernel(store, part(random)));
  EXPECT(kernel(store, part(random)) != kernel(other, part(random)));
  EXPECT(kernel(store, part(sum)) != kernel(store, part(sum)));
  const std::shared_ptr<Kernel> before = kernel(store, part(random));
  store.clear();
  EXPECT(before != kernel(store, part(random)));
}

TINYTF_TEST(each_call_of_a_function_has_kernels_of_its_own) {
  GraphFixture g, f;
  Node* shape = f.constant("shape", testing::ints({1}));
  Node* random = f.add("RandomUniform", "random", {{shape, 0}}, {{"dtype", DType::kFloat}});
  EXPECT_OK(g->add_function("f", body_of(f, {}, {{random, 0}})));
  Node* a = testing::call(g, "a", "f", {}, 1, {}, true);
  Node* b = testing::call(g, "b", "f", {}, 1, {}, true);
  const auto path = [](Node* call, bool shares_state) {
    return std::make_shared<const CallPath>(CallPath{call, nullptr, "f", shares_state});
  };
  KernelStore store;
  const auto kernel = [&](const std::shared_ptr<const CallPath>& call) {
    return store.kernel_for(part(random, call)).take();
  };
  EXPECT(kernel(path(a, false)) == kernel(path(a, false)));
  EXPECT(kernel(path(a, false)) != kernel(path(b, false)));
  EXPECT(kernel(path(a, true)) == kernel(path(b, true)));
}

TINYTF_TEST(states_of_random_generators_are_given_to_kernels_made_before_and_later) {
  GraphFixture g, f;
  Node* shape = f.constant("shape", testing::ints({1}));
  Node* random = f.add("RandomUniform", "random", {{shape, 0}}, {{"dtype", DType::kFloat}});
  EXPECT_OK(g->add_function("f", body_of(f, {}, {{random, 0}})));
  Node* call = testing::call(g, "call", "f", {}, 1, {}, true);
  const auto path = std::make_shared<const CallPath>(CallPath{call, nullptr, "f", false, 1});
  const RandomStateHolder::State state = {1, 2, 3, 4, 5, 6};
  const auto state_of = [](const std::shared_ptr<Kernel>& kernel) {
    return dynamic_cast<RandomStateHolder&>(*kernel).random_state();
  };
  KernelStore store, later;
  const std::shared_ptr<Kernel> kernel = store.kernel_for(part(random, path)).take();
  EXPECT_EQ(store.random_states().size(), 1u);
  EXPECT_EQ(store.random_states().begin()->first, std::string("call:1/random:0"));
  store.set_random_states({{"call:1/random:0", state}, {"other:0", {}}});
  EXPECT(state_of(kernel) == state);
  later.set_random_states(store.random_states());
  EXPECT(later.random_states() == store.random_states());
  EXPECT(state_of(later.kernel_for(part(random, path)).take()) == state);
}

TINYTF_TEST(only_kept_kernels_own_calls) {
  GraphFixture g;
  EXPECT_OK(g->add_function("f", testing::doubling()));
  Node* x = g.placeholder("x");
  Node* index = g.constant("index", Tensor::scalar<int32_t>(0));
  const auto branches = [&](const char* name, bool is_lowered) {
    AttrMap attrs;
    return g.add("Case", name, {{index, 0}, {x, 0}},
                 {{"Tin", std::vector<DType>{DType::kFloat}},
                  {"Tout", std::vector<DType>{DType::kFloat}},
                  {"branches", std::vector<FuncRef>(2, FuncRef{"f", {}})},
                  {"_lower_using_switch_merge", is_lowered}});
  };
  KernelStore store;
  const auto owner = store.kernel_for(part(branches("owner", true))).take();
  const auto other = store.kernel_for(part(branches("other", false))).take();
  const auto path = store.path_of({"f", {}}, {owner.get(), 1});
  EXPECT(path != nullptr);
  EXPECT_EQ(path->function, "f");
  EXPECT_EQ(path->branch, 1);
  EXPECT(store.path_of({"f", {}}, {other.get(), 1}) == nullptr);
  EXPECT(store.path_of({"f", {}}, {}) == nullptr);
  const auto inner = std::make_shared<const CallPath>(CallPath{x, nullptr, "f"});
  const auto recursive = store.kernel_for(part(branches("recursive", true), inner)).take();
  EXPECT(store.path_of({"f", {}}, {recursive.get(), 0}) == nullptr);
  EXPECT(store.path_of({"g", {}}, {recursive.get(), 0}) != nullptr);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
