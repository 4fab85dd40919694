#include "runtime/session/session.h"

#include <atomic>
#include <future>
#include <thread>
#include <utility>

#include "op/kernel_registry.h"
#include "runtime/step/execute.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/plans.h"
#include "tests/cpp/waiting_room.h"

namespace tinytf {
namespace TINYTF_FILE {

Node* add(Graph& graph, const std::string& op, const std::string& name, std::vector<Endpoint> inputs,
          AttrMap attrs = {}) {
  NodeRequest request;
  request.op = op;
  request.name = name;
  request.inputs = std::move(inputs);
  request.attrs = std::move(attrs);
  Result<Node*> node = graph.add_node(std::move(request));
  return node.ok() ? node.value() : nullptr;
}

Node* placeholder(Graph& graph, const std::string& name) {
  AttrMap attrs;
  attrs.set("dtype", DType::kFloat);
  return add(graph, "Placeholder", name, {}, std::move(attrs));
}

Tensor filled(int64_t rows, int64_t columns, float value) {
  Tensor tensor = Tensor::allocate(Allocator::process(), DType::kFloat, Shape({rows, columns})).take();
  std::fill_n(tensor.data<float>(), rows * columns, value);
  return tensor;
}

/// Two independent matrix products and their sum: 2 n x² in every element for n×n matrices of x.
struct TwoProducts {
  RefPtr<Graph> graph = make_ref<Graph>();
  RunSignature signature;

