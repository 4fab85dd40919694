#include "ops/data/shared/measured_stage.h"

namespace tinytf::ops {
namespace {

/// A text counts as TensorFlow counts it: its bytes and those of a pointer.
double produced_bytes(const Element& element) {
  constexpr double kTextHeader = 8;
  double sum = 0;
  for (const Tensor& tensor : element) {
    if (tensor.dtype() != DType::kString) {
      sum += static_cast<double>(tensor.bytes());
      continue;
    }
    for (int64_t i = 0; i < tensor.num_elements(); ++i) {
      sum += kTextHeader + static_cast<double>(tensor.data<std::string>()[i].size());
    }
  }
  return sum;
}

class BytesProducedIterator final : public UnaryIterator<MeasuredDataset<BytesProducedIterator>> {
 public:
  using UnaryIterator::UnaryIterator;

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, input().next(ctx, element));
    if (ctx.statistics != nullptr && pulled == Pulled::kElement) {
      ctx.statistics->add_to_histogram(dataset().tag(), produced_bytes(element));
    }
    return pulled;
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_bytes_produced_stats) {
  using namespace tinytf::ops;
  const auto declare = [&](const char* name) {
    kernels.add<MeasuredDatasetKernel<BytesProducedIterator>>(name);
    return ops.op(name)
        .input("input_dataset: variant")
        .input("tag: string")
        .output("handle: variant")
        .attr("output_types: list(type) >= 1")
        .attr("output_shapes: list(shape) >= 1")
        .shape(shapes::dataset<1>)
        .no_gradient();
  };
  declare("BytesProducedStatsDataset")
      .doc(
          "Makes a dataset of the elements of the input that reports the bytes of each element, as a histogram of name "
          "`tag`.");
  declare("ExperimentalBytesProducedStatsDataset").doc("An earlier name of BytesProducedStatsDataset.");
}
