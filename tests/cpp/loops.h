#pragma once

// Branches and loops built from TensorFlow's primitives.

#include <string>
#include <vector>

#include "tests/cpp/graph_fixture.h"

namespace tinytf {
namespace testing {

inline Tensor scalar(int32_t value) { return Tensor::scalar(value); }

/// A Switch: output 0 is alive if the predicate is false.
inline Node* add_switch(GraphFixture& g, const std::string& name, Endpoint data, Endpoint predicate) {
  return g.add("Switch", name, {data, predicate});
}

inline Node* add_merge(GraphFixture& g, const std::string& name, std::vector<Endpoint> inputs) {
  return g.add_list("Merge", name, std::move(inputs));
}

inline Node* add_enter(GraphFixture& g, const std::string& name, Endpoint data, const std::string& frame,
                       bool is_constant = false, int64_t parallel_iterations = 10) {
  return g.add("Enter", name, {data},
               {{"frame_name", frame}, {"is_constant", is_constant}, {"parallel_iterations", parallel_iterations}});
}

/// `while (i < limit) i = i + 1`, from `start`, with the loop's own frame name. Nodes are named NAME/enter and so on.
struct CountingLoop {
  CountingLoop(GraphFixture& g, const std::string& name, Endpoint start, Endpoint limit, Endpoint one,
               int64_t parallel_iterations = 10) {
    const auto in = [&](const char* what) { return name + "/" + what; };
    enter = add_enter(g, in("enter"), start, name, false, parallel_iterations);
    merge = add_merge(g, in("merge"), {{enter, 0}, {enter, 0}});
    Node* const bound = add_enter(g, in("limit"), limit, name, true, parallel_iterations);
    less = g.add("Less", in("less"), {{merge, 0}, {bound, 0}});
    condition = g.add("LoopCond", in("cond"), {{less, 0}});
    branch = add_switch(g, in("switch"), {merge, 0}, {condition, 0});
    body = g.add("Identity", in("body"), {{branch, 1}});
    Node* const step = add_enter(g, in("one"), one, name, true, parallel_iterations);
    sum = g.add("Add", in("sum"), {{body, 0}, {step, 0}});
    next = g.add("NextIteration", in("next"), {{sum, 0}});
    TINYTF_CHECK(g->update_input(merge, 1, {next, 0}).ok());
    exit = g.add("Exit", in("exit"), {{branch, 0}});
  }
  Node *enter, *merge, *less, *condition, *branch, *body, *sum, *next, *exit;
};

}  // namespace testing
}  // namespace tinytf
