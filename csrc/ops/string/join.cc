#include "op/registration.h"
#include "ops/object_cost.h"

namespace tinytf::ops {
namespace {

class StringJoinKernel final : public Kernel {
 public:
  explicit StringJoinKernel(KernelInit& init) : separator_(init.attr<std::string>("separator")) {}

  Status compute(KernelContext& ctx) override {
    const int n = ctx.num_inputs();
    Shape shape;  // shape of the inputs that are not scalars
    for (int i = 0; i < n; ++i) {
      const Shape& other = ctx.input(i).shape();
      if (other.rank() == 0) continue;
      if (shape.rank() == 0) {
        shape = other;
      } else if (shape != other) {
        return invalid_argument("Input shapes do not match: ", shape.to_string(), " vs. ", other.to_string());
      }
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
    constexpr double kByteCost = 0.2;  // nanoseconds
    double cost = 0;
    for (int i = 0; i < n; ++i) cost += text_cost(ctx.input(i), kByteCost);
    ctx.parallel().run(shape.num_elements(), 1, cost, [&](int64_t begin, int64_t end) {
      for (int64_t e = begin; e < end; ++e) {
        std::string& joined = out->data<std::string>()[e];
        for (int i = 0; i < n; ++i) {
          const Tensor& input = ctx.input(i);
          if (i > 0) joined += separator_;
          joined += input.data<std::string>()[input.rank() == 0 ? 0 : e];
        }
      }
    });
    return Status();
  }

 private:
  const std::string separator_;
};

Status join_shape(ShapeContext& c) {
  PartialShape out;  // merged from the inputs that are known not to be scalars
  bool all_scalars = true;
  for (int i = 0; i < c.num_inputs(); ++i) {
    const PartialShape& input = c.input(i);
    if (input.rank() == 0) continue;
    all_scalars = false;
    if (!input.known_rank()) continue;
    TINYTF_ASSIGN_OR_RETURN(out, out.merge(input));
  }
  c.set_output(0, all_scalars ? PartialShape::scalar() : std::move(out));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(string_join) {
  using namespace tinytf::ops;
  ops.op("StringJoin")
      .input("inputs: N * string")
      .output("output: string")
      .attr("N: int >= 1")
      .attr("separator: string = ''")
      .shape(join_shape)
      .not_differentiable()
      .endpoint("strings.join")
      .endpoint("string_join")
      .doc(
          "Joins the strings of the N tensors in `inputs` element-wise, with `separator` between them. Scalars are "
          "broadcast.");
  kernels.add<StringJoinKernel>("StringJoin");
}
