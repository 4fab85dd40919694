#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "io/summary_fields.h"
#include "io/wire.h"
#include "op/kernel.h"

// Contents of TensorFlow's Summary message. The functions write its Values, each with a tag; errors have TensorFlow's
// text.
namespace tinytf::ops {

/// The number of Values written for a batch, and their tags: TAG/KIND, followed by an index unless at most one is
/// requested.
struct BatchTags {
  std::string_view tag, kind;
  int64_t most;

  int64_t count(int64_t batch) const { return batch < most ? batch : most; }
  std::string of(int64_t i) const { return most > 1 ? str_cat(tag, "/", kind, "/", i) : str_cat(tag, "/", kind); }
};

/// How a tensor whose metadata is the empty string is written.
enum class Undescribed : uint8_t { kWithEmptyMetadata, kWithoutMetadata };

void write_scalar(WireWriter& summary, std::string_view tag, const Tensor& values, int64_t i);
/// `node` is the node's name in errors.
Status write_histogram(WireWriter& summary, std::string_view tag, const Tensor& values, const std::string& node,
                       Parallel& parallel);
/// Numbers are scaled, each image by itself; pixels that are not finite get the first bytes of `bad_color`.
Status write_images(WireWriter& summary, std::string_view tag, const Tensor& images, int64_t most,
                    const Tensor& bad_color, Parallel& parallel);
Status write_audio(WireWriter& summary, std::string_view tag, const Tensor& sounds, float rate, int64_t most);
/// `metadata` is a serialized SummaryMetadata; if it is damaged, the part before the damage counts.
Status write_shown_tensor(WireWriter& summary, std::string_view tag, const Tensor& tensor, std::string_view metadata,
                          Undescribed undescribed = Undescribed::kWithEmptyMetadata);

/// Sets the op's output to one string: a Summary written by `write(WireWriter&)`.
template <class Write>
Status yield_summary(KernelContext& ctx, Write write) {
  TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape()));
  WireWriter to(out->data<std::string>());
  return write(to);
}

/// The string in a scalar input. InvalidArgument with the text `otherwise` for other shapes.
inline Result<std::string_view> scalar_text(const KernelContext& ctx, int input, const char* otherwise) {
  if (ctx.input(input).rank() != 0) return invalid_argument(otherwise);
  return std::string_view(*ctx.input(input).data<std::string>());
}

}  // namespace tinytf::ops
