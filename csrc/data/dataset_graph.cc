#include "data/dataset_graph.h"

#include <algorithm>
#include <utility>

#include "data/batch_rows.h"
#include "data/element_list.h"
#include "op/value_graph.h"
#include "tensor/written_form.h"

namespace tinytf::data {

namespace {

/// Makes the graph of a dataset: a node for each dataset that it is made of and for each value of an input. As in
/// TensorFlow, a dataset that is used several times has as many nodes.
class GraphOfDataset {
 public:
  explicit GraphOfDataset(AllowedOps allowed) {
    graph_.allowed = std::move(allowed.names);
    graph_.allows_all = allowed.all;
  }

  Result<ValueGraph> make(const Dataset& dataset) {
    TINYTF_ASSIGN_OR_RETURN(const std::string name, add(dataset));
    ValueNode result{"dataset", "_Retval", {name}, {}};
    result.attrs.set("T", DType::kVariant);
    result.attrs.set("index", int64_t{0});
    graph_.nodes.push_back(std::move(result));
    return std::move(graph_);
  }

 private:
  static constexpr size_t kMostNodes = 100000;

  Result<std::string> add(const Dataset& dataset) {
    const DatasetOrigin& origin = dataset.origin();
    const NodeInfo& node = *origin.node;
    if (!dataset.has_graph()) return unimplemented(node.op->name, "Op::Dataset does not support serialization.");
    if (const auto* list = dynamic_cast<const ElementList*>(&dataset)) return add_list(*list);
    ValueNode made;
    made.op = node.op->name;
    for (const Tensor& input : origin.inputs) {
      TINYTF_ASSIGN_OR_RETURN(std::string name, add(input));
      made.inputs.push_back(std::move(name));
    }
    for (const auto& [name, value] : node.attrs) {
      if (name[0] != '_') made.attrs.set(name, value);
    }
    for (const RefPtr<FunctionSource>& function : origin.functions) graph_.functions.push_back(function);
    return add(std::move(made));
  }

  Result<std::string> add(const Tensor& value) {
    if (value.dtype() == DType::kVariant) {
      const auto dataset = dataset_of(value);
      if (dataset.ok()) return add(*dataset.value());
    }
    if (value.dtype() == DType::kVariant || value.dtype() == DType::kResource) {
      return unimplemented("A dataset cannot be written as a graph if it is made of a ", dtype_name(value.dtype()));
    }
    ValueNode made;
    made.op = "Const";
    made.attrs.set("dtype", value.dtype());
    // As TensorFlow writes values of attrs, in whatever form the program had them: graphs of equal datasets are equal.
    made.attrs.set("value", in_form(value, {/*as_memory=*/value.num_elements() > 1, value.num_elements()}));
    return add(std::move(made));
  }

  /// A list is written as slices, whose iterators have the same positions. Its elements have one shape.
  Result<std::string> add_list(const ElementList& list) {
    const std::vector<Element>& elements = list.elements();
    BatchRows rows;
    for (const Element& element : elements) {
      if (holds_variants(element)) {
        return unimplemented("A dataset cannot be written as a graph if it is made of a window of datasets");
      }
      const Status added = rows.add(Allocator::process(), element, static_cast<int64_t>(elements.size()));
      if (added.code() == Code::kInvalidArgument) {
        return unimplemented("A dataset cannot be written as a graph if it is made of a window of several shapes");
      }
      TINYTF_RETURN_IF_ERROR(added);
    }
    if (rows.size() == 0) {
      return unimplemented("A dataset cannot be written as a graph if it is made of an empty window");
    }
    Element slices;
    TINYTF_RETURN_IF_ERROR(rows.take(slices));
    ValueNode made;
    made.op = "TensorSliceDataset";
    for (const Tensor& component : slices) {
      TINYTF_ASSIGN_OR_RETURN(std::string name, add(component));
      made.inputs.push_back(std::move(name));
    }
    made.attrs.set("Toutput_types", list.spec().types);
    made.attrs.set("output_shapes", list.spec().shapes);
    return add(std::move(made));
  }

  static bool holds_variants(const Element& element) {
    return std::any_of(element.begin(), element.end(),
                       [](const Tensor& component) { return component.dtype() == DType::kVariant; });
  }

  Result<std::string> add(ValueNode node) {
    if (graph_.nodes.size() == kMostNodes) {
      return invalid_argument("The graph of the dataset has more than ", kMostNodes, " nodes");
    }
    node.name = str_cat(node.op, "/_", graph_.nodes.size());
    graph_.nodes.push_back(std::move(node));
    return graph_.nodes.back().name;
  }

  ValueGraph graph_;
};

}  // namespace

Result<std::string> write_dataset(const Dataset& dataset, AllowedOps allowed) {
  TINYTF_ASSIGN_OR_RETURN(const ValueGraphCodec* codec, value_graph_codec());
  TINYTF_ASSIGN_OR_RETURN(const ValueGraph graph, GraphOfDataset(std::move(allowed)).make(dataset));
  return codec->write(graph);
}

Result<Tensor> read_dataset(std::string_view graph, const KernelServices& step) {
  // Constant folding runs under the graph's lock, and a dataset is no constant.
  if (step.step_id == 0) return failed_precondition("Datasets can only be made while a step runs");
  TINYTF_ASSIGN_OR_RETURN(const ValueGraphCodec* codec, value_graph_codec());
  TINYTF_ASSIGN_OR_RETURN(const RefPtr<FunctionSource> source, codec->read(graph, step.parallel->threads()));
  TINYTF_ASSIGN_OR_RETURN(const RefPtr<FunctionInstance> function, source->instantiate(step));
  Element arguments, results;
  TINYTF_RETURN_IF_ERROR(function->run(step, arguments, results));
  if (results.size() != 1) return invalid_argument("The graph of a dataset must have one result");
  TINYTF_RETURN_IF_ERROR(dataset_of(results[0]).status());
  return std::move(results[0]);
}

}  // namespace tinytf::data
