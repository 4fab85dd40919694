#include "runtime/functions/function_runtime.h"

#include <random>

#include "graph/graph_def.h"
#include "graph/import_graph_def.h"
#include "runtime/session/session.h"
#include "tests/cpp/functions.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::body_of;
using testing::call;
using testing::GraphFixture;

Status run(Session& session, const std::vector<Endpoint>& feeds, Node* fetch, float value, float* result,
           const RunSettings& settings = {}) {
  RunSignature signature;
  signature.feeds = feeds;
  signature.fetches = {{fetch, 0}};
  TINYTF_ASSIGN_OR_RETURN(const RefPtr<Plan> plan, session.plan(signature));
  std::vector<Tensor> given{Tensor::scalar(value)}, fetches;
  TINYTF_RETURN_IF_ERROR(session.run(*plan, given, fetches, settings));
  *result = *fetches[0].data<float>();
  return Status();
}

/// What a step lends, without a session.
struct Lent : KernelServices {
  Lent() {
    allocator = &Allocator::process();
    parallel = &serial;
    resources = step_resources = &manager;
    cancellation = &whole;
  }
  SerialParallel serial;
  ResourceManager manager;
  Cancellation whole;
};

Result<float> value_of(FunctionInstance& function, const KernelServices& step, std::vector<Tensor> arguments) {
  std::vector<Tensor> results;
  TINYTF_RETURN_IF_ERROR(function.run(step, arguments, results));
  return *results[0].data<float>();
}

TINYTF_TEST(functions_run_without_a_session) {
  GraphFixture g;
  EXPECT_OK(g->add_function("double", testing::doubling()));
  const auto runtime = make_ref<FunctionRuntime>(g.graph(), CompileOptions(), 1);
  Lent step;
  const RefPtr<FunctionInstance> function = runtime->instantiate({"double", {}}, step).take();
  EXPECT(runtime->instantiate({"double", {}}, step).value() == function);
  EXPECT_EQ(value_of(*function, step, {Tensor::scalar(4.0f)}).value(), 8.0f);
  EXPECT_EQ(runtime->instantiate({"triple", {}}, step).status().message(), "Function triple is not defined.");
  runtime->clear();
  EXPECT_EQ(value_of(*function, step, {Tensor::scalar(4.0f)}).status().code(), Code::kCancelled);
}

/// A graph with a function "draw" of nothing that yields the next number of a random sequence.
struct Drawing : GraphFixture {
  Drawing() {
    GraphFixture f;
    Node* shape = f.constant("shape", testing::ints({1}));
    Node* random = f.add("RandomUniform", "random", {{shape, 0}}, {{"dtype", DType::kFloat}, {"seed", int64_t{7}}});
    EXPECT_OK(graph()->add_function("draw", body_of(f, {}, {{random, 0}})));
  }
};

TINYTF_TEST(instances_with_state_of_their_own_outlive_their_runtime) {
  Lent step;
  RefPtr<FunctionInstance> a, b;
  float first = 0, second = 0;
  {
    Drawing g;
    const auto runtime = make_ref<FunctionRuntime>(g.graph(), CompileOptions(), 1);
    const RefPtr<FunctionInstance> shared = runtime->instantiate({"draw", {}}, step).take();
    first = value_of(*shared, step, {}).value();
    second = value_of(*shared, step, {}).value();
    EXPECT(first != second);
    a = runtime->source({"draw", {}}).take()->instantiate(step).take();
    b = runtime->source({"draw", {}}).take()->instantiate(step).take();
    runtime->clear();
  }
  EXPECT_EQ(value_of(*a, step, {}).value(), first);
  EXPECT_EQ(value_of(*a, step, {}).value(), second);
  EXPECT_EQ(value_of(*b, step, {}).value(), first);
}

TINYTF_TEST(calls_in_a_function_with_state_of_its_own_are_its_own) {
  Drawing g;
  GraphFixture f;
  Node* index = f.placeholder("index", {}, DType::kInt32);
  Node* drawn = f.add("Case", "drawn", {{index, 0}},
                      {{"Tin", std::vector<DType>()},
                       {"Tout", std::vector<DType>{DType::kFloat}},
                       {"branches", std::vector<FuncRef>(6, FuncRef{"draw", {}})}});
  EXPECT_OK(g->add_function("f", body_of(f, {{index, 0}}, {{drawn, 0}})));
  const auto runtime = make_ref<FunctionRuntime>(g.graph(), CompileOptions(), 1);
  Lent step;
  step.functions = runtime.get();
  const RefPtr<FunctionInstance> shared = runtime->instantiate({"f", {}}, step).take();
  const RefPtr<FunctionInstance> own = runtime->source({"f", {}}).take()->instantiate(step).take();
  const Tensor two = Tensor::scalar<int32_t>(2);
  const float first = value_of(*shared, step, {two}).value();
  EXPECT(value_of(*shared, step, {two}).value() != first);
  EXPECT_EQ(value_of(*own, step, {two}).value(), first);
}

