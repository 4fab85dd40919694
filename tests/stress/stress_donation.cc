#include "tests/stress/graphs.h"
#include "tests/stress/stress.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

const Shape& shape() {
  static const Shape shape({64, 48});  // large enough for loops to be split
  return shape;
}

/// Views of one fed value and of one constant, each negated; every Neg could work in place. The results are -x and -c
/// several times, and x itself through two views.
struct Views {
  Views() {
    const Endpoint x = placeholder(*graph, "x");
    const Endpoint c = constant(*graph, "c", filled(shape(), 3));
    for (const Endpoint source : {x, c}) {
      for (int i = 0; i < 4; ++i) {
        const Endpoint view = {add(*graph, "Identity", graph->unique_name("view", true), {source}), 0};
        const Endpoint gated = {add(*graph, "Neg", graph->unique_name("neg", true), {view}), 0};
        // Four operations with a single consumer each, which share one buffer.
        Endpoint chain = gated;
        for (int k = 0; k < 4; ++k) chain = {add(*graph, "Neg", graph->unique_name("neg", true), {chain}), 0};
        signature.fetches.push_back(chain);
      }
    }
    const Endpoint view = {add(*graph, "Identity", "kept", {x}), 0};
    signature.fetches.push_back({add(*graph, "Identity", "kept_too", {view}), 0});
    signature.feeds = {x};
  }

  RefPtr<Graph> graph = make_ref<Graph>();
  RunSignature signature;
};

void check(const std::vector<Tensor>& fetched, float x) {
  for (size_t i = 0; i < 8; ++i) EXPECT(all_are(fetched[i], i < 4 ? -x : -3));
  EXPECT(all_are(fetched[8], x));
}

/// Runs steps that feed memory of their own, memory kept by the caller, and memory shared by all threads.
void donate(Session& session, const RunSignature& signature) {
  const Tensor shared = filled(shape(), 7);
  on_threads(5, [&](int t) {
    const Tensor kept = filled(shape(), static_cast<float>(10 + t));
    std::vector<std::vector<Tensor>> held;
    for (int step = 0; step < rounds(20); ++step) {
      const float own = static_cast<float>(step % 50);
      for (const Tensor& feed : {filled(shape(), own), Tensor(kept), Tensor(shared)}) {
        const float x = *feed.data<float>();
        auto fetched = run(session, signature, {step % 2 == 0 ? feed : feed.clone(session.allocator()).take()});
        EXPECT_OK(fetched.status());
        check(fetched.value(), x);
        held.push_back(fetched.take());
        if (held.size() > 6) held.erase(held.begin());
        for (const auto& earlier : held) check(earlier, *earlier[8].data<float>());
      }
    }
    EXPECT(all_are(kept, static_cast<float>(10 + t)));
  });
  EXPECT(all_are(shared, 7));
}

TINYTF_TEST(donated_buffers_belong_to_one_step) {
  Views views;
  SessionOptions options;
  options.eliminate_common_subexpressions = false;  // equal chains stay separate
  options.fold_constants = false;
  options.intra_op_threads = 1;
  donate(*make_ref<Session>(views.graph, options), views.signature);
}

TINYTF_TEST(donated_buffers_belong_to_one_threaded_step) {
  Views views;
  SessionOptions options;
  options.eliminate_common_subexpressions = false;
  options.fold_constants = false;
  options.intra_op_threads = 4;
  const auto session = make_ref<Session>(views.graph, options);
  force_threads(*session->plan(views.signature).value());
  donate(*session, views.signature);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
