#include <algorithm>
#include <iterator>
#include <map>

#include "ops/data/shared/dataset_shapes.h"
#include "ops/data/shared/unary_stage.h"
#include "ops/parsing/shared/example_parser.h"
#include "ops/tensor_value.h"

namespace tinytf::ops {
namespace {

/// Runs the parser of ParseExample outside of a node of that op. Immutable and thread-safe.
class ParserOfExamples {
 public:
  static Result<ParserOfExamples> make(ExampleSpec spec, std::vector<std::string> sparse_keys,
                                       std::vector<std::string> dense_keys, Element defaults, const NodeInfo& node) {
    ParserOfExamples parser;
    parser.spec_ = std::move(spec);
    parser.names_ = std::move(sparse_keys);
    const auto sparse = static_cast<int>(parser.names_.size());
    std::move(dense_keys.begin(), dense_keys.end(), std::back_inserter(parser.names_));
    std::map<std::string_view, int> sorted;
    for (int i = 0; i < static_cast<int>(parser.names_.size()); ++i) {
      const std::string& name = parser.names_[static_cast<size_t>(i)];
      if (!sorted.emplace(name, i).second) return invalid_argument("Duplicate key not allowed: ", name);
    }
    for (const std::string& name : parser.names_) parser.keys_.add(name);
    for (const auto& [name, number] : sorted) parser.order_.push_back(number);
    parser.defaults_ = std::move(defaults);
    parser.node_.name = node.name;
    parser.node_.op = node.op;
    for (const Tensor& value : parser.defaults_) parser.node_.inputs.push_back({value.dtype(), false});
    const auto add_outputs = [&](DType dtype) { parser.node_.outputs.push_back({dtype, false}); };
    for (int i = 0; i < sparse; ++i) add_outputs(DType::kInt64);
    for (const DType dtype : parser.spec_.sparse) add_outputs(dtype);
    for (int i = 0; i < sparse; ++i) add_outputs(DType::kInt64);
    for (const DenseFeature& dense : parser.spec_.dense) add_outputs(dense.dtype);
    return parser;
  }

  /// Sets the element to the features in the order of their keys; sparse ones are vectors of three variants.
  Status parse(const IteratorContext& ctx, const std::vector<std::string>& examples, Element& element) const {
    const size_t sparse = spec_.sparse.size();
    std::vector<Slot> inputs(defaults_.size()), outputs(node_.outputs.size());
    std::vector<int32_t> numbers(inputs.size());
    for (size_t i = 0; i < inputs.size(); ++i) {
      inputs[i].tensor = defaults_[i];
      numbers[i] = static_cast<int32_t>(i);
    }
    KernelContext context(node_, ctx.step, inputs.data(), numbers.data(), outputs.data(), 0);
    TINYTF_RETURN_IF_ERROR(
        parse_examples(context, {spec_, keys_, examples.data(), static_cast<int64_t>(examples.size())}));
    element.clear();
    for (const int number : order_) {
      const auto i = static_cast<size_t>(number);
      if (i >= sparse) {
        element.push_back(std::move(outputs[2 * sparse + i].tensor));
        continue;
      }
      TINYTF_ASSIGN_OR_RETURN(Tensor parts, Tensor::allocate(ctx.allocator(), DType::kVariant, Shape({3})));
      for (size_t part = 0; part < 3; ++part) {
        TINYTF_ASSIGN_OR_RETURN(parts.data<Variant>()[part],
                                TensorValue::of(std::move(outputs[part * sparse + i].tensor)));
      }
      element.push_back(std::move(parts));
    }
    return Status();
  }

 private:
  ExampleSpec spec_;
  std::vector<std::string> names_;  // Of the features: the sparse ones first.
  FeatureKeys keys_;                // Refers to names_; a move of both leaves the texts in place.
  std::vector<int> order_;          // The features by name.
  Element defaults_;
  NodeInfo node_;
};

class ParseExampleDataset final : public UnaryDataset {
 public:
  ParseExampleDataset(DatasetParts parts, RefPtr<const Dataset> input, ParserOfExamples parser)
      : UnaryDataset(std::move(parts), std::move(input)), parser_(std::move(parser)) {}

  const ParserOfExamples& parser() const { return parser_; }
  int64_t cardinality() const override { return input().cardinality(); }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;

