#include <algorithm>
#include <vector>

#include "op/registration.h"
#include "ops/object_cost.h"

namespace tinytf::ops {
namespace {

constexpr std::string_view kSpaces = " \t\n\v\f\r";

Status shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 1));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 0));
  c.set_output(0, PartialShape::matrix(kUnknownDim, 2));
  c.set_output(1, PartialShape::vector(kUnknownDim));
  c.set_output(2, PartialShape::vector(2));
  return Status();
}

using Parts = std::vector<std::string_view>;

/// Splits the text into single bytes.
void split_bytes(std::string_view text, Parts& parts) {
  for (size_t i = 0; i < text.size(); ++i) parts.push_back(text.substr(i, 1));
}

/// Splits the text at every byte that occurs in `delimiters`.
void split_at_any(std::string_view text, std::string_view delimiters, bool skip_empty, Parts& parts) {
  if (text.empty()) return;
  for (;;) {
    const size_t end = std::min(text.find_first_of(delimiters), text.size());
    if (end > 0 || !skip_empty) parts.push_back(text.substr(0, end));
    if (end == text.size()) return;
    text.remove_prefix(end + 1);
  }
}

/// Splits the text at a separator, at most `most` times (unlimited if negative), and appends the rest.
void split_at(std::string_view text, std::string_view separator, int64_t most, Parts& parts) {
  for (int64_t i = 0; most < 0 || i < most; ++i) {
    const size_t end = text.find(separator);
    if (end == std::string_view::npos) break;
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + separator.size());
  }
  parts.push_back(text);
}

/// Splits the text into words, at most `most` of them (unlimited if negative), and appends the rest: after exactly
/// `most` words the rest is appended even if it is empty.
void split_words(std::string_view text, int64_t most, Parts& parts) {
  for (int64_t i = 0;; ++i) {
    text.remove_prefix(std::min(text.find_first_not_of(kSpaces), text.size()));
    if (most >= 0 && i == most) return parts.push_back(text);
    if (text.empty()) return;
    const size_t end = std::min(text.find_first_of(kSpaces), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

/// Sets the outputs to a SparseTensor with one row per string; split(string, parts) appends the parts of a string.
template <class Split>
Status split_all(KernelContext& ctx, Split split) {
  const Tensor& input = ctx.input(0);
  if (input.rank() != 1) {
    return invalid_argument("input must be a vector, got shape: ", input.shape().to_string());
  }
  Parts parts;
  std::vector<size_t> ends;
  size_t longest = 0;
  ctx.parallel().run_in_order(input.num_elements(), kObjectCost, [&](int64_t i, int64_t end) {
    for (; i < end; ++i) {
      const size_t before = parts.size();
      split(input.data<std::string>()[i], parts);
      ends.push_back(parts.size());
      longest = std::max(longest, parts.size() - before);
    }
  });
  const auto total = static_cast<int64_t>(parts.size());
  TINYTF_ASSIGN_OR_RETURN(Tensor * indices, ctx.allocate_output(0, Shape({total, 2})));
  TINYTF_ASSIGN_OR_RETURN(Tensor * values, ctx.allocate_output(1, Shape({total})));
  TINYTF_ASSIGN_OR_RETURN(Tensor * dense_shape, ctx.allocate_output(2, Shape({2})));
  auto* index = indices->data<int64_t>();
  size_t at = 0;
  ctx.parallel().run_in_order(input.num_elements(), kObjectCost, [&](int64_t row, int64_t end) {
    for (; row < end; ++row) {
      for (int64_t place = 0; at < ends[static_cast<size_t>(row)]; ++at, ++place) {
        *index++ = row;
        *index++ = place;
        values->data<std::string>()[at].assign(parts[at]);
      }
    }
  });
  dense_shape->data<int64_t>()[0] = input.num_elements();
  dense_shape->data<int64_t>()[1] = static_cast<int64_t>(longest);
  return Status();
}

class StringSplitKernel final : public Kernel {
 public:
  explicit StringSplitKernel(KernelInit& init) : skip_empty_(init.attr<bool>("skip_empty")) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& delimiter = ctx.input(1);
    if (delimiter.rank() != 0) {
      return invalid_argument("delimiter must be a scalar, got shape: ", delimiter.shape().to_string());
    }
    const std::string& delimiters = *delimiter.data<std::string>();
    return split_all(ctx, [&](std::string_view text, Parts& parts) {
      if (delimiters.empty()) return split_bytes(text, parts);
      split_at_any(text, delimiters, skip_empty_, parts);
    });
  }

 private:
  const bool skip_empty_;
};

class StringSplitV2Kernel final : public Kernel {
 public:
  explicit StringSplitV2Kernel(KernelInit& init) : most_(init.int32_attr("maxsplit")) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& sep = ctx.input(1);
    if (sep.rank() != 0) return invalid_argument("sep must be a scalar, got shape: ", sep.shape().to_string());
    const std::string& separator = *sep.data<std::string>();
    return split_all(ctx, [&](std::string_view text, Parts& parts) {
      if (most_ == 0) return parts.push_back(text);
      if (separator.empty()) return split_words(text, most_, parts);
      split_at(text, separator, most_, parts);
    });
  }

 private:
  const int64_t most_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(string_split) {
  using namespace tinytf::ops;
  ops.op("StringSplit")
      .input("input: string")
      .input("delimiter: string")
      .output("indices: int64")
      .output("values: string")
      .output("shape: int64")
      .attr("skip_empty: bool = true")
      .shape(shape)
      .not_differentiable()
      .doc(
          "Splits each string in the vector `input` at the bytes in `delimiter`, or into single bytes if `delimiter` "
          "is empty. Returns a SparseTensor with one row per string; `skip_empty` drops empty parts.");
  kernels.add<StringSplitKernel>("StringSplit");

  ops.op("StringSplitV2")
      .input("input: string")
      .input("sep: string")
      .output("indices: int64")
      .output("values: string")
      .output("shape: int64")
      .attr("maxsplit: int = -1")
      .shape(shape)
      .no_gradient()
      .doc(
          "Splits each string in the vector `input` at the separator `sep`, or into words if `sep` is empty. At most "
          "`maxsplit` splits are made, unless `maxsplit` is negative. Returns a SparseTensor with one row per string.");
  kernels.add<StringSplitV2Kernel>("StringSplitV2");
}
