#include <algorithm>

#include "op/registration.h"
#include "ops/parsing/shared/example_parser.h"

namespace tinytf::ops {
namespace {

using DTypes = std::vector<DType>;
using Shapes = std::vector<PartialShape>;
using KeyList = std::vector<std::string>;

// The attrs are those of a ShapeContext or a KernelInit. The kernel must check them too, because shape functions do not
// run eagerly, and the number of outputs follows from these attrs.

template <class Attrs>
Status check_dense_counts(Attrs& node, size_t dense_keys) {
  if (dense_keys != node.template attr<DTypes>("Tdense").size()) {
    return invalid_argument("len(dense_keys) != len(dense_types)");
  }
  if (dense_keys != node.template attr<Shapes>("dense_shapes").size()) {
    return invalid_argument("len(dense_keys) != len(dense_shapes)");
  }
  return Status();
}

template <class Attrs>
Status check_batch_counts(Attrs& node) {
  const auto sparse_keys = static_cast<size_t>(node.template attr<int64_t>("Nsparse"));
  if (sparse_keys != node.template attr<DTypes>("sparse_types").size()) {
    return invalid_argument("len(sparse_keys) != len(sparse_types)");
  }
  return check_dense_counts(node, static_cast<size_t>(node.template attr<int64_t>("Ndense")));
}

template <class Attrs>
Status check_single_counts(Attrs& node) {
  const auto sparse = static_cast<size_t>(node.template attr<int64_t>("num_sparse"));
  const size_t keys = node.template attr<KeyList>("sparse_keys").size();
  const size_t types = node.template attr<DTypes>("sparse_types").size();
  if (sparse != keys || sparse != types) {
    return invalid_argument("num_sparse (", sparse, ") must match the size of sparse_keys (", keys,
                            ") and sparse_types (", types, ")");
  }
  return check_dense_counts(node, node.template attr<KeyList>("dense_keys").size());
}

/// Sets output shapes: SparseTensors with `rank` dimensions, then dense features with the dimensions `batch` in front.
void set_outputs(ShapeContext& c, size_t sparse, int64_t rank, const PartialShape& batch, const Shapes& dense) {
  const auto n = static_cast<int>(sparse);
  for (int i = 0; i < n; ++i) {
    c.set_output(i, PartialShape::matrix(kUnknownDim, rank));
    c.set_output(n + i, PartialShape::vector(kUnknownDim));
    c.set_output(2 * n + i, PartialShape::vector(rank));
  }
  for (size_t i = 0; i < dense.size(); ++i) {
    c.set_output(3 * n + static_cast<int>(i), batch.concatenate(dense[i]));
  }
}

Status batch_shape(ShapeContext& c) {
  const auto& types = c.attr<DTypes>("sparse_types");
  const auto& shapes = c.attr<Shapes>("dense_shapes");
  TINYTF_RETURN_IF_ERROR(check_batch_counts(c));
  TINYTF_RETURN_IF_ERROR(check_dense_shapes(shapes));
  PartialShape batch;
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 1, &batch));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 1));
  set_outputs(c, types.size(), 2, batch, shapes);
  return Status();
}

Status single_shape(ShapeContext& c) {
  const auto& shapes = c.attr<Shapes>("dense_shapes");
  TINYTF_RETURN_IF_ERROR(check_single_counts(c));
  TINYTF_RETURN_IF_ERROR(check_dense_shapes(shapes));
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 0));
  set_outputs(c, c.attr<DTypes>("sparse_types").size(), 1, PartialShape::scalar(), shapes);
  return Status();
}

/// The features of a node; `counts` is the result of the check of their numbers.
ExampleSpec spec_of(KernelInit& init, Status counts) {
  init.fail(std::move(counts));
  if (!init.status().ok()) return ExampleSpec();
  auto spec = ExampleSpec::make(init.attr<DTypes>("sparse_types"), init.attr<DTypes>("Tdense"),
                                init.attr<Shapes>("dense_shapes"));
  init.fail(spec.status());
  return spec.ok() ? spec.take() : ExampleSpec();
}

class ParseExampleKernel final : public Kernel {
 public:
  explicit ParseExampleKernel(KernelInit& init) : spec_(spec_of(init, check_batch_counts(init))) {}