 private:
  const ParserOfExamples parser_;
};

class ParseExampleIterator final : public UnaryIterator<ParseExampleDataset> {
 public:
  using UnaryIterator::UnaryIterator;

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, input().next(ctx, element));
    if (pulled != Pulled::kElement) return pulled;
    examples_.clear();
    for (Tensor& component : element) {
      if (component.dtype() != DType::kString) {
        return invalid_argument("Examples must be strings, but the input has elements of dtype ",
                                dtype_name(component.dtype()));
      }
      auto* const texts = component.data<std::string>();
      if (component.writable_in_place()) {
        std::move(texts, texts + component.num_elements(), std::back_inserter(examples_));
      } else {
        examples_.insert(examples_.end(), texts, texts + component.num_elements());
      }
    }
    TINYTF_RETURN_IF_ERROR(dataset().parser().parse(ctx, examples_, element));
    return Pulled::kElement;
  }

 private:
  std::vector<std::string> examples_;  // Its memory is kept between pulls.
};

Result<IteratorPtr> ParseExampleDataset::make_iterator(IteratorContext& ctx) const {
  return make_unary_iterator<ParseExampleIterator>(*this, ctx);
}

class ParseExampleDatasetKernel final : public DatasetKernel {
 public:
  explicit ParseExampleDatasetKernel(KernelInit& init)
      : DatasetKernel(init),
        sparse_keys_(init.attr<std::vector<std::string>>("sparse_keys")),
        dense_keys_(init.attr<std::vector<std::string>>("dense_keys")),
        sparse_types_(init.attr<std::vector<DType>>("sparse_types")),
        dense_types_(init.attr<std::vector<DType>>("Tdense")),
        dense_shapes_(init.attr<std::vector<PartialShape>>("dense_shapes")) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(const int64_t parallel, scalar_input<int64_t>(ctx, 1, "num_parallel_calls"));
    if (parallel <= 0 && parallel != -1) return invalid_argument("num_parallel_calls must be greater than zero.");
    if (dense_types_.size() != dense_keys_.size()) {
      return invalid_argument("Expected len(dense_defaults) == len(dense_keys) but got: ", dense_types_.size(), " vs. ",
                              dense_keys_.size());
    }
    if (sparse_types_.size() != sparse_keys_.size()) {
      return invalid_argument("Expected len(sparse_types) == len(sparse_keys) but got: ", sparse_types_.size(), " vs. ",
                              sparse_keys_.size());
    }
    TINYTF_ASSIGN_OR_RETURN(ExampleSpec spec, ExampleSpec::make(sparse_types_, dense_types_, dense_shapes_));
    TINYTF_RETURN_IF_ERROR(check_defaults(ctx, kFirstDefault, spec.dense));
    Element defaults = inputs_between(ctx, kFirstDefault, static_cast<int>(dense_types_.size()));
    TINYTF_ASSIGN_OR_RETURN(ParserOfExamples parser, ParserOfExamples::make(std::move(spec), sparse_keys_, dense_keys_,
                                                                            std::move(defaults), ctx.node()));
    return RefPtr<const Dataset>(make_ref<ParseExampleDataset>(std::move(parts), std::move(input), std::move(parser)));
  }

 private:
  static constexpr int kFirstDefault = 2;  // Index among the inputs.
  const std::vector<std::string> sparse_keys_, dense_keys_;
  const std::vector<DType> sparse_types_, dense_types_;
  const std::vector<PartialShape> dense_shapes_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_parse_example) {
  using namespace tinytf::ops;
  const auto declare = [&](const char* name) {
    kernels.add<ParseExampleDatasetKernel>(name);
    return ops.op(name)
        .input("input_dataset: variant")
        .input("num_parallel_calls: int64")
        .input("dense_defaults: Tdense")
        .output("handle: variant")
        .attr("sparse_keys: list(string) >= 0")
        .attr("dense_keys: list(string) >= 0")
        .attr("sparse_types: list({float, int64, string}) >= 0")
        .attr("Tdense: list({float, int64, string}) >= 0")
        .attr("dense_shapes: list(shape) >= 0")
        .attr("output_types: list(type) >= 1")
        .attr("output_shapes: list(shape) >= 1")
        .attr("sloppy: bool = false")
        .shape(shapes::scalar)
        .no_gradient();
  };
  declare("ParseExampleDataset")
      .doc(
          "Makes a dataset of the features of the Examples in each element of the input, as ParseExample returns them, "
          "in the order of their keys. A SparseTensor is a vector of three variants. `num_parallel_calls` and "
          "`sloppy` have no effect, because the Examples of an element are parsed in parallel.");
  declare("ExperimentalParseExampleDataset").doc("An earlier name of ParseExampleDataset.");
}