TINYTF_TEST(functions_that_call_themselves_end_in_an_error) {
  GraphFixture f;
  Node* a = f.placeholder("a");
  Node* again = call(f, "again", "f", {{a, 0}});
  GraphFixture g;
  EXPECT_OK(g->add_function("f", body_of(f, {{a, 0}}, {{again, 0}})));
  Node* x = g.placeholder("x");
  Node* y = call(g, "y", "f", {{x, 0}});
  auto session = make_ref<Session>(g.graph(), SessionOptions());
  float result = 0;
  const Status status = run(*session, {{x, 0}}, y, 1, &result);
  EXPECT_EQ(status.code(), Code::kResourceExhausted);
  EXPECT(status.message().find("Calls of functions are nested in more than 100 levels, at function f") == 0);
}

TINYTF_TEST(functions_beyond_what_a_plan_holds_are_run_where_they_are_called) {
  GraphFixture g;
  testing::add_doublings(g, "f", 17);
  Node* x = g.placeholder("x");
  Node* y = call(g, "y", "f", {{x, 0}});
  SessionOptions options;
  options.fold_constants = options.eliminate_common_subexpressions = false;
  auto session = make_ref<Session>(g.graph(), options);
  float result = 1;
  EXPECT_OK(run(*session, {{x, 0}}, y, 0, &result));
  EXPECT_EQ(result, 0.0f);
}

class Interrupted final : public Interrupt {
 public:
  bool interrupted() override { return true; }
};

TINYTF_TEST(long_functions_end_with_their_step) {
  GraphFixture g;
  testing::add_doublings(g, "f", 40);  // would take hours
  Node* x = g.placeholder("x");
  Node* y = call(g, "y", "f", {{x, 0}});
  SessionOptions options;
  options.fold_constants = options.eliminate_common_subexpressions = false;
  auto session = make_ref<Session>(g.graph(), options);
  float result = 0;
  RunSettings settings;
  settings.timeout_ms = 50;
  EXPECT_EQ(run(*session, {{x, 0}}, y, 1, &result, settings).code(), Code::kDeadlineExceeded);
  Interrupted interrupt;
  settings.timeout_ms = 0;
  settings.interrupt = &interrupt;
  EXPECT_EQ(run(*session, {{x, 0}}, y, 1, &result, settings).message(), "Run call was interrupted");
}

/// A GraphDef in which y calls f on x: the sum of the two largest elements of x and the result of g on x.
std::string calling_graph() {
  GraphFixture inner;
  Node* b = inner.placeholder("b");
  Node* doubled = inner.add("Add", "doubled", {{b, 0}, {b, 0}});
  GraphFixture f;
  EXPECT_OK(f->add_function("g", body_of(inner, {{b, 0}}, {{doubled, 0}})));
  Node* a = f.placeholder("a");
  Node* k = f.constant("k", Tensor::scalar<int32_t>(2));
  Node* top = f.add("TopKV2", "top", {{a, 0}, {k, 0}});
  Node* axis = f.constant("axis", testing::ints({0}));
  Node* sum = f.add("Sum", "sum", {{top, 0}, {axis, 0}});
  Node* of_g = call(f, "of_g", "g", {{sum, 0}});
  GraphFixture graph;
  EXPECT_OK(graph->add_function("f", body_of(f, {{a, 0}}, {{of_g, 0}})));
  Node* x = graph.placeholder("x");
  call(graph, "y", "f", {{x, 0}});
  return graph_def_of(*graph, {}).take();
}

