#include <array>
#include <set>

#include "tests/stress/graphs.h"
#include "tests/stress/stress.h"

// Reference variables, only with locking ops. Reading one while another step writes is a data race, in TensorFlow as
// here; the output of a locked update is a copy made under the lock.
namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

Endpoint variable(Graph& graph, const std::string& name, DType dtype, const Shape& shape) {
  return {add(graph, "VariableV2", name, {}, {{"shape", PartialShape(shape)}, {"dtype", dtype}}), 0};
}

TINYTF_TEST(locked_updates_add_up) {
  constexpr int kThreads = 6;
  const int steps = rounds(60);
  const Shape shape({50});
  const auto graph = make_ref<Graph>();
  const Endpoint v = variable(*graph, "v", DType::kFloat, shape);
  const Endpoint zeros = constant(*graph, "zeros", filled(shape, 0));
  const Endpoint ones = constant(*graph, "ones", filled(shape, 1));
  RunSignature init, plus, minus, known, read;
  init.targets = {add(*graph, "Assign", "init", {v, zeros})};
  plus.fetches = {{add(*graph, "AssignAdd", "plus", {v, ones}, {{"use_locking", true}}), 0}};
  minus.fetches = {{add(*graph, "AssignSub", "minus", {v, ones}, {{"use_locking", true}}), 0}};
  known.fetches = {{add(*graph, "IsVariableInitialized", "known", {v}), 0}};
  read.fetches = {v};
  const auto session = threaded_session(graph);
  // A read before the first assignment fails, or sees the complete value.
  on_threads(kThreads, [&](int t) {
    const auto fetched = run(*session, t % 2 == 0 ? init : read, {});
    EXPECT(fetched.ok() || fetched.status().code() == Code::kFailedPrecondition);
    EXPECT(!fetched.ok() || t % 2 == 0 || all_are(fetched.value()[0], 0));
    EXPECT_OK(run(*session, known, {}).status());
  });
  on_threads(kThreads, [&](int t) {
    for (int step = 0; step < steps; ++step) {
      const auto fetched = run(*session, t == 0 ? minus : plus, {});
      EXPECT_OK(fetched.status());
      EXPECT(all_are(fetched.value()[0], *fetched.value()[0].data<float>()));
    }
  });
  EXPECT(all_are(run(*session, read, {}).value()[0], static_cast<float>((kThreads - 2) * steps)));
}

TINYTF_TEST(counters_give_every_number_once) {
  constexpr int kThreads = 6;
  const int limit = rounds(200);
  const auto graph = make_ref<Graph>();
  const Endpoint v = variable(*graph, "v", DType::kInt32, Shape());
  RunSignature init, next;
  init.targets = {add(*graph, "Assign", "init", {v, constant(*graph, "zero", Tensor::scalar<int32_t>(0))})};
  next.fetches = {{add(*graph, "CountUpTo", "next", {v}, {{"limit", int64_t{limit}}}), 0}};
  const auto session = threaded_session(graph);
  EXPECT_OK(run(*session, init, {}).status());
  std::array<std::vector<int32_t>, kThreads> seen;
  on_threads(kThreads, [&](int t) {
    for (;;) {
      const auto fetched = run(*session, next, {});
      if (!fetched.ok()) {
        EXPECT_EQ(fetched.status().code(), Code::kOutOfRange);
        return;
      }
      seen[t].push_back(*fetched.value()[0].data<int32_t>());
    }
  });
  std::set<int32_t> numbers;
  size_t count = 0;
  for (const auto& of_thread : seen) {
    numbers.insert(of_thread.begin(), of_thread.end());
    count += of_thread.size();
  }
  EXPECT_EQ(count, static_cast<size_t>(limit));
  EXPECT_EQ(numbers.size(), count);
}

TINYTF_TEST(updates_of_shared_variables_do_not_lock_each_other_out) {
  const Shape shape({30});
  const auto graph = make_ref<Graph>();
  const Endpoint a = variable(*graph, "a", DType::kFloat, shape);
  const Endpoint b = variable(*graph, "b", DType::kFloat, shape);
  const Endpoint zeros = constant(*graph, "zeros", filled(shape, 0));
  const Endpoint rate = constant(*graph, "rate", Tensor::scalar(0.5f));
  const Endpoint momentum = constant(*graph, "momentum", Tensor::scalar(0.5f));
  RunSignature init, forward, backward;
  init.targets = {add(*graph, "Assign", "init_a", {a, zeros}), add(*graph, "Assign", "init_b", {b, zeros})};
  // Each variable is the other's accumulator, so that the two ops lock them in opposite orders.
  forward.targets = {add(*graph, "ApplyMomentum", "forward", {a, b, rate, zeros, momentum}, {{"use_locking", true}})};
  backward.targets = {add(*graph, "ApplyMomentum", "backward", {b, a, rate, zeros, momentum}, {{"use_locking", true}})};
  const auto session = threaded_session(graph);
  EXPECT_OK(run(*session, init, {}).status());
  on_threads(4, [&](int t) {
    for (int step = 0; step < rounds(60); ++step) {
      EXPECT_OK(run(*session, t % 2 == 0 ? forward : backward, {}).status());
    }
  });
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
