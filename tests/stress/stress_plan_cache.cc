#include <array>
#include <set>

#include "tests/stress/graphs.h"
#include "tests/stress/stress.h"

namespace tinytf {

using namespace testing;

TINYTF_TEST(plan_misses_meet) {
  constexpr int kThreads = 8;
  constexpr int kSignatures = 3;
  const auto graph = make_ref<Graph>();
  const Endpoint x = placeholder(*graph, "x");
  Endpoint sum = constant(*graph, "zero", filled(Shape({8}), 0));
  std::array<RunSignature, kSignatures> signatures;
  for (int s = 0; s < kSignatures; ++s) {
    for (int i = 0; i < 10; ++i) sum = {add(*graph, "Add", graph->unique_name("sum", true), {sum, x}), 0};
    signatures[s].feeds = {x};
    signatures[s].fetches = {sum};
  }
  for (int round = 0; round < rounds(30); ++round) {
    const auto session = threaded_session(graph);
    std::array<RefPtr<Plan>, kThreads> plans;
    on_threads(kThreads, [&](int t) {
      const RunSignature& signature = signatures[t % kSignatures];
      auto plan = session->plan(signature);
      EXPECT_OK(plan.status());
      plans[t] = plan.value();
      const auto fetched = run(*session, signature, {filled(Shape({8}), static_cast<float>(t))});
      EXPECT_OK(fetched.status());
      EXPECT(all_are(fetched.value()[0], static_cast<float>(t * 10 * (t % kSignatures + 1))));
    });
    // Whichever thread compiled first, all threads use the same plan.
    std::set<const Plan*> distinct;
    for (const auto& plan : plans) distinct.insert(plan.get());
    EXPECT_EQ(distinct.size(), size_t{kSignatures});
  }
}

TINYTF_TEST(stateful_kernels_are_shared_by_plans) {
  constexpr int kThreads = 6;
  constexpr int kDraws = 16;
  const auto graph = make_ref<Graph>();
  Tensor size = Tensor::allocate(Allocator::process(), DType::kInt32, Shape({1})).take();
  *size.data<int32_t>() = kDraws;
  const Endpoint shape = constant(*graph, "shape", size);
  const Endpoint draw = {add(*graph, "RandomUniform", "draw", {shape},
                             {{"dtype", DType::kFloat}, {"seed", int64_t{7}}, {"seed2", int64_t{1}}}),
                         0};
  std::vector<RunSignature> signatures(kThreads);
  for (int t = 0; t < kThreads; ++t) {
    // Fetches of different nodes, so that several plans with one random kernel are compiled at the same time.
    signatures[t].fetches = {{add(*graph, "Identity", graph->unique_name("read", true), {draw}), 0}};
  }
  const auto draw_all = [&](Session& session, const RunSignature& signature, std::multiset<float>& into, int times) {
    for (int i = 0; i < times; ++i) {
      const auto fetched = run(session, signature, {});
      EXPECT_OK(fetched.status());
      const float* values = fetched.value()[0].data<float>();
      into.insert(values, values + kDraws);
    }
  };
  for (int round = 0; round < rounds(10); ++round) {
    std::multiset<float> expected, met;
    draw_all(*make_ref<Session>(graph, SessionOptions()), signatures[0], expected, kThreads * 5);
    std::array<std::multiset<float>, kThreads> drawn;
    const auto session = threaded_session(graph);
    on_threads(kThreads, [&](int t) { draw_all(*session, signatures[t], drawn[t], 5); });
    for (const auto& values : drawn) met.insert(values.begin(), values.end());
    EXPECT(met == expected);  // every part of the random sequence was used by exactly one step
  }
}

}  // namespace tinytf