Result<float> value_of_calling_graph(const std::string& bytes) {
  TINYTF_ASSIGN_OR_RETURN(const GraphDefView view, read_graph_def(bytes));
  const auto graph = make_ref<Graph>();
  ImportOptions options;
  options.is_prefix_new = true;
  options.producer = 1 << 30;
  options.undeclared = [](const OpDef&, std::string_view, std::string_view, const std::string&) { return Status(); };
  TINYTF_RETURN_IF_ERROR(import_graph_def(*graph, view, options).status());
  Node* x = graph->find("x");
  Node* y = graph->find("y");
  if (x == nullptr || y == nullptr || x->num_outputs() == 0 || y->num_outputs() == 0) return not_found("x or y");
  auto session = make_ref<Session>(graph, SessionOptions());
  RunSignature signature;
  signature.feeds = {{x, 0}};
  signature.fetches = {{y, 0}};
  TINYTF_ASSIGN_OR_RETURN(const RefPtr<Plan> plan, session->plan(signature));
  std::vector<Tensor> feeds{testing::floats({1, 5, 3})}, fetches;
  RunSettings settings;
  settings.timeout_ms = 1000;
  TINYTF_RETURN_IF_ERROR(session->run(*plan, feeds, fetches, settings));
  if (fetches[0].dtype() != DType::kFloat || fetches[0].num_elements() != 1) return not_found("a number");
  return *fetches[0].data<float>();
}

TINYTF_TEST(graphs_carry_functions_that_call_functions) {
  const auto value = value_of_calling_graph(calling_graph());
  EXPECT_OK(value.status());
  EXPECT_EQ(value.value(), 16.0f);
}

TINYTF_TEST(functions_that_bodies_came_to_call_are_found) {
  const auto add_of = [](const std::string& name, int copies) {
    GraphFixture inner;
    Node* b = inner.placeholder("b");
    Node* sum = b;
    for (int i = 0; i < copies; ++i) sum = inner.add("Add", str_cat(name, i), {{sum, 0}, {b, 0}});
    return body_of(inner, {{b, 0}}, {{sum, 0}});
  };
  GraphFixture f, middle, graph;
  EXPECT_OK(f->add_function("first", add_of("first", 1)));
  Node* a = f.placeholder("a");
  Node* inside = call(f, "inside", "first", {{a, 0}});
  EXPECT_OK(middle->add_function("f", body_of(f, {{a, 0}}, {{inside, 0}})));
  Node* c = middle.placeholder("c");
  Node* of_f = call(middle, "of_f", "f", {{c, 0}});
  EXPECT_OK(graph->add_function("middle", body_of(middle, {{c, 0}}, {{of_f, 0}})));
  Node* x = graph.placeholder("x");
  Node* y = call(graph, "y", "middle", {{x, 0}});
  EXPECT_OK(f->add_function("later", add_of("later", 4)));
  EXPECT(graph_def_of(*graph, {}).value().find("later") == std::string::npos);  // it is not called
  f->set_attr(inside, "f", FuncRef{"later", {}});
  auto session = make_ref<Session>(graph.graph(), SessionOptions());
  float result = 0;
  EXPECT_OK(run(*session, {{x, 0}}, y, 2, &result));
  EXPECT_EQ(result, 10.0f);
  EXPECT(graph_def_of(*graph, {}).value().find("later") != std::string::npos);
  EXPECT(graph_def_of(*middle, {}).value().find("later") != std::string::npos);  // this graph ran nothing
  EXPECT_EQ(graph->function({"none", {}}).status().message(), "Function none is not defined.");
}

TINYTF_TEST(damaged_graphs_with_functions_run_or_fail) {
  const std::string bytes = calling_graph();
  std::mt19937_64 random(20261127);
  int ran = 0, failed = 0;
  for (int round = 0; round < 10000; ++round) {
    std::string changed = bytes;
    for (uint64_t changes = random() % 3 + 1; changes > 0; --changes) {
      changed[random() % changed.size()] = static_cast<char>(random());
    }
    ++(value_of_calling_graph(changed).ok() ? ran : failed);
  }
  EXPECT(ran > 0 && failed > 0);
}

TINYTF_TEST(calls_have_state_of_their_own) {
  GraphFixture f;
  Node* shape = f.constant("shape", testing::ints({1}));
  Node* random = f.add("RandomUniform", "random", {{shape, 0}}, {{"dtype", DType::kFloat}, {"seed", int64_t{7}}});
  GraphFixture g;
  EXPECT_OK(g->add_function("f", body_of(f, {}, {{random, 0}})));
  Node* a = call(g, "a", "f", {}, 1, {}, true);
  Node* b = call(g, "b", "f", {}, 1, {}, true);
  Node* x = g.placeholder("x");
  Node* difference = g.add("Sub", "difference", {{a, 0}, {b, 0}});
  Node* y = g.add("Mul", "y", {{difference, 0}, {x, 0}});
  auto session = make_ref<Session>(g.graph(), SessionOptions());
  for (int step = 0; step < 3; ++step) {
    float result = 1;
    EXPECT_OK(run(*session, {{x, 0}}, y, 1, &result));
    EXPECT_EQ(result, 0.0f);  // each drew the same number of values
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
