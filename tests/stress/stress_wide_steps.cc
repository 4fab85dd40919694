#include <cstring>
#include <random>
#include <set>

#include "runtime/observe/stats_recorder.h"
#include "tests/stress/graphs.h"
#include "tests/stress/stress.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

constexpr int64_t kSize = 6;

/// Layers of `width` nodes with random inputs from earlier layers; the last layer and some others are fetched.
struct RandomLayers {
  RandomLayers(int width, int depth, uint32_t seed) {
    std::mt19937 random(seed);
    const Endpoint x = placeholder(*graph, "x");
    std::vector<Endpoint> known = {x, constant(*graph, "c", filled(Shape({kSize, kSize}), 0.5f))};
    const auto any = [&] { return known[known.size() - 1 - random() % std::min<size_t>(known.size(), 2 * width)]; };
    for (int layer = 0; layer < depth; ++layer) {
      std::vector<Endpoint> made;
      for (int i = 0; i < width; ++i) made.push_back(node(random() % 6, any));
      known.insert(known.end(), made.begin(), made.end());
      if (layer % 3 == 1) signature.fetches.push_back(made[0]);
    }
    signature.feeds = {x};
    signature.fetches.insert(signature.fetches.end(), known.end() - width, known.end());
  }

  template <class Any>
  Endpoint node(unsigned kind, Any any) {
    const std::string name = graph->unique_name("node", true);
    switch (kind) {
      case 0: return {add(*graph, "Add", name, {any(), any()}), 0};
      case 1: return {add(*graph, "Mul", name, {any(), any()}), 0};
      case 2: return {add(*graph, "Tanh", name, {any()}), 0};
      case 3: return {add(*graph, "MatMul", name, {any(), any()}), 0};
      case 4: return {add(*graph, "Identity", name, {any()}), 0};
      default: return {add(*graph, "AddN", name, {any(), any(), any()}, {}, {3}), 0};
    }
  }

  RefPtr<Graph> graph = make_ref<Graph>();
  RunSignature signature;
};

Tensor input(int step) {
  Tensor x = filled(Shape({kSize, kSize}), 0);
  for (int64_t i = 0; i < kSize * kSize; ++i) {
    x.data<float>()[i] = 0.01f * static_cast<float>((i * 7 + step * 13) % 41 - 20);
  }
  return x;
}

bool same_bytes(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i].shape() != b[i].shape() || std::memcmp(a[i].raw(), b[i].raw(), a[i].bytes()) != 0) return false;
  }
  return true;
}

// With several threads, buffers are donated and values released by counting readers: all values must be bitwise equal
// to the values of sequential execution, including values of earlier steps that are still held.
TINYTF_TEST(threaded_steps_equal_sequential_ones) {
  constexpr int kInputs = 5;
  for (uint32_t seed = 1; seed <= 3; ++seed) {
    const RandomLayers layers(24, 7, seed);
    SessionOptions one_thread;
    one_thread.intra_op_threads = 1;
    const auto sequential = make_ref<Session>(layers.graph, one_thread);
    std::vector<std::vector<Tensor>> expected;
    for (int i = 0; i < kInputs; ++i) {
      auto fetched = run(*sequential, layers.signature, {input(i)});
      EXPECT_OK(fetched.status());
      expected.push_back(fetched.take());
    }
    const auto session = threaded_session(layers.graph);
    force_threads(*session->plan(layers.signature).value());
    on_threads(3, [&](int t) {
      std::vector<std::vector<Tensor>> held(kInputs);
      for (int step = 0; step < rounds(12); ++step) {
        const int i = (step + t) % kInputs;
        auto fetched = run(*session, layers.signature, {input(i)});
        EXPECT_OK(fetched.status());
        EXPECT(same_bytes(fetched.value(), expected[i]));
        if (!held[i].empty()) EXPECT(same_bytes(held[i], expected[i]));
        held[i] = fetched.take();
      }
    });
  }
}

TINYTF_TEST(traced_steps_record_every_node_once) {
  const RandomLayers layers(16, 5, 4);
  const auto session = threaded_session(layers.graph);
  const RefPtr<Plan> plan = session->plan(layers.signature).take();
  force_threads(*plan);
  on_threads(4, [&](int t) {
    for (int step = 0; step < rounds(10); ++step) {
      StepStats stats;
      std::vector<Tensor> feeds = {input(step)}, fetches;
      StatsRecorder recorder(stats);
      RunSettings settings;
      if (t != 0) settings.observer = &recorder;
      EXPECT_OK(session->run(*plan, feeds, fetches, settings));
      std::set<std::string> nodes;
      const std::vector<NodeStats> records = stats.take();
      for (const NodeStats& record : records) {
        nodes.insert(record.node);
        EXPECT(record.start_ns <= record.end_ns);
      }
      EXPECT_EQ(nodes.size(), t == 0 ? 0 : plan->program().nodes.size());
      EXPECT_EQ(records.size(), nodes.size());
    }
  });
}

// A plan measures itself during its first steps and may change the way of execution meanwhile.
TINYTF_TEST(first_steps_meet) {
  const RandomLayers layers(16, 4, 9);
  for (int round = 0; round < rounds(10); ++round) {
    const auto session = threaded_session(layers.graph);
    std::vector<std::vector<Tensor>> fetched(6);
    on_threads(6, [&](int t) {
      for (int step = 0; step < 4; ++step) fetched[t] = run(*session, layers.signature, {input(0)}).take();
    });
    for (const auto& values : fetched) EXPECT(same_bytes(values, fetched[0]));
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
