#include <array>
#include <atomic>
#include <memory>
#include <random>

#include "op/kernel_registry.h"
#include "tests/cpp/waiting_room.h"
#include "tests/stress/graphs.h"
#include "tests/stress/stress.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

constexpr int kWaiting = 5;  // concurrent waits in a step
constexpr int64_t kSize = 8;

/// Kernels that wait for other threads, products of their outputs, and a kernel that waits again for the sum: kWaiting
/// · kSize · x² for a matrix of x.
struct WaitingGraph {
  WaitingGraph() {
    const Endpoint x = placeholder(*graph, "x");
    std::vector<Endpoint> products;
    for (int i = 0; i < kWaiting; ++i) {
      const std::string number = std::to_string(i);
      const Endpoint waiting = {add(*graph, "Identity", "wait" + number, {x}), 0};
      products.push_back({add(*graph, "MatMul", "product" + number, {waiting, x}), 0});
    }
    const Endpoint sum = {add(*graph, "AddN", "sum", products, {}, {kWaiting}), 0};
    signature.feeds = {x};
    signature.fetches = {{add(*graph, "Identity", "last", {sum}), 0}, sum};
  }
  RefPtr<Plan> plan() {
    const auto lock = graph->lock();
    Subgraph subgraph = prune(signature.feeds, signature.fetches, {}).take();
    const auto kernel_of = [this](const SubgraphNode& node) -> Result<std::shared_ptr<Kernel>> {
      if (node.info->op->name == "Identity") return std::shared_ptr<Kernel>(std::make_shared<WaitingKernel>(room));
      TINYTF_ASSIGN_OR_RETURN(std::unique_ptr<Kernel> made, KernelRegistry::global().create(*node.info));
      return std::shared_ptr<Kernel>(std::move(made));
    };
    RefPtr<Plan> plan = build_plan(subgraph, signature.feeds, kernel_of).take();
    force_threads(*plan);
    return plan;
  }
  /// Runs a step with its own x and checks its result, if it succeeds.
  Status run(Session& session, Plan& plan, float x, const RunSettings& settings = {}) const {
    std::vector<Tensor> feeds = {filled(Shape({kSize, kSize}), x)}, fetches;
    const Status status = session.run(plan, feeds, fetches, settings);
    for (const Tensor& value : fetches) EXPECT(all_are(value, kWaiting * kSize * x * x));
    EXPECT_EQ(fetches.size(), size_t{status.ok() ? 2u : 0u});
    return status;
  }

  WaitingRoom room;
  RefPtr<Graph> graph = make_ref<Graph>();
  RunSignature signature;
};

/// Sessions whose steps run on the process's threads, on their own threads, or on the caller only.
RefPtr<Session> session_of_kind(int kind, const RefPtr<Graph>& graph) {
  SessionOptions options;
  if (kind % 3 == 1) options.inter_op_pools = {std::make_shared<ThreadPool>(3)};
  if (kind % 3 == 2) options.inter_op_threads = -1;
  return make_ref<Session>(graph, std::move(options));
}

/// Completes waiting kernels, one in `bad_one_in` with an error, while steps are left.
void attend(WaitingRoom& room, const std::atomic<int>& steps_left, uint32_t seed, unsigned bad_one_in = 0) {
  std::mt19937 random(seed);
  while (steps_left > 0) {
    const bool bad = bad_one_in > 0 && random() % bad_one_in == 0;
    if (!room.let_out(bad ? internal_error("bad luck") : Status()) || random() % 4 == 0) std::this_thread::yield();
  }
}

bool is_expected(const Status& status, std::initializer_list<Code> codes) {
  return std::find(codes.begin(), codes.end(), status.code()) != codes.end();
}

/// Interrupts at the n-th poll.
struct NthTime final : Interrupt {
  explicit NthTime(int n) : left(n) {}
  bool interrupted() override { return --left == 0; }
  int left;
};

TINYTF_TEST(waiting_steps_are_completed_by_any_thread) {
  constexpr int kRunners = 3, kPorters = 2;
  for (int kind = 0; kind < 3; ++kind) {
    WaitingGraph g;
    const auto session = session_of_kind(kind, g.graph);
    const RefPtr<Plan> plan = g.plan();
    std::atomic<int> left{kRunners};
    on_threads(kRunners + kPorters, [&](int t) {
      if (t >= kRunners) return attend(g.room, left, static_cast<uint32_t>(t));
      for (int step = 0; step < rounds(20); ++step) {
        EXPECT_OK(g.run(*session, *plan, static_cast<float>(t + step % 5)));
      }
      --left;
    });
    EXPECT(!g.room.let_out());
  }
}

TINYTF_TEST(waiting_steps_meet_cancellation_failure_and_deadlines) {
  constexpr int kRunners = 4, kPorters = 2;
  for (int round = 0; round < rounds(9); ++round) {
    WaitingGraph g;
    const auto session = session_of_kind(round, g.graph);
    const RefPtr<Plan> plan = g.plan();
    std::atomic<int> left{kRunners};
    std::mutex mutex;
    std::array<std::shared_ptr<Cancellation>, kRunners> cancellations;
    on_threads(kRunners + kPorters + 1, [&](int t) {
      std::mt19937 random(static_cast<uint32_t>(100 * round + t));
      if (t == kRunners + kPorters) {
        while (left > 0) {
          std::shared_ptr<Cancellation> chosen;
          {
            std::lock_guard lock(mutex);
            chosen = cancellations[random() % kRunners];
          }
          if (chosen && random() % 3 == 0) chosen->cancel();
          std::this_thread::yield();
        }
        return;
      }
      if (t >= kRunners) return attend(g.room, left, random(), 20);
      for (int step = 0; step < 12; ++step) {
        const auto mine = std::make_shared<Cancellation>();
        {
          std::lock_guard lock(mutex);
          cancellations[t] = mine;
        }
        NthTime interrupt(1 + static_cast<int>(random() % 3));
        RunSettings settings;
        settings.cancellation = mine.get();
        settings.timeout_ms = random() % 3;  // 0: none
        if (random() % 2 == 0) settings.interrupt = &interrupt;
        const Status status = g.run(*session, *plan, static_cast<float>(t), settings);
        EXPECT(is_expected(status, {Code::kOk, Code::kCancelled, Code::kInternal, Code::kDeadlineExceeded}));
      }
      --left;
    });
    EXPECT(!g.room.let_out());
    // The session stays usable in all cases.
    left = 1;
    on_threads(2, [&](int t) {
      if (t == 1) return attend(g.room, left, 1);
      EXPECT_OK(g.run(*session, *plan, 2));
      --left;
    });
  }
}

TINYTF_TEST(waiting_steps_meet_the_end_of_their_session) {
  constexpr int kRunners = 4;
  for (int round = 0; round < rounds(15); ++round) {
    WaitingGraph g;
    const auto session = session_of_kind(round, g.graph);
    const RefPtr<Plan> plan = g.plan();
    std::atomic<int> left{kRunners};
    on_threads(kRunners + 3, [&](int t) {
      if (t == kRunners) return attend(g.room, left, static_cast<uint32_t>(round));
      if (t > kRunners) {
        g.room.wait_for_entries(1 + (round * 7) % 40);
        EXPECT_OK(session->close());
        EXPECT(session->closed());
        return;
      }
      Status status;
      while (status.ok()) status = g.run(*session, *plan, static_cast<float>(t));
      EXPECT_EQ(status.code(), Code::kCancelled);
      EXPECT_EQ(g.run(*session, *plan, 1).message(), std::string("Session has been closed."));
      --left;
    });
    EXPECT(!g.room.let_out());
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
