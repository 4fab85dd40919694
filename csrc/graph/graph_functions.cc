// The functions of a graph: its own library, and functions that nodes of bodies in it call.
#include <set>

#include "graph/call_shapes.h"
#include "graph/graph.h"
#include "graph/instantiate.h"
#include "op/gradient_name.h"
#include "op/op_registry.h"

namespace tinytf {

namespace {

/// The functions that nodes of a graph name, by their attrs or as their ops. The caller holds the graph's lock.
std::vector<FuncRef> functions_named(const Graph& graph) {
  std::vector<FuncRef> named;
  for (int id = 1; id <= graph.last_id(); ++id) {
    const NodeInfo& node = *graph.node(id)->info;
    if (node.op->has(Trait::kFunction)) named.push_back({node.op->name, {}});
    for (const auto& [name, value] : node.attrs) {
      if (const auto* function = std::get_if<FuncRef>(&value)) named.push_back(*function);
      if (const auto* functions = std::get_if<std::vector<FuncRef>>(&value)) {
        named.insert(named.end(), functions->begin(), functions->end());
      }
    }
  }
  return named;
}

/// Visits the graphs that contain bodies of the library of `graph`, and transitively of their libraries: each once and
/// locked, until `visit` returns true. The caller holds the lock of `graph`.
template <class Visit>
void visit_bodies(const Graph& graph, Visit visit) {
  std::set<const Graph*> seen{&graph};
  std::vector<RefPtr<Graph>> graphs;
  const auto add_graphs_of = [&graphs](const Graph& owner) {
    for (Graph* inner : owner.functions().graphs()) graphs.push_back(RefPtr<Graph>::share(inner));
  };
  add_graphs_of(graph);
  for (size_t i = 0; i < graphs.size(); ++i) {
    if (!seen.insert(graphs[i].get()).second) continue;
    const auto lock = graphs[i]->lock();
    if (visit(*graphs[i])) return;
    add_graphs_of(*graphs[i]);
  }
}

}  // namespace

/// A copy of the functions that a body may call. InvalidArgument if the body is a part of this graph, which would then
/// own itself.
Result<FunctionLibrary> Graph::functions_beside(const std::string& name, const FunctionBody& body) const {
  if (body.graph.get() == this) {
    return invalid_argument("Cannot add function '", name, "' to the graph that it is a part of.");
  }
  const auto lock = body.graph->lock();
  return body.graph->functions();
}

Status Graph::add_function(const std::string& name, std::shared_ptr<const FunctionBody> body) {
  TINYTF_ASSIGN_OR_RETURN(FunctionLibrary with_others, functions_beside(name, *body));
  TINYTF_RETURN_IF_ERROR(with_others.add(name, std::move(body)));
  std::lock_guard lock(mutex_);
  return functions_.add(with_others);
}

Status Graph::add_functions(const FunctionLibrary& functions) {
  std::lock_guard lock(mutex_);
  return functions_.add(functions);
}

Status Graph::set_gradient(const std::string& function, const std::string& gradient) {
  std::lock_guard lock(mutex_);
  return functions_.set_gradient(function, gradient);
}

const OpDef* Graph::find_op(std::string_view name) const {
  if (const OpDef* op = OpRegistry::global().find(name)) return op;
  std::lock_guard lock(mutex_);
  return functions_.op(name);
}

Status Graph::add_derived(const FuncRef& function, FunctionLibrary::Derived derived) {
  FunctionLibrary with_others;
  if (derived.body != nullptr) {
    TINYTF_ASSIGN_OR_RETURN(with_others, functions_beside(function.name, *derived.body));
  }
  with_others.add_derived(function, std::move(derived));
  std::lock_guard lock(mutex_);
  return functions_.add(with_others);
}

Result<std::shared_ptr<const FunctionBody>> Graph::gradient(const FuncRef& of) {
  const std::string_view named = functions_.gradient_of(of.name);
  // The gradient of the gradient function is not needed.
  if (!named.empty()) return function({std::string(named), of.attrs});
  if (functions_.derived(of) == nullptr) take_from_bodies(of);
  const FunctionLibrary::Derived* derived = functions_.derived(of);
  if (derived != nullptr && derived->body != nullptr) return derived->body;
  if (derived == nullptr && functions_.find(of.name) == nullptr) {
    return not_found("Function ", of.name, " is not defined.");
  }
  return unimplemented("Function ", of.name, " has no gradient", derived == nullptr ? "." : ": ",
                       derived == nullptr ? std::string() : derived->why);
}

Result<std::shared_ptr<const FunctionBody>> Graph::function(const FuncRef& wanted) {
  std::lock_guard lock(mutex_);
  if (auto body = functions_.body(wanted.name)) return body;
  if (functions_.find(wanted.name) == nullptr) {
    if (const auto differentiated = derived_from(wanted)) return gradient(*differentiated);
    if (!take_from_bodies(wanted)) return not_found("Function ", wanted.name, " is not defined.");
    if (auto body = functions_.body(wanted.name)) return body;
  }
  const FunctionDef& definition = *functions_.find(wanted.name);
  const AttrProtos attrs(wanted.attrs.begin(), wanted.attrs.end());
  std::string key = text_of(wanted);
  const auto known = instances_.find(key);
  if (known != instances_.end()) return known->second;
  TINYTF_ASSIGN_OR_RETURN(auto body, instantiate(definition, attrs, functions_, Declarations::kOfLibrary, ops_of_));
  return instances_.emplace(std::move(key), std::move(body)).first->second;
}

bool Graph::take_from_bodies(const FuncRef& wanted) {
  std::lock_guard lock(mutex_);
  bool is_found = false;
  visit_bodies(*this, [&](const Graph& graph) {
    is_found = functions_.take(wanted, graph.functions());
    return is_found;
  });
  return is_found;
}

void Graph::take_what_bodies_call() {
  std::lock_guard lock(mutex_);
  visit_bodies(*this, [&](const Graph& graph) {
    for (const FuncRef& function : functions_named(graph)) functions_.take(function, graph.functions());
    return false;
  });
}

/// Merges the shapes that a called function infers from the shapes of its arguments. An invalid function is not an
/// error here: the step reports it.
void Graph::infer_call_shapes(Node& node) {
  const auto called = called_function(*node.info);
  const bool* is_off = node.info->attrs.get<bool>("_disable_call_shape_inference");
  if (!called || (is_off != nullptr && *is_off)) return;
  const auto body = function(*called);
  if (!body.ok() || body.value()->results.size() != node.info->outputs.size()) return;
  std::vector<PartialShape> arguments;
  for (const Endpoint& e : node.inputs) arguments.push_back(e.node->output_shapes[e.index]);
  auto shapes = result_shapes(*body.value(), arguments);
  if (shapes.ok()) node.output_shapes = shapes.take();
}

}  // namespace tinytf
