#include "op/node_observer.h"

#include <mutex>
#include <set>

#include "tests/cpp/executor_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::floats;
using Fixture = testing::ExecutorFixture;

/// Collects node names and fails for one of them. Thread-safe.
class Collector final : public NodeObserver {
 public:
  explicit Collector(std::string bad = "") : bad_(std::move(bad)) {}
  Status after(const KernelContext& ctx, int64_t, const Iterations&) override {
    std::lock_guard lock(mutex_);
    names.insert(ctx.node().name);
    inputs_valid = inputs_valid && ctx.input(0).valid();
    return ctx.node().name == bad_ ? failed_precondition("objection") : Status();
  }
  std::multiset<std::string> names;
  bool inputs_valid = true;

 private:
  const std::string bad_;
  std::mutex mutex_;
};

struct Branches : Fixture {
  Branches() {
    Node* x = placeholder("x", {1});
    std::vector<Endpoint> branches;
    for (const char* name : {"a", "b", "c"}) branches.push_back({add("Neg", name, {{x, 0}}), 0});
    whole = plan({{x, 0}}, {{add_list("AddN", "sum", branches), 0}});
  }
  RefPtr<Plan> whole;
};

TINYTF_TEST(node_observer_sees_every_node_while_its_inputs_are_there) {
  Branches f;
  testing::for_each_way(*f.whole, [&] {
    Collector collector;
    EXPECT(!collector.keeps_inputs());
    f.services.observer = &collector;
    EXPECT_OK(f.run(*f.whole, {floats({2})}));
    EXPECT_EQ(f.fetches[0].data<float>()[0], -6.0f);
    EXPECT(collector.names == (std::multiset<std::string>{"a", "b", "c", "sum"}));
    EXPECT(collector.inputs_valid);
  });
}

TINYTF_TEST(node_observer_may_fail_the_step) {
  Branches f;
  testing::for_each_way(*f.whole, [&] {
    f.cancellation.emplace();
    Collector collector("b");
    f.services.observer = &collector;
    const Status status = f.run(*f.whole, {floats({2})});
    EXPECT_EQ(status.code(), Code::kFailedPrecondition);
    EXPECT_EQ(status.message(), "objection\n\t [[{{node b}}]]");
    EXPECT_EQ(collector.names.count("sum"), size_t{0});
  });
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