  Status compute(KernelContext& ctx) override {
    const Tensor &serialized = ctx.input(0), &names = ctx.input(1);
    if (serialized.rank() != 1) {
      return invalid_argument("Expected serialized to be a vector, got shape: ", serialized.shape().to_string());
    }
    const int64_t count = serialized.num_elements();
    if (names.num_elements() > 0 && names.rank() != 1) {
      return invalid_argument("Expected names to be a vector, got shape: ", names.shape().to_string());
    }
    if (names.num_elements() > 0 && names.num_elements() != count) {
      return invalid_argument("Expected len(names) == len(serialized), but got: ", names.num_elements(), " vs. ",
                              count);
    }
    FeatureKeys keys;
    keys.reserve(spec_.size());
    const int first_default = kFirstKey + static_cast<int>(spec_.size());
    for (int i = kFirstKey; i < first_default; ++i) {
      if (ctx.input(i).num_elements() != 1) {
        return invalid_argument("Expected a key to be a scalar, got shape: ", ctx.input(i).shape().to_string());
      }
      keys.add(*ctx.input(i).data<std::string>());
    }
    const std::string* name = names.num_elements() > 0 ? names.data<std::string>() : nullptr;
    return parse_examples(ctx, {spec_, keys, serialized.data<std::string>(), count, name, first_default});
  }

 private:
  static constexpr int kFirstKey = 2;  // index among the inputs
  const ExampleSpec spec_;
};

class ParseSingleExampleKernel final : public Kernel {
 public:
  explicit ParseSingleExampleKernel(KernelInit& init)
      : spec_(spec_of(init, check_single_counts(init))),
        sparse_keys_(init.attr<KeyList>("sparse_keys")),
        dense_keys_(init.attr<KeyList>("dense_keys")) {
    for (const std::string& key : sparse_keys_) keys_.add(key);
    for (const std::string& key : dense_keys_) keys_.add(key);
  }

  Status compute(KernelContext& ctx) override {
    const Tensor& serialized = ctx.input(0);
    const bool is_single = !ctx.step().stacks_rows;
    if (serialized.rank() != (is_single ? 0 : 1)) {
      return invalid_argument("Expected serialized to be a scalar, got shape: ", serialized.shape().to_string());
    }
    return parse_examples(
        ctx, {spec_, keys_, serialized.data<std::string>(), serialized.num_elements(), nullptr, 1, is_single});
  }
  /// Features without a fixed size have rows of different shapes.
  bool maps_rows() const override {
    return spec_.sparse.empty() && std::none_of(spec_.dense.begin(), spec_.dense.end(),
                                                [](const DenseFeature& feature) { return feature.varies; });
  }

 private:
  const ExampleSpec spec_;
  const KeyList sparse_keys_, dense_keys_;
  FeatureKeys keys_;  // refers to the two vectors above
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(parsing_parse_example) {
  using namespace tinytf::ops;
  ops.op("ParseExample")
      .input("serialized: string")
      .input("names: string")
      .input("sparse_keys: Nsparse * string")
      .input("dense_keys: Ndense * string")
      .input("dense_defaults: Tdense")
      .output("sparse_indices: Nsparse * int64")
      .output("sparse_values: sparse_types")
      .output("sparse_shapes: Nsparse * int64")
      .output("dense_values: Tdense")
      .attr("Nsparse: int >= 0")
      .attr("Ndense: int >= 0")
      .attr("sparse_types: list({float, int64, string}) >= 0")
      .attr("Tdense: list({float, int64, string}) >= 0")
      .attr("dense_shapes: list(shape) >= 0")
      .shape(batch_shape)
      .no_gradient()
      .doc(
          "Parses a vector of serialized Examples. The features `sparse_keys` become SparseTensors with one row per "
          "Example; the features `dense_keys` become tensors of shapes `dense_shapes`, with `dense_defaults` for "
          "Examples that lack them. If the first size of a dense shape is unknown, shorter values are padded with the "
          "default; `names` identify the Examples in messages.");
  kernels.add<ParseExampleKernel>("ParseExample");

  ops.op("ParseSingleExample")
      .input("serialized: string")
      .input("dense_defaults: Tdense")
      .output("sparse_indices: num_sparse * int64")
      .output("sparse_values: sparse_types")
      .output("sparse_shapes: num_sparse * int64")
      .output("dense_values: Tdense")
      .attr("num_sparse: int >= 0")
      .attr("sparse_keys: list(string) >= 0")
      .attr("dense_keys: list(string) >= 0")
      .attr("sparse_types: list({float, int64, string}) >= 0")
      .attr("Tdense: list({float, int64, string}) >= 0")
      .attr("dense_shapes: list(shape) >= 0")
      .shape(single_shape)
      .no_gradient()
      .doc(
          "Parses one serialized Example. The outputs are the features that ParseExample returns, without the batch "
          "dimension.");
  kernels.add<ParseSingleExampleKernel>("ParseSingleExample");
}
