#include "services/function_calls.h"

#include "runtime/session/session.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::OpRunner;

std::string called;
std::vector<bool> may_change;

/// Returns its arguments, except for "fails" and "nothing".
Status echo(const FunctionCall& call, std::vector<Tensor>& results) {
  called += call.token + ";";
  may_change.clear();
  for (const FunctionCall::Input& input : call.inputs) may_change.push_back(input.may_change);
  if (call.token == "fails") return Status(Code::kOutOfRange, "the end");
  if (call.token == "nothing") return Status();
  for (const FunctionCall::Input& input : call.inputs) results.push_back(*input.value);
  return Status();
}

/// Sets the function caller during a case and removes it afterwards.
struct Caller {
  explicit Caller(FunctionCaller caller) {
    called.clear();
    set_function_caller(caller);
  }
  ~Caller() {
    set_function_caller([](const FunctionCall&, std::vector<Tensor>&) { return failed_precondition("nobody"); });
  }
};

TINYTF_TEST(functions_are_called_by_whoever_is_set) {
  const Tensor value = Tensor::scalar(3.0f);
  const std::vector<FunctionCall::Input> inputs{{&value, false}};
  const std::string token = "f";
  const FunctionCall call{token, inputs, Allocator::process()};
  std::vector<Tensor> results;
  EXPECT_EQ(call_function(call, results).code(), Code::kFailedPrecondition);
  {
    const Caller caller(echo);
    EXPECT_OK(call_function(call, results));
  }
  EXPECT_EQ(called, "f;");
  EXPECT_EQ(results.size(), size_t{1});
  EXPECT_EQ(*results[0].data<float>(), 3.0f);
}

/// A session step with a node that calls `token` with a scalar and returns `outputs`.
Status run(const char* op, const char* token, std::vector<DType> outputs, std::vector<Tensor>& fetches) {
  RefPtr<Graph> graph = make_ref<Graph>();
  NodeRequest constant;
  constant.op = constant.name = "Const";
  constant.attrs.set("value", Tensor::scalar(2.0f));
  constant.attrs.set("dtype", DType::kFloat);
  auto source = graph->add_node(std::move(constant));
  TINYTF_RETURN_IF_ERROR(source.status());
  NodeRequest request;
  request.op = op;
  request.name = "call";
  request.inputs = {{source.value(), 0}};
  request.group_sizes = {1};
  request.attrs.set("token", std::string(token));
  request.attrs.set("Tout", outputs);
  auto node = graph->add_node(std::move(request));
  TINYTF_RETURN_IF_ERROR(node.status());
  auto session = make_ref<Session>(graph, SessionOptions());
  RunSignature signature;
  for (size_t i = 0; i < outputs.size(); ++i) signature.fetches.push_back({node.value(), static_cast<int>(i)});
  signature.targets = {node.value()};
  TINYTF_ASSIGN_OR_RETURN(RefPtr<Plan> plan, session->plan(signature));
  // Only a stateless function of constants is called when planning, and then not in the step.
  EXPECT_EQ(called, op == std::string("PyFuncStateless") ? "f;" : "");
  std::vector<Tensor> feeds;
  return session->run(*plan, feeds, fetches);
}

TINYTF_TEST(py_func_nodes_call_once_and_before_steps_only_if_stateless) {
  for (const char* op : {"PyFunc", "PyFuncStateless", "EagerPyFunc"}) {
    const Caller caller(echo);
    std::vector<Tensor> fetches;
    EXPECT_OK(run(op, "f", {DType::kFloat}, fetches));
    EXPECT_EQ(called, "f;");
    EXPECT(!may_change[0]);  // the plan owns the constant
    EXPECT_EQ(*fetches[0].data<float>(), 2.0f);
  }
}

TINYTF_TEST(py_func_nodes_check_what_comes_back) {
  const auto message = [](const char* token, std::vector<DType> outputs) {
    const Caller caller(echo);
    std::vector<Tensor> fetches;
    return run("PyFunc", token, std::move(outputs), fetches).to_string();
  };
  EXPECT_EQ(message("fails", {DType::kFloat}), "Out of range: the end\n\t [[{{node call}}]]");
  EXPECT_EQ(message("nothing", {}), "OK");
  EXPECT_EQ(message("nothing", {DType::kFloat}),
            "Invalid argument: nothing returns 0 values, but expects to see 1 values.\n\t [[{{node call}}]]");
  EXPECT_EQ(message("f", {DType::kInt64}),
            "Invalid argument: 0-th value returned by f is float, but expects int64\n\t [[{{node call}}]]");
}

TINYTF_TEST(py_func_outside_of_a_step_is_not_called) {
  const Caller caller(echo);
  auto result = OpRunner("PyFuncStateless")
                    .list({Tensor::scalar(1.0f)})
                    .attr("token", std::string("f"))
                    .attr("Tout", std::vector<DType>{DType::kFloat})
                    .run();
  EXPECT_EQ(result.status().code(), Code::kFailedPrecondition);
  EXPECT_EQ(called, "");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
