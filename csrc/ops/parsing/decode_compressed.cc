#include <optional>

#include "io/deflate.h"
#include "op/registration.h"

namespace tinytf::ops {
namespace {

constexpr size_t kPiece = 1 << 20;         // number of bytes decompressed at a time
constexpr size_t kMost = size_t{1} << 32;  // limit for one string, as compressed data can expand a thousandfold

/// Decompresses a stream. As in TensorFlow, a truncated stream yields the part that is there.
Status inflate_part(std::string_view bytes, DeflateFormat format, std::string* out) {
  TINYTF_ASSIGN_OR_RETURN(const std::unique_ptr<Inflater> stream, make_inflater(format));
  for (;;) {
    const size_t made = out->size(), left = bytes.size();
    TINYTF_RETURN_IF_ERROR(stream->inflate(bytes, kPiece, out));
    if (out->size() > kMost) {
      return Status(Code::kResourceExhausted, str_cat("A decompressed string would have more than ", kMost, " bytes"));
    }
    if (stream->ended() || (out->size() == made && bytes.size() == left)) return Status();
  }
}

class DecodeCompressedKernel final : public Kernel {
 public:
  explicit DecodeCompressedKernel(KernelInit& init) {
    const auto type = init.attr<std::string>("compression_type");
    if (type == "ZLIB") format_ = DeflateFormat::kZlib;
    if (type == "GZIP") format_ = DeflateFormat::kGzip;
    if (!type.empty() && !format_) {
      init.fail(invalid_argument("Only ZLIB, GZIP or NONE are supported compressions"));
    }
  }

  Status compute(KernelContext& ctx) override {
    if (!format_) {
      ctx.set_output(0, ctx.input(0));
      return Status();
    }
    const Tensor& input = ctx.input(0);
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, input.shape()));
    // Sequentially, as zlib is called through Python and uses its threads.
    for (int64_t i = 0; i < input.num_elements(); ++i) {
      std::string& text = out->data<std::string>()[i];
      text.clear();
      TINYTF_RETURN_IF_ERROR(inflate_part(input.data<std::string>()[i], *format_, &text));
      if (ctx.is_over()) return Status(Code::kCancelled, "Step was cancelled");
    }
    return Status();
  }

 private:
  std::optional<DeflateFormat> format_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(parsing_decode_compressed) {
  using namespace tinytf::ops;
  ops.op("DecodeCompressed")
      .input("bytes: string")
      .output("output: string")
      .attr("compression_type: string = ''")
      .shape(tinytf::shapes::unchanged)
      .no_gradient()
      .endpoint("io.decode_compressed")
      .endpoint("decode_compressed")
      .doc(
          "Decompresses each string in `bytes`, which is a zlib stream (\"ZLIB\"), a gzip stream (\"GZIP\"), or not "
          "compressed (\"\"), as `compression_type` says. A truncated stream yields the part that is there.");
  kernels.add<DecodeCompressedKernel>("DecodeCompressed");
}
