#include "tests/stress/graphs.h"
#include "tests/stress/stress.h"

// Resource variables: a value that was read never changes, despite concurrent writes.
namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

struct VariableGraph {
  VariableGraph() {
    const Shape shape({50});
    const Endpoint zeros = constant(*graph, "zeros", filled(shape, 0));
    const Endpoint ones = constant(*graph, "ones", filled(shape, 1));
    const std::vector<AttrMap::Item> type = {{"dtype", DType::kFloat}};
    handle = {add(*graph, "VarHandleOp", "v", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape(shape)}}), 0};
    fed = placeholder(*graph, "fed");
    reset.targets = {add(*graph, "AssignVariableOp", "reset", {handle, zeros}, type)};
    assign.feeds = {fed};
    assign.targets = {add(*graph, "AssignVariableOp", "assign", {handle, fed}, type)};
    plus.targets = {add(*graph, "AssignAddVariableOp", "plus", {handle, ones}, type)};
    destroy.targets = {add(*graph, "DestroyResourceOp", "destroy", {handle})};
    read.fetches = {{add(*graph, "ReadVariableOp", "read", {handle}, type), 0}};
    known.fetches = {{add(*graph, "VarIsInitializedOp", "known", {handle}), 0}};
    // A step that reads before and after its own update.
    Node* after = add(*graph, "ReadVariableOp", "after", {handle}, type);
    Node* update = add(*graph, "AssignAddVariableOp", "update", {handle, ones}, type);
    graph->add_control_input(update, read.fetches[0].node);
    graph->add_control_input(after, update);
    both.fetches = {read.fetches[0], {after, 0}};
  }

  RefPtr<Graph> graph = make_ref<Graph>();
  Endpoint handle, fed;
  RunSignature reset, assign, plus, destroy, read, known, both;
};

bool even(const Tensor& tensor) { return all_are(tensor, *tensor.data<float>()); }

TINYTF_TEST(values_once_read_stay) {
  constexpr int kThreads = 6;
  const int steps = rounds(60);
  VariableGraph v;
  const auto session = threaded_session(v.graph);
  force_threads(*session->plan(v.both).value());
  EXPECT_OK(run(*session, v.reset, {}).status());
  on_threads(kThreads, [&](int t) {
    std::vector<Tensor> held;
    for (int step = 0; step < steps; ++step) {
      if (t % 2 == 0) {
        EXPECT_OK(run(*session, v.plus, {}).status());
        continue;
      }
      const auto fetched = run(*session, v.both, {});
      EXPECT_OK(fetched.status());
      const Tensor &before = fetched.value()[0], &after = fetched.value()[1];
      EXPECT(even(before) && even(after));
      EXPECT(*after.data<float>() >= *before.data<float>() + 1);
      held.push_back(before);
      if (held.size() > 8) held.erase(held.begin());
      for (const Tensor& earlier : held) EXPECT(even(earlier));
    }
  });
  EXPECT(all_are(run(*session, v.read, {}).value()[0], static_cast<float>(kThreads * steps)));
}

TINYTF_TEST(assigned_memory_is_shared_until_written) {
  VariableGraph v;
  const auto session = threaded_session(v.graph);
  EXPECT_OK(run(*session, v.reset, {}).status());
  const Tensor shared = filled(Shape({50}), 1000);  // assigned and added by all threads, and kept by this one
  on_threads(6, [&](int t) {
    for (int step = 0; step < rounds(40); ++step) {
      switch ((t + step) % 3) {
        case 0: EXPECT_OK(run(*session, v.assign, {shared}).status()); break;
        case 1: EXPECT_OK(run(*session, v.plus, {}).status()); break;
        default: EXPECT(even(run(*session, v.read, {}).value()[0]));
      }
    }
  });
  EXPECT(all_are(shared, 1000));
}

TINYTF_TEST(variables_are_destroyed_and_made_again) {
  VariableGraph v;
  const auto session = threaded_session(v.graph);
  on_threads(6, [&](int t) {
    for (int step = 0; step < rounds(40); ++step) {
      switch ((t + step) % 4) {
        case 0: EXPECT_OK(run(*session, v.reset, {}).status()); break;
        case 1: EXPECT_OK(run(*session, v.destroy, {}).status()); break;
        case 2: EXPECT_OK(run(*session, v.known, {}).status()); break;
        default: {
          const auto fetched = run(*session, t % 2 == 0 ? v.read : v.both, {});
          const Code code = fetched.status().code();
          EXPECT(fetched.ok() || code == Code::kFailedPrecondition || code == Code::kNotFound);
          EXPECT(!fetched.ok() || even(fetched.value()[0]));
        }
      }
    }
  });
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