  TwoProducts() {
    Node* x = placeholder(*graph, "x");
    Node* y = placeholder(*graph, "y");
    Node* a = add(*graph, "MatMul", "a", {{x, 0}, {y, 0}});
    Node* b = add(*graph, "MatMul", "b", {{y, 0}, {x, 0}});
    Node* sum = add(*graph, "Add", "sum", {{a, 0}, {b, 0}});
    signature.feeds = {{x, 0}, {y, 0}};
    signature.fetches = {{sum, 0}};
  }
};

TINYTF_TEST(session_runs_a_plan) {
  TwoProducts products;
  auto session = make_ref<Session>(products.graph, SessionOptions());
  auto plan = session->plan(products.signature);
  EXPECT_OK(plan.status());
  std::vector<Tensor> feeds = {filled(4, 4, 2), filled(4, 4, 2)};
  std::vector<Tensor> fetches;
  EXPECT_OK(session->run(*plan.value(), feeds, fetches));
  EXPECT_EQ(fetches[0].data<float>()[15], 32.0f);
}

TINYTF_TEST(session_runs_on_many_threads) {
  TwoProducts products;
  SessionOptions options;
  options.intra_op_threads = 2;
  auto session = make_ref<Session>(products.graph, options);
  auto plan = session->plan(products.signature);
  EXPECT_OK(plan.status());
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int step = 0; step < 40; ++step) {
        const float value = static_cast<float>(t + 1);
        std::vector<Tensor> feeds = {filled(96, 96, value), filled(96, 96, value)};
        std::vector<Tensor> fetches;
        const Status status = session->run(*plan.value(), feeds, fetches);
        if (!status.ok() || fetches[0].data<float>()[96 * 96 - 1] != 2 * 96 * value * value) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0);
}

TINYTF_TEST(session_threaded_steps_give_the_same_values) {
  TwoProducts products;
  SessionOptions options;
  options.intra_op_threads = 2;
  auto session = make_ref<Session>(products.graph, options);
  auto plan = session->plan(products.signature);
  EXPECT_OK(plan.status());
  testing::pretend_measured(*plan.value(), 1'000'000);
  EXPECT(threads_would_pay(plan.value()->program(), plan.value()->profile()));
  plan.value()->profile().steps = 4;
  plan.value()->profile().use_threads = true;
  for (int step = 0; step < 50; ++step) {
    std::vector<Tensor> feeds = {filled(32, 32, 3), filled(32, 32, 3)};
    std::vector<Tensor> fetches;
    EXPECT_OK(session->run(*plan.value(), feeds, fetches));
    EXPECT_EQ(fetches[0].data<float>()[0], 2 * 32 * 9.0f);
  }
  // The first error also ends a threaded step, and the session stays usable.
  std::vector<Tensor> bad = {filled(2, 3, 1), filled(4, 5, 1)};
  std::vector<Tensor> fetches;
  EXPECT(session->run(*plan.value(), bad, fetches).code() == Code::kInvalidArgument);
  std::vector<Tensor> good = {filled(2, 2, 1), filled(2, 2, 1)};
  EXPECT_OK(session->run(*plan.value(), good, fetches));
}

TINYTF_TEST(session_keeps_the_plans_that_were_used_last) {
  auto graph = make_ref<Graph>();
  std::vector<Endpoint> inputs;
  for (int i = 0; i < 1100; ++i) inputs.push_back({placeholder(*graph, str_cat("x", i)), 0});
  auto session = make_ref<Session>(graph, SessionOptions());
  const auto plan_of = [&](int i) { return session->plan({{inputs[i]}, {inputs[i]}, {}}).take(); };
  std::vector<RefPtr<Plan>> first;  // keeps plans alive, so that their addresses are not reused
  for (int i = 0; i < 1000; ++i) first.push_back(plan_of(i));
  for (int i = 0; i < 1000; ++i) EXPECT(plan_of(i) == first[i]);
  for (int i = 1000; i < 1100; ++i) {
    EXPECT(plan_of(0) == first[0]);  // used all the time
    (void)plan_of(i);
  }
  for (int i = 101; i < 1000; ++i) EXPECT(plan_of(i) == first[i]);
  EXPECT(plan_of(100) != first[100]);
}

TINYTF_TEST(session_places_what_is_added) {
  TwoProducts products;
  auto session = make_ref<Session>(products.graph, SessionOptions());
  SessionOptions pruning;
  pruning.place_pruned_graph = true;
  auto other = make_ref<Session>(products.graph, pruning);
  auto plan = session->plan(products.signature);
  EXPECT_OK(plan.status());
  EXPECT_OK(session->extend());
  Node* spare = placeholder(*products.graph, "spare");
  products.graph->set_device(spare, "/gpu:0");
  EXPECT_EQ(session->extend().code(), Code::kInvalidArgument);
  // Earlier plans stay valid; new ones fail until the node is corrected.
  EXPECT(session->plan(products.signature).value() == plan.value());
  const RunSignature fewer{products.signature.feeds, {products.signature.fetches[0].node->inputs[0]}, {}};
  EXPECT_EQ(session->plan(fewer).status().code(), Code::kInvalidArgument);
  EXPECT_OK(other->extend());  // it places only the needed nodes
  EXPECT_OK(other->plan(fewer).status());
  EXPECT_EQ(other->plan({{}, {{spare, 0}}, {}}).status().code(), Code::kInvalidArgument);
  products.graph->set_device(spare, "");
  EXPECT_OK(session->extend());
  EXPECT_OK(session->plan(fewer).status());
  EXPECT_EQ(session->placement().device_of(*spare), 0);
  EXPECT_EQ(other->placement().device_of(*spare), -1);
}

TINYTF_TEST(session_is_closed_once) {
  TwoProducts products;
  auto session = make_ref<Session>(products.graph, SessionOptions());
  auto plan = session->plan(products.signature);
  EXPECT_OK(session->close());
  EXPECT_OK(session->close());
  EXPECT(session->closed());
  EXPECT(session->plan(products.signature).status().code() == Code::kCancelled);
  std::vector<Tensor> feeds = {filled(2, 2, 1), filled(2, 2, 1)};
  std::vector<Tensor> fetches;
  EXPECT(session->run(*plan.value(), feeds, fetches).code() == Code::kCancelled);
}

TINYTF_TEST(session_tells_many_outputs_apart) {
  constexpr int64_t kOutputs = 66'000;
  auto graph = make_ref<Graph>();
  Node* x = placeholder(*graph, "x");
  AttrMap attrs;
  attrs.set("num", kOutputs);
  placeholder(*graph, "spare");
  Node* rows = add(*graph, "Unpack", "rows", {{x, 0}}, std::move(attrs));
  EXPECT_EQ(rows->id, 3);  // with an even id, indices of more than 16 bits would not collide
  auto session = make_ref<Session>(graph, SessionOptions());
  for (const int index : {0, 65'535, 65'536, 65'999}) {
    auto plan = session->plan({{{x, 0}}, {{rows, index}}, {}});
    EXPECT_OK(plan.status());
    std::vector<Tensor> feeds = {filled(kOutputs, 1, 0)};
    feeds[0].data<float>()[index] = 1;
    std::vector<Tensor> fetches;
    EXPECT_OK(session->run(*plan.value(), feeds, fetches));
    EXPECT_EQ(fetches[0].data<float>()[0], 1.0f);
  }
}

TINYTF_TEST(session_checks_its_feeds) {
  TwoProducts products;
  auto session = make_ref<Session>(products.graph, SessionOptions());
  auto plan = session->plan(products.signature);
  std::vector<Tensor> one = {filled(2, 2, 1)}, fetches;
  EXPECT_EQ(session->run(*plan.value(), one, fetches).message(), "Expected 2 feed tensors, but got 1");
  std::vector<Tensor> wrong = {filled(2, 2, 1), Tensor::scalar(int32_t{1})};
  EXPECT_EQ(session->run(*plan.value(), wrong, fetches).message(), "Expects arg[1] to be float but int32 is provided");
}

TINYTF_TEST(session_keeps_plans_and_state_while_the_graph_grows) {
  auto graph = make_ref<Graph>();
  AttrMap attrs;
  attrs.set("dtype", DType::kFloat);
  attrs.set("shape", PartialShape({1, 1}));
  Node* v = add(*graph, "VariableV2", "v", {}, std::move(attrs));
  Node* x = placeholder(*graph, "x");
  Node* assign = add(*graph, "Assign", "assign", {{v, 0}, {x, 0}});
  auto session = make_ref<Session>(graph, SessionOptions());
  const RunSignature write{{{x, 0}}, {}, {assign}};
  auto plan = session->plan(write);
  std::vector<Tensor> feeds = {filled(1, 1, 7)}, fetches;
  EXPECT_OK(session->run(*plan.value(), feeds, fetches));
  Node* read = add(*graph, "Identity", "read", {{v, 0}});
  EXPECT(session->plan(write).value() == plan.value());
  auto read_plan = session->plan({{}, {{read, 0}}, {}});
  feeds.clear();
  EXPECT_OK(session->run(*read_plan.value(), feeds, fetches));
  EXPECT_EQ(fetches[0].data<float>()[0], 7.0f);
  auto other = make_ref<Session>(graph, SessionOptions());
  fetches.clear();
  EXPECT_EQ(other->run(*other->plan({{}, {{read, 0}}, {}}).value(), feeds, fetches).code(), Code::kFailedPrecondition);
}

/// A session and a plan with a single Identity that waits in a room.
struct WaitingStep {
  explicit WaitingStep(SessionOptions options = {}) {
    auto graph = make_ref<Graph>();
    Node* x = placeholder(*graph, "x");
    Node* w = add(*graph, "Identity", "w", {{x, 0}});
    Subgraph subgraph = prune({{x, 0}}, {{w, 0}}, {}).take();
    const auto kernel = [this](const SubgraphNode&) -> Result<std::shared_ptr<Kernel>> {
      return std::shared_ptr<Kernel>(std::make_shared<testing::WaitingKernel>(room));
    };
    plan = testing::build_plan(subgraph, {{x, 0}}, kernel).take();
    session = make_ref<Session>(graph, std::move(options));
  }
  Status run(const RunSettings& settings = {}) {
    std::vector<Tensor> feeds = {filled(1, 1, 3)}, fetches;
    return session->run(*plan, feeds, fetches, settings);
  }

  testing::WaitingRoom room;
  RefPtr<Plan> plan;
  RefPtr<Session> session;
};

/// Runs a function during a step, as a signal handler would; true if it raised.
struct Handler final : Interrupt {
  explicit Handler(std::function<bool()> body) : body(std::move(body)) {}
  bool interrupted() override { return body(); }
  std::function<bool()> body;
};

TINYTF_TEST(session_close_ends_what_waits) {
  WaitingStep step;
  std::thread other([&] {
    step.room.wait_for_entries(1);
    EXPECT_OK(step.session->close());
    EXPECT_EQ(step.room.cancelled(), 1);
  });
  EXPECT_EQ(step.run().message(), "sent away\n\t [[{{node w}}]]");
  other.join();
  EXPECT_EQ(step.run().message(), "Session has been closed.");
}

TINYTF_TEST(session_may_be_closed_within_its_own_step) {
  SessionOptions options;
  options.inter_op_pools = {std::make_shared<ThreadPool>(2)};
  const std::weak_ptr<ThreadPool> pool = options.inter_op_pools[0];
  WaitingStep step(std::move(options));
  int calls = 0;
  Handler handler([&] {
    if (++calls > 1) return false;  // The step takes longer to end than the time between two calls.
    EXPECT_OK(step.session->close());
    EXPECT(step.session->closed());
    EXPECT(!pool.expired());  // the step may still use it
    EXPECT_EQ(step.run().message(), "Session has been closed.");
    return false;
  });
  RunSettings settings;
  settings.interrupt = &handler;
  EXPECT_EQ(step.run(settings).code(), Code::kCancelled);
  EXPECT(calls >= 1);
  EXPECT(pool.expired());
}

TINYTF_TEST(session_may_be_closed_within_a_step_within_its_step) {
  WaitingStep step, other;
  RunSettings settings, inner_settings;
  Handler inner([&] {
    EXPECT_OK(step.session->close());
    return true;
  });
  inner_settings.interrupt = &inner;
  Handler outer([&] {
    EXPECT_EQ(other.run(inner_settings).message(), "Run call was interrupted");
    EXPECT(step.session->closed());
    return false;
  });
  settings.interrupt = &outer;
  EXPECT_EQ(step.run(settings).code(), Code::kCancelled);
  EXPECT(!other.session->closed());
}

TINYTF_TEST(session_close_can_be_interrupted_and_tried_again) {
  WaitingStep step;
  std::promise<void> entered, leave;
  std::thread user([&] {  // like a step that takes long to end
    const SessionCore::Entry entry(step.session->core());
    entered.set_value();
    leave.get_future().wait();
  });
  entered.get_future().wait();
  EXPECT_EQ(step.session->core().stats().active_ops, 1);
  EXPECT_EQ(step.session->close([] { return true; }).code(), Code::kCancelled);
  EXPECT(step.session->closed());
  EXPECT_EQ(step.run().message(), "Session has been closed.");
  EXPECT_EQ(step.session->core().life(), CoreStats::Life::kClosing);
  EXPECT_OK(step.session->close([&, first = true]() mutable {
    EXPECT_OK(step.session->close());  // in a signal handler: the outer close continues
    if (std::exchange(first, false)) leave.set_value();
    return false;
  }));
  EXPECT_EQ(step.session->core().life(), CoreStats::Life::kClosed);
  user.join();
}

TINYTF_TEST(session_gives_large_blocks_back_in_the_background) {
  auto graph = make_ref<Graph>();
  Node* x = placeholder(*graph, "x");
  const RunSignature signature = {{{x, 0}}, {{add(*graph, "Neg", "y", {{x, 0}}), 0}}, {}};
  auto session = make_ref<Session>(graph, SessionOptions());
  EXPECT(!session->core().stats().reaper_alive);
  auto plan = session->plan(signature);
  EXPECT_OK(plan.status());
  for (int megabytes = 1; megabytes <= 16; ++megabytes) {  // sizes vary, so that pools keep only some blocks
    const Tensor fed = filled(megabytes, 1 << 18, 1);      // held, so that it is not overwritten
    std::vector<Tensor> feeds = {fed}, fetches;
    EXPECT_OK(session->run(*plan.value(), feeds, fetches));
  }
  EXPECT(session->core().stats().reaper_alive);
  EXPECT_OK(session->core().reclaim().flush(-1));
  EXPECT(session->core().stats().returned_blocks > 0);
  EXPECT_EQ(session->core().stats().returning_bytes, 0);
  EXPECT_OK(session->close());
  EXPECT(!session->core().stats().reaper_alive);
}

TINYTF_TEST(session_lets_go_of_its_pools_when_closed) {
  SessionOptions options;
  options.inter_op_pools = {std::make_shared<ThreadPool>(2)};
  const std::weak_ptr<ThreadPool> pool = options.inter_op_pools[0];
  const auto session = make_ref<Session>(make_ref<Graph>(), std::move(options));
  EXPECT(!pool.expired());
  EXPECT_OK(session->close());
  EXPECT(pool.expired());
}

TINYTF_TEST(session_steps_choose_their_pool) {
  TwoProducts products;
  SessionOptions options;
  options.inter_op_pools = {std::make_shared<ThreadPool>(2), std::make_shared<ThreadPool>(3)};
  const auto pools = options.inter_op_pools;
  const auto run = [&](Session& session, int pool) {
    const RefPtr<Plan> plan = session.plan(products.signature).take();
    testing::pretend_measured(*plan, 1'000'000);
    plan->profile().steps = 4;
    plan->profile().use_threads = true;
    plan->profile().trials = 0;  // the first step uses threads
    std::vector<Tensor> feeds = {filled(4, 4, 2), filled(4, 4, 2)}, fetches;
    RunSettings settings;
    settings.inter_op_pool = pool;
    return session.run(*plan, feeds, fetches, settings);
  };
  const auto session = make_ref<Session>(products.graph, options);
  EXPECT_OK(run(*session, -1));
  EXPECT(!pools[0]->started() && !pools[1]->started());
  EXPECT_OK(run(*session, 1));
  EXPECT(!pools[0]->started() && pools[1]->started());
  EXPECT_OK(run(*session, 0));
  EXPECT(pools[0]->started());
  const auto plain = make_ref<Session>(products.graph, SessionOptions());
  SessionOptions alone;
  alone.inter_op_threads = -1;
  const auto single = make_ref<Session>(products.graph, alone);
  for (const auto& [one, number] : {std::pair{session, 2}, {session, -2}, {plain, 1}, {single, 1}}) {
    EXPECT_EQ(run(*one, number).message(), str_cat("Invalid inter_op_thread_pool: ", number));
  }
  EXPECT_OK(run(*single, 0));
}

TINYTF_TEST(session_steps_end_when_their_time_is_up) {
  SessionOptions options;
  options.timeout_ms = 1;
  WaitingStep step(options);
  EXPECT_EQ(step.run().code(), Code::kDeadlineExceeded);  // the session's time limit
  WaitingStep unlimited;
  RunSettings settings;
  settings.timeout_ms = 1;
  EXPECT_EQ(unlimited.run(settings).code(), Code::kDeadlineExceeded);
}

TINYTF_TEST(session_steps_end_with_somebody_elses_cancellation) {
  WaitingStep step;
  Cancellation cancellation;
  RunSettings settings;
  settings.cancellation = &cancellation;
  std::thread other([&] {
    step.room.wait_for_entries(1);
    cancellation.cancel();
  });
  EXPECT_EQ(step.run(settings).message(), "sent away\n\t [[{{node w}}]]");
  other.join();
  EXPECT_EQ(step.run(settings).code(), Code::kCancelled);  // later steps, too
  std::thread porter([&] {
    step.room.wait_for_entries(2);
    EXPECT(step.room.let_out());
  });
  EXPECT_OK(step.run());
  porter.join();
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
