#include <atomic>
#include <random>

#include "tests/stress/graphs.h"
#include "tests/stress/stress.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

/// A growing chain in which node i is (i + 2) · x. Other threads may use the first `published` nodes.
struct GrowingChain {
  explicit GrowingChain(int length) : nodes(length) {
    x = placeholder(*graph, "x");
    grow(0);
  }

  void grow(int i) {
    const Endpoint before = i == 0 ? x : Endpoint{nodes[i - 1], 0};
    nodes[i] = add(*graph, "Add", graph->unique_name("link", true), {before, x});
    published.store(i + 1, std::memory_order_release);
  }

  RefPtr<Graph> graph = make_ref<Graph>();
  Endpoint x;
  std::vector<Node*> nodes;
  std::atomic<int> published{0};
};

/// Steps with random fetches; every other one cuts the chain by feeding one of its nodes.
void run_steps(Session& session, GrowingChain& chain, int steps, uint32_t seed) {
  std::mt19937 random(seed);
  for (int step = 0; step < steps; ++step) {
    const int known = chain.published.load(std::memory_order_acquire);
    const int last = static_cast<int>(random() % static_cast<unsigned>(known));
    const int middle = static_cast<int>(random() % static_cast<unsigned>(last + 1));
    const bool cut = step % 2 == 1;
    const float value = static_cast<float>(random() % 16);
    RunSignature signature;
    signature.feeds = {chain.x};
    signature.fetches = {{chain.nodes[last], 0}, {chain.nodes[middle], 0}};
    std::vector<Tensor> feeds;
    feeds.reserve(2);
    feeds.push_back(filled(Shape({32}), value));
    if (cut) {
      signature.feeds.push_back({chain.nodes[middle], 0});
      feeds.push_back(filled(Shape({32}), 100));
    }
    auto fetched = run(session, signature, std::move(feeds));
    EXPECT_OK(fetched.status());
    if (!fetched.ok()) return;
    const float expected_middle = cut ? 100 : value * static_cast<float>(middle + 2);
    EXPECT(all_are(fetched.value()[1], expected_middle));
    EXPECT(all_are(fetched.value()[0], expected_middle + value * static_cast<float>(last - middle)));
  }
}

TINYTF_TEST(sessions_run_while_their_graph_grows) {
  const int steps = rounds(40);
  GrowingChain chain(std::min(steps * 2, 400));
  const auto session = threaded_session(chain.graph);
  on_threads(6, [&](int t) {
    if (t > 0) return run_steps(*session, chain, steps, static_cast<uint32_t>(t));
    for (int i = 1; i < static_cast<int>(chain.nodes.size()); ++i) chain.grow(i);
  });
}

TINYTF_TEST(two_sessions_share_a_growing_graph) {
  const int steps = rounds(30);
  GrowingChain chain(std::min(steps * 2, 400));
  const RefPtr<Session> sessions[] = {threaded_session(chain.graph), make_ref<Session>(chain.graph, SessionOptions())};
  on_threads(5, [&](int t) {
    if (t > 0) return run_steps(*sessions[t % 2], chain, steps, static_cast<uint32_t>(t));
    for (int i = 1; i < static_cast<int>(chain.nodes.size()); ++i) chain.grow(i);
  });
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
