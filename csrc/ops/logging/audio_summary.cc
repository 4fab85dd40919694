#include <algorithm>
#include <cmath>

#include "io/wav.h"
#include "op/registration.h"
#include "ops/logging/shared/summary_values.h"

namespace tinytf::ops {

Status write_audio(WireWriter& summary, std::string_view tag, const Tensor& sounds, float rate, int64_t most) {
  const Shape& shape = sounds.shape();
  if (shape.rank() != 2 && shape.rank() != 3) {
    return invalid_argument("Tensor must be 3-D or 2-D, got: ", shape.to_string());
  }
  if (!(rate > 0)) return invalid_argument("sample_rate must be > 0");
  const int64_t frames = shape.dim(1), channels = shape.rank() == 3 ? shape.dim(2) : 1;
  constexpr float kFastest = 9e18f;  // rates beyond the limit of the file format are refused when the file is written
  const auto whole_rate = static_cast<uint64_t>(std::nearbyint(std::clamp(rate, 1.0f, kFastest)));
  const BatchTags tags{tag, "audio", most};
  for (int64_t i = 0; i < tags.count(shape.dim(0)); ++i) {
    TINYTF_ASSIGN_OR_RETURN(const std::string file,
                            encode_wav({sounds.data<float>() + i * frames * channels, frames, channels, whole_rate}));
    summary.nested(kSummaryValue, [&] {
      summary.bytes(kTag, tags.of(i));
      summary.nested(kAudio, [&] {
        constexpr int kRate = 1, kChannels = 2, kFrames = 3, kEncoded = 4, kContentType = 5;
        summary.float32(kRate, rate);
        summary.int64(kChannels, channels);
        summary.int64(kFrames, frames);
        summary.bytes(kEncoded, file);
        summary.bytes(kContentType, "audio/wav");
      });
    });
  }
  return Status();
}

namespace {

class AudioSummaryKernel final : public Kernel {
 public:
  explicit AudioSummaryKernel(KernelInit& init) : most_(init.attr<int64_t>("max_outputs")) {
    if (init.node().inputs.size() < 3) rate_ = init.attr<float>("sample_rate");
  }

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const std::string_view tag, scalar_text(ctx, 0, "Tag must be a scalar"));
    float rate = rate_;
    if (ctx.num_inputs() == 3) {
      if (ctx.input(2).num_elements() != 1) {
        return invalid_argument("sample_rate must be a scalar, got: ", ctx.input(2).shape().to_string());
      }
      rate = *ctx.input(2).data<float>();
    }
    return yield_summary(ctx, [&](WireWriter& to) { return write_audio(to, tag, ctx.input(1), rate, most_); });
  }

 private:
  const int64_t most_;
  float rate_ = 0;  ///< unless the rate is an input
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(logging_audio_summary) {
  using namespace tinytf::ops;
  ops.op("AudioSummary")
      .input("tag: string")
      .input("tensor: float")
      .output("summary: string")
      .attr("sample_rate: float")
      .attr("max_outputs: int >= 1 = 3")
      .shape(tinytf::shapes::scalar)
      .not_differentiable()
      .doc(
          "Returns a Summary of a batch of sounds with the sample rate `sample_rate`. Early graphs use it in place of "
          "AudioSummaryV2.");
  kernels.add<AudioSummaryKernel>("AudioSummary");
  ops.op("AudioSummaryV2")
      .input("tag: string")
      .input("tensor: float")
      .input("sample_rate: float")
      .output("summary: string")
      .attr("max_outputs: int >= 1 = 3")
      .shape(tinytf::shapes::scalar)
      .not_differentiable()
      .doc(
          "Returns a Summary with the first `max_outputs` sounds of the batch `tensor`, [b, frames] or [b, frames, "
          "channels], as WAV files. Samples are clipped to [-1, 1].");
  kernels.add<AudioSummaryKernel>("AudioSummaryV2");
}
