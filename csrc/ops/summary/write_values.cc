#include <utility>

#include "op/registration.h"
#include "ops/logging/shared/summary_values.h"
#include "ops/summary/shared/summary_file.h"

namespace tinytf::ops {
namespace {

class WriteValueKernel : public Kernel {
 public:
  explicit WriteValueKernel(int tag_input) : tag_input_(tag_input) {}

  Status compute(KernelContext& ctx) final {
    TINYTF_ASSIGN_OR_RETURN(const std::string tag, only_element<std::string>(ctx, tag_input_, "tag"));
    return add_summary_event(ctx, [&](WireWriter& to) { return write(to, tag, ctx); });
  }

 private:
  virtual Status write(WireWriter& to, const std::string& tag, const KernelContext& ctx) = 0;

  const int tag_input_;
};

constexpr int kTagInput = 2, kValueInput = 3, kMoreInput = 4;

class WriteScalarKernel final : public WriteValueKernel {
 public:
  explicit WriteScalarKernel(KernelInit&) : WriteValueKernel(kTagInput) {}

 private:
  Status write(WireWriter& to, const std::string& tag, const KernelContext& ctx) override {
    const Tensor& value = ctx.input(kValueInput);
    if (value.num_elements() == 0) return invalid_argument("value must be a scalar, got: ", value.shape().to_string());
    write_scalar(to, tag, value, 0);
    return Status();
  }
};

class WriteHistogramKernel final : public WriteValueKernel {
 public:
  explicit WriteHistogramKernel(KernelInit&) : WriteValueKernel(kTagInput) {}

 private:
  Status write(WireWriter& to, const std::string& tag, const KernelContext& ctx) override {
    return write_histogram(to, tag, ctx.input(kValueInput), tag, ctx.parallel());
  }
};

class WriteImageKernel final : public WriteValueKernel {
 public:
  explicit WriteImageKernel(KernelInit& init) : WriteValueKernel(kTagInput), most_(init.attr<int64_t>("max_images")) {}

 private:
  Status write(WireWriter& to, const std::string& tag, const KernelContext& ctx) override {
    const Tensor& bad_color = ctx.input(kMoreInput);
    if (bad_color.rank() != 1) {
      return invalid_argument("bad_color must be a vector, got shape ", bad_color.shape().to_string());
    }
    return write_images(to, tag, ctx.input(kValueInput), most_, bad_color, ctx.parallel());
  }

  const int64_t most_;
};

class WriteAudioKernel final : public WriteValueKernel {
 public:
  explicit WriteAudioKernel(KernelInit& init) : WriteValueKernel(kTagInput), most_(init.attr<int64_t>("max_outputs")) {}

 private:
  Status write(WireWriter& to, const std::string& tag, const KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const float rate, only_element<float>(ctx, kMoreInput, "sample_rate"));
    return write_audio(to, tag, ctx.input(kValueInput), rate, most_);
  }

  const int64_t most_;
};

class WriteTensorKernel final : public WriteValueKernel {
 public:
  explicit WriteTensorKernel(KernelInit&) : WriteValueKernel(kTensorsTag) {}

 private:
  static constexpr int kTensorsTag = 3, kTensorInput = 2;

  Status write(WireWriter& to, const std::string& tag, const KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const std::string metadata, only_element<std::string>(ctx, kMoreInput, "summary_metadata"));
    return write_shown_tensor(to, tag, ctx.input(kTensorInput), metadata, Undescribed::kWithoutMetadata);
  }
};

/// Begins the declaration of an op with the inputs and properties that all of these ops share.
OpDefBuilder declare(OpRegistry& ops, const char* name) {
  OpDefBuilder op = ops.op(name);
  op.input("writer: resource").input("step: int64");
  op.stateful().trait(Trait::kWritesExternalState).shape(shapes::no_outputs).no_gradient();
  return op;
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(summary_write_values) {
  using namespace tinytf::ops;
  declare(ops, "WriteScalarSummary")
      .input("tag: string")
      .input("value: T")
      .attr("T: realnumbertype")
      .doc("Writes a summary of the number `value` under `tag`.");
  kernels.add<WriteScalarKernel>("WriteScalarSummary");
  declare(ops, "WriteHistogramSummary")
      .input("tag: string")
      .input("values: T")
      .attr("T: realnumbertype = DT_FLOAT")
      .doc(
          "Writes a summary with a histogram of `values` under `tag`. Fails with InvalidArgument unless all values are "
          "finite.");
  kernels.add<WriteHistogramKernel>("WriteHistogramSummary");
  declare(ops, "WriteImageSummary")
      .input("tag: string")
      .input("tensor: T")
      .input("bad_color: uint8")
      .attr("max_images: int >= 1 = 3")
      .attr("T: {uint8, float, half} = DT_FLOAT")
      .doc("Writes a summary of the images in `tensor` under `tag`, as ImageSummary does.");
  kernels.add<WriteImageKernel>("WriteImageSummary");
  declare(ops, "WriteAudioSummary")
      .input("tag: string")
      .input("tensor: float")
      .input("sample_rate: float")
      .attr("max_outputs: int >= 1 = 3")
      .doc("Writes a summary of the sounds in `tensor` under `tag`, as AudioSummaryV2 does.");
  kernels.add<WriteAudioKernel>("WriteAudioSummary");
  declare(ops, "WriteSummary")
      .input("tensor: T")
      .input("tag: string")
      .input("summary_metadata: string")
      .attr("T: type")
      .doc(
          "Writes a summary of the value `tensor` under `tag`. `summary_metadata` is a serialized SummaryMetadata that "
          "names the plugin that displays it.");
  kernels.add<WriteTensorKernel>("WriteSummary");
}
