#include "tests/stress/graphs.h"
#include "tests/stress/stress.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

/// A small queue of float scalars, with steps that enqueue three elements and dequeue two or one.
struct QueueSteps {
  QueueSteps() {
    const Endpoint handle = {add(*graph, "FIFOQueueV2", "q", {},
                                 {{"component_types", std::vector<DType>{DType::kFloat}},
                                  {"shapes", std::vector<PartialShape>{PartialShape::scalar()}},
                                  {"capacity", int64_t{2}}}),
                             0};
    const std::vector<AttrMap::Item> types = {{"component_types", std::vector<DType>{DType::kFloat}}};
    const Endpoint rows = constant(*graph, "rows", filled(Shape({3}), 2));
    const Endpoint two = constant(*graph, "two", Tensor::scalar<int32_t>(2));
    put.targets = {add(*graph, "QueueEnqueueManyV2", "put", {handle, rows}, {}, {1, 1})};
    take_two.fetches = {{add(*graph, "QueueDequeueManyV2", "take_two", {handle, two}, types), 0}};
    take_one.fetches = {{add(*graph, "QueueDequeueV2", "take_one", {handle}, types), 0}};
    both.targets = put.targets;
    both.fetches = {take_one.fetches[0], take_two.fetches[0]};
    finish.targets = {add(*graph, "QueueCloseV2", "finish", {handle})};
  }

  RefPtr<Graph> graph = make_ref<Graph>();
  RunSignature put, take_one, take_two, both, finish;
};

TINYTF_TEST(steps_of_a_session_wait_for_each_other) {
  constexpr int kThreads = 6;
  QueueSteps steps;
  for (int round = 0; round < rounds(10); ++round) {
    const auto session = threaded_session(steps.graph);
    // As many elements are enqueued as dequeued, by threads that do either: every step must end.
    on_threads(kThreads, [&](int t) {
      const RunSignature& step = t % 3 == 0 ? steps.put : t % 3 == 1 ? steps.take_two : steps.take_one;
      for (int i = 0; i < 20; ++i) {
        const auto result = run(*session, step, {});
        EXPECT_OK(result.status());
        if (!result.ok()) return;
        for (const Tensor& value : result.value()) EXPECT(all_are(value, 2));
      }
    });
    EXPECT(run(*session, steps.finish, {}).ok());
    EXPECT_EQ(run(*session, steps.take_one, {}).status().code(), Code::kOutOfRange);
  }
}

TINYTF_TEST(closing_a_session_ends_steps_at_queues) {
  constexpr int kThreads = 5;
  QueueSteps steps;
  for (int round = 0; round < rounds(30); ++round) {
    const auto session = threaded_session(steps.graph);
    Latch some_steps(1 + round % kThreads);
    on_threads(kThreads + 1, [&](int t) {
      if (t == kThreads) {
        some_steps.wait();
        EXPECT_OK(session->close());
        return;
      }
      // The last step of a thread can only end with the session.
      for (int i = 0;; ++i) {
        some_steps.count_down();
        const RunSignature& step = (i + t) % 4 == 0 ? steps.both : t % 2 == 0 ? steps.put : steps.take_two;
        const Status status = run(*session, step, {}).status();
        if (status.ok()) continue;
        EXPECT_EQ(status.code(), Code::kCancelled);
        return;
      }
    });
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
