#include <algorithm>

#include "op/registration.h"
#include "ops/object_cost.h"
#include "ops/string/shared/utf8_case.h"

namespace tinytf::ops {
namespace {

/// As in TensorFlow, what is known of the positions must be known of the lengths, too.
Status substr_shape(ShapeContext& c) {
  const PartialShape &position = c.input(1), &length = c.input(2);
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, length.rank()));
  for (int i = 0; i < position.rank(); ++i) {
    if (position.dim(i) != length.dim(i)) {
      return invalid_argument("pos and len shapes must match: ", position.to_string(), " vs. ", length.to_string());
    }
  }
  TINYTF_ASSIGN_OR_RETURN(PartialShape output, tinytf::shapes::broadcast(c.input(0), position));
  c.set_output(0, std::move(output));
  return Status();
}

/// Position in `text` after `count` characters from `at` on; `passed` is set to the number of characters that there
/// were.
size_t pass_characters(std::string_view text, size_t at, int64_t count, int64_t* passed) {
  *passed = 0;
  while (at < text.size() && *passed < count) {
    ++at;
    while (at < text.size() && !begins_character(text[at])) ++at;
    ++*passed;
  }
  return at;
}

/// The part of a text from `position` on, which counts from the end if negative; up to the end if `length` is negative.
/// Returns false if `position` is outside the text.
bool part_of_bytes(std::string_view text, int64_t position, int64_t length, std::string& out) {
  const auto size = static_cast<int64_t>(text.size());
  if (position > size || position < -size) return false;
  const int64_t begin = position < 0 ? position + size : position;
  const int64_t count = length < 0 ? size - begin : std::min(length, size - begin);
  out.assign(text.substr(static_cast<size_t>(begin), static_cast<size_t>(count)));
  return true;
}

/// The same for positions and lengths in UTF-8 characters.
bool part_of_characters(std::string_view text, int64_t position, int64_t length, std::string& out) {
  int64_t passed = 0;
  if (position < 0) {
    int64_t all = 0;
    pass_characters(text, 0, static_cast<int64_t>(text.size()), &all);
    position += all;
    if (position < 0) return false;
  }
  const size_t begin = pass_characters(text, 0, position, &passed);
  if (passed < position) return false;
  const size_t end = pass_characters(text, begin, length, &passed);
  out.assign(text.substr(begin, end - begin));
  return true;
}

/// Index of the element of a tensor of shape `shape` that is broadcast to element `i` of shape
/// `whole`.
int64_t broadcast_index(int64_t i, const Shape& whole, const Shape& shape) {
  int64_t index = 0, step = 1;
  for (int k = whole.rank() - 1, own = shape.rank() - 1; own >= 0; --k, --own) {
    const int64_t place = i % whole.dim(k);
    i /= whole.dim(k);
    if (shape.dim(own) != 1) index += place * step;
    step *= shape.dim(own);
  }
  return index;
}

class SubstrKernel final : public Kernel {
 public:
  explicit SubstrKernel(KernelInit& init) : in_characters_(init.attr<std::string>("unit") == "UTF8_CHAR") {}

  Status compute(KernelContext& ctx) override {
    const Tensor &input = ctx.input(0), &positions = ctx.input(1), &lengths = ctx.input(2);
    if (positions.shape() != lengths.shape()) {
      return invalid_argument("pos and len should have the same shape, got: ", positions.shape().to_string(), " vs. ",
                              lengths.shape().to_string());
    }
    TINYTF_ASSIGN_OR_RETURN(const Shape shape, tinytf::shapes::broadcast(input.shape(), positions.shape()));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
    for (int64_t i = 0; i < out->num_elements(); ++i) {
      const auto& text = input.data<std::string>()[broadcast_index(i, shape, input.shape())];
      const int64_t k = broadcast_index(i, shape, positions.shape());
      const int64_t position = positions.int_at(k), length = lengths.int_at(k);
      std::string& part = out->data<std::string>()[i];
      if (in_characters_) {
        if (!part_of_characters(text, position, length, part)) {
          return invalid_argument("pos ", position, " out of range for string at index ", i);
        }
      } else if (!part_of_bytes(text, position, length, part)) {
        return invalid_argument("pos ", position, " out of range for string b'", text, "' at index ", i);
      }
    }
    return Status();
  }

 private:
  const bool in_characters_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(string_substr) {
  using namespace tinytf::ops;
  ops.op("Substr")
      .input("input: string")
      .input("pos: T")
      .input("len: T")
      .output("output: string")
      .attr("T: {int32, int64}")
      .attr("unit: {'BYTE', 'UTF8_CHAR'} = 'BYTE'")
      .shape(substr_shape)
      .no_gradient()
      .doc(
          "Takes from each string in `input` a substring of `len` bytes, or characters as `unit` says, from `pos` on; "
          "it is shorter if the string ends before. A negative `pos` counts from the end. `pos` and `len` have equal "
          "shapes and are broadcast with `input`; fails with InvalidArgument if `pos` is outside the string.");
  kernels.add<SubstrKernel>("Substr");
}
