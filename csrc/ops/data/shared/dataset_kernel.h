#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/dataset.h"
#include "data/iterator_state.h"
#include "op/registration.h"

namespace tinytf::ops {

using data::Dataset;
using data::DatasetParts;
using data::Element;
using data::ElementSpec;
using data::IteratorContext;
using data::IteratorOf;
using data::PullContext;
using data::Pulled;
using data::StateReader;
using data::StateWriter;
using IteratorPtr = std::unique_ptr<data::Iterator>;

/// Base of kernels that make a dataset of their inputs and attrs.
class DatasetKernel : public Kernel {
 public:
  /// Reads the elements' spec from the attrs of these names; without names, a dataset has the spec that its kernel
  /// gives to make().
  explicit DatasetKernel(KernelInit& init, std::string_view types = "output_types",
                         std::string_view shapes = "output_shapes");
  /// All datasets of the op have this spec.
  DatasetKernel(KernelInit& init, std::shared_ptr<const ElementSpec> spec);
  Status compute(KernelContext& ctx) final;
  void note_constant_input(int i) final { constant_inputs_ |= i < 64 ? uint64_t{1} << i : 0; }

 protected:
  /// Makes the dataset from its parts and the inputs.
  virtual Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) = 0;

 private:
  Status find_functions(const KernelContext& ctx, data::DatasetOrigin& origin) const;

  const std::shared_ptr<const NodeInfo> node_;
  std::shared_ptr<const ElementSpec> spec_;
  uint64_t constant_inputs_ = 0;  // Bit i is set if input i is the same in all calls.
};

/// Input i, a scalar of type T. InvalidArgument with TensorFlow's text: "count must be a scalar".
template <class T>
Result<T> scalar_input(const KernelContext& ctx, int i, std::string_view name) {
  const Tensor& value = ctx.input(i);
  if (value.rank() != 0) return invalid_argument(name, " must be a scalar");
  return *value.data<T>();
}

/// Input i, a scalar or vector of type T.
template <class T>
Result<std::vector<T>> vector_input(const KernelContext& ctx, int i, std::string_view name) {
  const Tensor& value = ctx.input(i);
  if (value.rank() > 1) return invalid_argument(name, " must be a scalar or a vector");
  return std::vector<T>(value.data<T>(), value.data<T>() + value.num_elements());
}

/// The dataset in input i.
inline Result<RefPtr<const Dataset>> dataset_input(const KernelContext& ctx, int i) {
  TINYTF_ASSIGN_OR_RETURN(const Dataset* dataset, data::dataset_of(ctx.input(i)));
  return RefPtr<const Dataset>::share(dataset);
}

/// The `count` inputs from index `first` on.
Element inputs_between(const KernelContext& ctx, int first, int count);

/// The number of inputs of a list(type) attr.
int list_length(const NodeInfo& node, std::string_view types_attr);

}  // namespace tinytf::ops
