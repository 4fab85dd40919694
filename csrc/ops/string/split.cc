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

/// Each byte of the text.
void split_bytes(std::string_view text, Parts& parts) {
  for (size_t i = 0; i < text.size(); ++i) parts.push_back(text.substr(i, 1));
}

/// The parts between bytes of which `delimiters` has any.
void split_at_any(std::string_view text, std::string_view delimiters, bool skip_empty, Parts& parts) {
  if (text.empty()) return;
  for (;;) {
    const size_t end = std::min(text.find_first_of(delimiters), text.size());
    if (end > 0 || !skip_empty) parts.push_back(text.substr(0, end));
    if (end == text.size()) return;
    text.remove_prefix(end + 1);
  }
}

/// The parts between occurrences of a separator, at most `most` of them and what is left.
void split_at(std::string_view text, std::string_view separator, int64_t most, Parts& parts) {
  for (int64_t i = 0; most < 0 || i < most; ++i) {
    const size_t end = text.find(separator);
    if (end == std::string_view::npos) break;
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + separator.size());
  }
  parts.push_back(text);
}

/// The words of a text, at most `most` of them and what is left.
void split_words(std::string_view text, int64_t most, Parts& parts) {
  for (int64_t i = 0;; ++i) {
    const size_t begin = text.find_first_not_of(kSpaces);
    if (begin == std::string_view::npos) return;
    text.remove_prefix(begin);
    if (most >= 0 && i == most) return parts.push_back(text);
    const size_t end = std::min(text.find_first_of(kSpaces), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

/// Sets the outputs to a SparseTensor with a row for each string; split(string, parts) appends its parts.
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
          "The parts of each of a vector of strings between the bytes of `delimiter`, its single bytes if that is "
          "empty: a "
          "SparseTensor with a row for each string.");
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
          "The parts of each of a vector of strings between occurrences of `sep`, or its words if that is empty, in at "
          "most "
          "`maxsplit` cuts unless that is negative: a SparseTensor with a row for each string.");
  kernels.add<StringSplitV2Kernel>("StringSplitV2");
}
