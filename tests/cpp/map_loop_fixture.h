#pragma once

#include <memory>

#include "runtime/plan/bytecode.h"
#include "tests/cpp/executor_fixture.h"
#include "tests/cpp/loops.h"

namespace tinytf {
namespace testing {

/// `while (i < limit) { array[i] = values[i]; i += 1 }`.
struct MapLoopFixture : ExecutorFixture {
  Node* start = placeholder("start", PartialShape::scalar(), DType::kInt32);
  Node* limit = placeholder("limit", PartialShape::scalar(), DType::kInt32);
  Node* one = constant("one", scalar(1));
  CountingLoop loop{*this, "l", {start, 0}, {limit, 0}, {one, 0}};
  Node* array = add("TensorArrayV3", "array", {{limit, 0}}, {{"dtype", DType::kFloat}});
  Node* handle = add_enter(*this, "handle", {array, 0}, "l", true);
  Node* flow = add_enter(*this, "flow", {array, 1}, "l");
  Node* merge = add_merge(*this, "merge", {{flow, 0}, {flow, 0}});
  Node* branch = add_switch(*this, "branch", {merge, 0}, {loop.condition, 0});
  Node* value = add("Cast", "value", {{loop.body, 0}}, {{"DstT", DType::kFloat}});
  Node* write = add("TensorArrayWriteV3", "write", {{handle, 0}, {loop.body, 0}, {value, 0}, {branch, 1}});
  Node* next = add("NextIteration", "next", {{write, 0}});
  Node* exit = add("Exit", "exit", {{branch, 0}});
  MapLoopFixture() { TINYTF_CHECK((*this)->update_input(merge, 1, {next, 0}).ok()); }

  /// A plan with feeds for start and limit that returns the stacked elements and the counter.
  RefPtr<Plan> map_plan() {
    Node* const indices = constant("indices", tensor<int32_t>({6}, {0, 1, 2, 3, 4, 5}));
    Node* const stacked =
        add("TensorArrayGatherV3", "stacked", {{array, 0}, {indices, 0}, {exit, 0}}, {{"dtype", DType::kFloat}});
    return plan({{start, 0}, {limit, 0}}, {{stacked, 0}, {loop.exit, 0}});
  }
};

}  // namespace testing
}  // namespace tinytf
