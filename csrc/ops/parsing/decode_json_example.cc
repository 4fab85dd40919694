#include <mutex>

#include "io/wire.h"
#include "op/registration.h"
#include "ops/object_cost.h"
#include "ops/parsing/shared/json_example.h"

namespace tinytf::ops {
namespace {

constexpr double kByteCost = 8;       // approximate, in nanoseconds
constexpr int64_t kTokens = 1 << 14;  // number of tokens between checks whether the step is over

class DecodeJsonExampleKernel final : public Kernel {
 public:
  explicit DecodeJsonExampleKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    const std::string* texts = input.data<std::string>();
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, input.shape()));
    auto* examples = out->data<std::string>();
    std::mutex mutex;
    int64_t first = input.num_elements();  // index of the first invalid text
    Status error;
    ctx.parallel().run(input.num_elements(), 1, text_cost(input, kByteCost), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        examples[i].clear();
        Status status = decode(ctx, texts[i], &examples[i]);
        if (status.ok()) continue;
        const std::lock_guard lock(mutex);
        if (i >= first) return;
        first = i;
        error = std::move(status);
        return;
      }
    });
    return error;
  }

 private:
  static Status decode(const KernelContext& ctx, std::string_view text, std::string* example) {
    Status status = is_utf8(text) ? write(ctx, text, example) : invalid_argument("Encountered non UTF-8 code points.");
    if (status.code() != Code::kInvalidArgument) return status;
    return invalid_argument("Error while parsing JSON: ", status.message());
  }

  static Status write(const KernelContext& ctx, std::string_view text, std::string* example) {
    JsonExampleWriter writer(example);
    JsonReader reader(text, writer);
    for (int64_t count = 1; !reader.ended(); ++count) {
      TINYTF_RETURN_IF_ERROR(reader.step());
      if (count % kTokens == 0 && ctx.is_over()) return Status(Code::kCancelled, "Step was cancelled");
    }
    return writer.status();
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(parsing_decode_json_example) {
  using namespace tinytf::ops;
  ops.op("DecodeJSONExample")
      .input("json_examples: string")
      .output("binary_examples: string")
      .shape(tinytf::shapes::unchanged)
      .no_gradient()
      .endpoint("io.decode_json_example")
      .endpoint("decode_json_example")
      .doc(
          "Converts Examples in protobuf's JSON format to serialized Examples. Fails with InvalidArgument for texts "
          "that are not such JSON, and for objects or lists nested more than a hundred deep.");
  kernels.add<DecodeJsonExampleKernel>("DecodeJSONExample");
}
