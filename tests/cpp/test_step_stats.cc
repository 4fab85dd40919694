#include "services/step_stats.h"

#include <chrono>
#include <thread>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(step_stats_are_kept_in_the_order_of_their_ends) {
  StepStats stats;
  for (const char* name : {"a", "b"}) {
    NodeStats node;
    node.node = name;
    node.outputs.push_back({0, DType::kFloat, {2}, 8});
    stats.add(std::move(node));
  }
  const std::vector<NodeStats> nodes = stats.take();
  EXPECT_EQ(nodes.size(), size_t{2});
  EXPECT_EQ(nodes[0].node + nodes[1].node, "ab");
  EXPECT_EQ(nodes[1].outputs[0].bytes, 8);
  EXPECT(stats.take().empty());
}

TINYTF_TEST(step_stats_count_from_the_epoch_and_never_back) {
  using std::chrono::nanoseconds;
  const StepStats stats;
  const auto epoch = std::chrono::system_clock::now().time_since_epoch();
  int64_t last = stats.now();
  constexpr int64_t kMinute = 60'000'000'000;  // much longer than the clocks can drift during the test
  EXPECT(std::abs(last - std::chrono::duration_cast<nanoseconds>(epoch).count()) < kMinute);
  for (int i = 0; i < 1000; ++i) {
    const int64_t now = stats.now();
    EXPECT(now >= last);
    last = now;
  }
}

TINYTF_TEST(step_stats_are_added_by_any_thread) {
  StepStats stats;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      NodeStats node;
      node.thread = StepStats::this_thread();
      for (int i = 0; i < 100; ++i) stats.add(node);
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::vector<NodeStats> nodes = stats.take();
  EXPECT_EQ(nodes.size(), size_t{400});
  for (const NodeStats& node : nodes) EXPECT(node.thread != 0 && node.thread != StepStats::this_thread());
  EXPECT_EQ(StepStats::this_thread(), StepStats::this_thread());
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
