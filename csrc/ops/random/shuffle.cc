#include <vector>

#include "kernels/table.h"
#include "op/registration.h"
#include "ops/object_cost.h"
#include "ops/random/shared/generator.h"

namespace tinytf::ops {

namespace {

class RandomShuffleKernel final : public GeneratorKernel {
 public:
  explicit RandomShuffleKernel(KernelInit& init) : GeneratorKernel(init), gather_(kernels::table().gather.gather) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& value = ctx.input(0);
    const int64_t rows = value.rank() == 0 ? 1 : value.dim(0);
    if (rows <= 1 || value.num_elements() == 0) {
      ctx.set_output(0, value);
      return Status();
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor index, ctx.allocate(DType::kInt64, Shape({rows})));
    kernels::shuffle_index(generator_.reserve(static_cast<uint64_t>(rows - 1 + 3) / 4), rows, index.data<int64_t>(),
                           ctx.parallel());
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, value.shape()));
    const size_t size = dtype_size(value.dtype());
    const int64_t inner = value.num_elements() / rows;
    if (size == 0) {  // strings and handles
      ctx.parallel().run(rows, 1, kObjectCost * static_cast<double>(inner), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          copy_elements(value, index.data<int64_t>()[i] * inner, *out, i * inner, inner);
        }
      });
      return Status();
    }
    gather_(value.raw(), /*batch=*/1, /*outer=*/1, rows, inner * static_cast<int64_t>(size),
            {index.raw(), DType::kInt64, rows}, out->raw(), ctx.parallel());
    return Status();
  }

 private:
  decltype(kernels::GatherTable::gather) gather_;
};

}  // namespace

}  // namespace tinytf::ops

TINYTF_OPS(random_shuffle) {
  using namespace tinytf;
  using namespace tinytf::ops;

  ops.op("RandomShuffle")
      .input("value: T")
      .output("output: T")
      .attr("seed: int = 0")
      .attr("seed2: int = 0")
      .attr("T: type")
      .stateful()
      .trait(Trait::kRandom)
      .shape(shapes::unchanged)
      .no_gradient()
      .doc("Shuffles `value` along dimension 0: returns its slices in a random order.");
  kernels.add<RandomShuffleKernel>("RandomShuffle");
}
