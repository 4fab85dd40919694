#include "graph/constant_value.h"

#include <algorithm>

#include "graph/known_shapes.h"
#include "op/guarded.h"
#include "op/kernel_registry.h"
#include "services/float_mode.h"

namespace tinytf {

namespace {

// Shape functions ask for shapes, axes and sizes. Larger values are data and are left to the step.
constexpr int64_t kMaxElements = 4096;
constexpr int64_t kMaxBytes = 1 << 20;  // For values of unknown size, including the memory to compute them.
constexpr int64_t kMaxPrinted = 256;    // Of a value in a message, in elements.

/// The endpoint at the start of a chain of casts and identities. Iterative, because a chain may be too long for
/// recursion. Follows only edges from older nodes, because others may close a cycle.
Endpoint behind_casts(Endpoint endpoint) {
  while (!endpoint.node->is_constant && endpoint.node->has(Trait::kPassesValue)) {
    const Endpoint source = endpoint.node->inputs[0];
    if (source.node->id >= endpoint.node->id) break;
    endpoint = source;
  }
  return endpoint;
}

/// The elements of a vector or scalar as far as static shapes tell them.
PartialShape static_entries(Endpoint endpoint) {
  const Node& node = *endpoint.node;
  // As in ShapeN: output i is the shape of input i.
  if (node.has(Trait::kShapeOnly) && node.info->op->inputs[0].is_list()) {
    const Endpoint input = node.inputs[endpoint.index];
    return input.node->output_shapes[input.index];
  }
  if (node.info->op->entries_fn == nullptr) return {};
  std::vector<PartialShape> shapes;
  for (Endpoint input : node.inputs) shapes.push_back(input.node->output_shapes[input.index]);
  NodeConstants constants(node);
  ShapeContext context(*node.info, std::move(shapes), {}, &constants);
  return node.info->op->entries_fn(context);
}

/// The statically known elements of a vector or scalar that is not constant.
PartialShape entries_of(Endpoint endpoint) {
  // A constant whose kernel failed has no known value.
  if (endpoint.node->is_constant) return constant_value(endpoint) ? constant_value_as_shape(endpoint) : PartialShape();
  return static_entries(endpoint);
}

/// Whether static shapes that cannot change any more determine the node's outputs.
bool tells_known_shapes(const Node& node) {
  return std::none_of(node.inputs.begin(), node.inputs.end(),
                      [](Endpoint e) { return e.node->was_changed || e.node->info->outputs[e.index].is_ref; }) &&
         values_of_shapes(node).has_value();
}

/// Whether a constant node's values have not been computed yet.
bool is_pending(const Node& node) { return node.is_constant && !node.constant_values; }

/// The outputs of a Switch, of which one is not valid.
std::vector<Tensor> switched(const std::vector<Tensor>& inputs) {
  const Tensor& predicate = inputs[1];
  if (predicate.rank() != 0 || predicate.dtype() != DType::kBool) return {};
  std::vector<Tensor> outputs(2);
  outputs[*predicate.data<bool>() ? 1 : 0] = inputs[0];
  return outputs;
}

/// The values of a constant node; empty if an input has no values or the kernel fails. No input may be pending.
std::vector<Tensor> computed(const Node& node) {
  if (node.has(Trait::kConstant)) {
    const Tensor* value = attr_value(*node.info);
    return value ? std::vector<Tensor>{*value} : std::vector<Tensor>();
  }
  if (auto values = values_of_shapes(node)) return *std::move(values);
  std::vector<Tensor> inputs;
  for (Endpoint input : node.inputs) {
    if (!input.node->is_constant || input.node->constant_values->empty()) return {};
    inputs.push_back((*input.node->constant_values)[input.index]);
    if (!inputs.back().valid()) return {};  // A dead output of a Switch.
  }
  if (node.info->op->control_flow == ControlFlow::kSwitch) return switched(inputs);
  const auto is_bounded = [](const PartialShape& shape) { return shape.fully_defined(); };
  const bool bounded = std::all_of(node.output_shapes.begin(), node.output_shapes.end(), is_bounded);
  auto values = bounded ? evaluate_node(*node.info, inputs) : evaluate_bounded(*node.info, inputs);
  return values.ok() ? values.take() : std::vector<Tensor>();
}

/// Computes a pending node and the inputs that it needs. Uses an explicit stack, because a chain may be too long for
/// recursion.
void compute_values(Node& wanted) {
  std::vector<Node*> stack{&wanted};
  while (!stack.empty()) {
    Node& node = *stack.back();
    const size_t depth = stack.size();
    if (is_pending(node)) {
      for (Endpoint input : node.inputs) {
        if (is_pending(*input.node)) stack.push_back(input.node);
      }
      if (stack.size() > depth) continue;
      node.constant_values = computed(node);
    }
    stack.pop_back();
  }
}

}  // namespace

bool depends_on_constants_only(const Node& node) {
  if (node.has(Trait::kConstant)) return true;  // Regardless of its control inputs.
  if (tells_known_shapes(node)) return true;
  if (node.info->op->is_stateful) return false;                            // As in TensorFlow.
  if (node.inputs.empty() || node.has(Trait::kPlaceholder)) return false;  // Fed at run time.
  if (node.info->op->calls_functions()) return false;
  const ControlFlow kind = node.info->op->control_flow;
  if (kind != ControlFlow::kNone && kind != ControlFlow::kSwitch) return false;
  for (const ArgType& output : node.info->outputs) {
    if (output.is_ref || output.dtype == DType::kResource || output.dtype == DType::kVariant) return false;
  }
  if (!takes_its_types(node)) return false;
  const auto is_constant = [](Endpoint e) { return e.node->is_constant; };
  if (!std::all_of(node.inputs.begin(), node.inputs.end(), is_constant)) return false;
  return std::all_of(node.inputs.begin(), node.inputs.end(), [](Endpoint e) {
    const PartialShape& shape = e.node->output_shapes[e.index];
    if (shape.fully_defined()) return shape.num_elements() <= kMaxElements;
    const Tensor* value = constant_value(e);  // As for ListDiff, Unique, Where: only the value tells the size.
    return value != nullptr && value->num_elements() <= kMaxElements;
  });
}

const Tensor* attr_value(const NodeInfo& info) {
  const Tensor* value = info.op->has(Trait::kConstant) ? info.attrs.get<Tensor>("value") : nullptr;
  return value != nullptr && value->dtype() == info.outputs[0].dtype ? value : nullptr;
}

Result<std::vector<Tensor>> evaluate_node(const NodeInfo& info, const std::vector<Tensor>& inputs, Parallel* parallel,
                                          Allocator* allocator, int64_t step_id) {
  const FlushDenormals flush;
  TINYTF_ASSIGN_OR_RETURN(std::unique_ptr<Kernel> kernel, KernelRegistry::global().create(info));
  SerialParallel serial;
  ResourceManager resources;
  Cancellation cancellation;
  KernelServices step;
  step.allocator = allocator != nullptr ? allocator : &Allocator::process();
  step.parallel = parallel != nullptr ? parallel : &serial;
  step.resources = &resources;
  step.step_resources = &resources;
  step.cancellation = &cancellation;
  step.step_id = step_id;
  std::vector<Slot> slots(inputs.size());
  std::vector<int32_t> positions(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    slots[i].tensor = inputs[i];
    positions[i] = static_cast<int32_t>(i);
  }
  std::vector<Slot> outputs(info.outputs.size());
  KernelContext ctx(info, step, slots.data(), positions.data(), outputs.data(), /*last_use=*/0);
  TINYTF_RETURN_IF_ERROR(compute_guarded(*kernel, ctx));
  std::vector<Tensor> values;
  for (Slot& output : outputs) values.push_back(std::move(output.tensor));
  return values;
}

Result<std::vector<Tensor>> evaluate_bounded(const NodeInfo& info, const std::vector<Tensor>& inputs) {
  const RefPtr<Allocator> allocator = make_ref<Allocator>();
  allocator->set_limit(kMaxBytes);
  TINYTF_ASSIGN_OR_RETURN(std::vector<Tensor> values, evaluate_node(info, inputs, nullptr, allocator.get()));
  for (Tensor& value : values) {
    TINYTF_ASSIGN_OR_RETURN(value, value.clone(Allocator::process()));
  }
  return values;
}

const Tensor* constant_value(Endpoint endpoint) {
  Node& node = *endpoint.node;
  if (!node.is_constant) return nullptr;
  if (!node.constant_values) compute_values(node);
  if (node.constant_values->empty()) return nullptr;
  const Tensor& value = (*node.constant_values)[endpoint.index];
  return value.valid() ? &value : nullptr;
}

PartialShape constant_value_as_shape(Endpoint endpoint) {
  const PartialShape& own = endpoint.node->output_shapes[endpoint.index];
  if (endpoint.node->has(Trait::kShapeOnly) && own.rank() == 1) {
    // As in TensorFlow, the static shape counts, even if the value tells more.
    const PartialShape entries = static_entries(endpoint);
    if (entries.known_rank()) return entries;
  }
  if (const Tensor* value = constant_value(endpoint)) {
    if (value->rank() > 1 || (value->dtype() != DType::kInt32 && value->dtype() != DType::kInt64)) return {};
    if (value->rank() == 0) return {};  // A scalar -1 stands for an unknown shape.
    PartialShape shape = PartialShape::scalar();
    for (int64_t i = 0; i < value->num_elements(); ++i) shape.add_dim(std::max<int64_t>(value->int_at(i), kUnknownDim));
    return shape;
  }
  const PartialShape entries = entries_of(behind_casts(endpoint));
  if (entries.known_rank() || own.rank() != 1 || own.dim(0) < 0) return entries;
  return PartialShape::unknown_of_rank(own.dim(0));
}

const Tensor* NodeConstants::value(int input) {
  const Tensor* value = constant_value(node_.inputs[input]);
  if (value != nullptr) values_.push_back(input);
  return value;
}

PartialShape NodeConstants::value_as_shape(int input) {
  const Endpoint endpoint = node_.inputs[input];
  PartialShape shape = constant_value_as_shape(endpoint);
  if (endpoint.node->output_shapes[endpoint.index].rank() == 0) check_scalar(input);
  if (!shape.known_rank()) return shape;
  shapes_.push_back(input);
  const Tensor* value = shape.fully_defined() ? nullptr : constant_value(node_.inputs[input]);
  for (int64_t i = 0; value != nullptr && status_.ok() && i < value->num_elements(); ++i) {
    if (value->int_at(i) < kUnknownDim) {
      status_ = invalid_argument("Invalid value in tensor used for shape: ", value->int_at(i));
    }
  }
  return shape;
}

/// The only scalar that is a valid shape is -1, the unknown shape.
void NodeConstants::check_scalar(int input) {
  const Tensor* value = constant_value(node_.inputs[input]);
  if (value == nullptr) {
    status_ = invalid_argument(
        "Received a shape scalar with unknown static value.  A static value of '-1' is required to represent an "
        "unknown shape.");
  } else if ((value->dtype() == DType::kInt32 || value->dtype() == DType::kInt64) && value->int_at(0) != -1) {
    status_ = invalid_argument("Received an invalid shape scalar with a static value that is not '-1': Tensor<type: ",
                               dtype_name(value->dtype()), " shape: [] values: ", value->int_at(0), ">");
  }
}

int64_t NodeConstants::entry(int input) {
  const Endpoint endpoint = behind_casts(node_.inputs[input]);
  if (const Tensor* value = constant_value(endpoint)) {
    return value->num_elements() == 1 && is_integer(value->dtype()) && dtype_size(value->dtype()) >= 4
               ? value->int_at(0)
               : kUnknownDim;
  }
  const PartialShape entries = entries_of(endpoint);
  return entries.rank() == 1 ? entries.dim(0) : kUnknownDim;
}

std::string NodeConstants::to_string() const {
  const auto asked = [](const std::vector<int>& inputs, int i) {
    return std::find(inputs.begin(), inputs.end(), i) != inputs.end();
  };
  std::string values, shapes;
  for (int i = 0; i < static_cast<int>(node_.inputs.size()); ++i) {
    if (asked(shapes_, i)) {
      shapes +=
          str_cat(shapes.empty() ? "" : ",", "input[", i, "] = ", constant_value_as_shape(node_.inputs[i]).to_string());
      continue;
    }
    const Tensor* value = asked(values_, i) ? constant_value(node_.inputs[i]) : nullptr;
    if (value == nullptr || !is_integer(value->dtype()) || dtype_size(value->dtype()) < 4) continue;
    const int64_t row = value->rank() == 2 ? value->dim(1) : 0;  // Rows of a matrix are printed in brackets.
    std::string items;
    for (int64_t k = 0; k < std::min<int64_t>(value->num_elements(), kMaxPrinted); ++k) {
      const bool begins_row = row != 0 && k % row == 0, ends_row = row != 0 && (k + 1) % row == 0;
      items += str_cat(begins_row ? "[" : k != 0 ? " " : "", value->int_at(k), ends_row ? "]" : "");
    }
    values += str_cat(values.empty() ? "" : ", ", "input[", i, "] = <", items, ">");
  }
  if (!values.empty()) values = " and with computed input tensors: " + values;
  if (!shapes.empty()) shapes = " and with input tensors computed as partial shapes: " + shapes;
  return values + shapes;
}

}  // namespace tinytf
