#include "io/wav.h"
#include "op/registration.h"

namespace tinytf::ops {
namespace {

class EncodeWavKernel final : public Kernel {
 public:
  explicit EncodeWavKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& audio = ctx.input(0);
    const Tensor& rate = ctx.input(1);
    if (audio.rank() != 2) return invalid_argument("audio must be 2-dimensional", audio.shape().to_string());
    if (rate.rank() != 0) {
      return invalid_argument("Input sample_rate should be a scalar tensor, got ", rate.shape().to_string(),
                              " instead.");
    }
    const auto frames_a_second = static_cast<uint64_t>(int64_t{*rate.data<int32_t>()});
    TINYTF_ASSIGN_OR_RETURN(std::string file,
                            encode_wav({audio.data<float>(), audio.dim(0), audio.dim(1), frames_a_second}));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape()));
    *out->data<std::string>() = std::move(file);
    return Status();
  }
};

Status encode_wav_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 2));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 0));
  c.set_output(0, PartialShape::scalar());
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(audio_encode_wav) {
  using namespace tinytf::ops;
  ops.op("EncodeWav")
      .input("audio: float")
      .input("sample_rate: int32")
      .output("contents: string")
      .shape(encode_wav_shape)
      .not_differentiable()
      .endpoint("audio.encode_wav")
      .doc(
          "Encodes the samples `audio` [frames, channels] as a WAV file with 16 bits per sample. Samples are clipped "
          "to [-1, 1].");
  kernels.add<EncodeWavKernel>("EncodeWav");
}
