#include "ops/array/shared/strided_slice_spec.h"

#include <algorithm>

#include "base/inlined_vector.h"

namespace tinytf::ops {

namespace {

constexpr int kMaxEntries = 32;  // number of bits of a mask without its sign bit

bool bit(int32_t mask, int i) { return ((mask >> i) & 1) != 0; }

/// The specification of one input dimension.
struct DimSpec {
  int64_t begin = 0, end = 0, stride = 1;
  bool begin_masked = true, end_masked = true, shrink = false;
};

constexpr int kNewAxis = -1, kShrunk = -2;

/// Expands the sparse specification (with an ellipsis and new axes) to one entry per input dimension. `layout` holds,
/// for each dimension of the result, the input dimension that it comes from, or kNewAxis.
Status expand(int rank, const Tensor* begin, const Tensor* end, const Tensor& strides, const SliceMasks& masks,
              InlinedVector<DimSpec, 4>* dims, InlinedVector<int, 8>* layout) {
  const int entries = static_cast<int>(strides.dim(0));
  const auto ellipses = static_cast<uint32_t>(masks.ellipsis);
  if ((ellipses & (ellipses - 1)) != 0) {  // includes bits beyond the entries
    return invalid_argument("Multiple ellipses in slice spec not allowed");
  }
  int ellipsis = -1, added_after = 0;
  for (int i = 0; i < entries; ++i) {
    if (bit(masks.ellipsis, i)) {
      ellipsis = i;
    } else if (ellipsis >= 0 && bit(masks.new_axis, i)) {
      ++added_after;
    }
  }
  dims->resize(rank);
  int k = 0;
  const auto take_whole_until = [&](int stop) {
    for (; k < stop; ++k) layout->push_back(k);
  };
  for (int i = 0; i < entries; ++i) {
    if (i == ellipsis) {
      take_whole_until(std::min(rank - (entries - i - 1) + added_after, rank));
    } else if (bit(masks.new_axis, i)) {
      layout->push_back(kNewAxis);
    } else {
      if (k == rank) {
        return invalid_argument("Index out of range using input dim ", k, "; input has only ", rank, " dims");
      }
      DimSpec& spec = (*dims)[k];
      spec.begin = begin ? begin->int_at(i) : 0;
      spec.end = end ? end->int_at(i) : 0;
      spec.stride = strides.int_at(i);
      spec.begin_masked = bit(masks.begin, i);
      spec.end_masked = bit(masks.end, i);
      spec.shrink = bit(masks.shrink_axis, i);
      if (spec.stride == 0) return invalid_argument("strides[", i, "] must be non-zero");
      if (spec.shrink && spec.stride < 0) return invalid_argument("only stride 1 allowed on non-range indexing.");
      layout->push_back(spec.shrink ? kShrunk : k);
      ++k;
    }
  }
  take_whole_until(rank);
  return Status();
}

/// Clamps the position at which a range over [0, size) starts or stops; negative positions count from the end.
int64_t clamp_position(int64_t position, bool masked, bool is_end, int64_t size, int64_t stride) {
  const int64_t low = stride > 0 ? 0 : -1, high = stride > 0 ? size : size - 1;
  if (masked) return is_end == (stride > 0) ? high : low;
  return std::min(std::max(position < 0 ? position + size : position, low), high);
}

}  // namespace

Result<ResolvedSlice> resolve_slice(const PartialShape& input, const Tensor* begin, const Tensor* end,
                                    const Tensor& strides, const SliceMasks& masks) {
  const int rank = input.rank();
  const auto text = [](const Tensor* vector) { return vector ? vector->shape().to_string() : std::string("?"); };
  const auto fits = [&strides](const Tensor* vector) { return !vector || vector->shape() == strides.shape(); };
  if (strides.rank() != 1 || !fits(begin) || !fits(end) || strides.dim(0) >= kMaxEntries) {
    return invalid_argument("Expected begin, end, and strides to be 1D equal size tensors, but got shapes ",
                            text(begin), ", ", text(end), ", and ", text(&strides), " instead.");
  }
  InlinedVector<DimSpec, 4> dims;
  InlinedVector<int, 8> layout;
  TINYTF_RETURN_IF_ERROR(expand(rank, begin, end, strides, masks, &dims, &layout));
  ResolvedSlice slice;
  for (int k = 0; k < rank; ++k) {
    const DimSpec& spec = dims[k];
    const int64_t available = input.dim(k);
    const bool values_known = (begin || spec.begin_masked) && (end || spec.end_masked || spec.shrink);
    int64_t from = 0, size = kUnknownDim;
    if (spec.shrink) {
      size = 1;
      if (available >= 0 && begin) {
        from = spec.begin < 0 ? spec.begin + available : spec.begin;
        if (from < 0 || from >= available) {
          return invalid_argument("slice index ", spec.begin, " of dimension ", k, " out of bounds.");
        }
      }
    } else if (available >= 0 && values_known) {
      from = clamp_position(spec.begin, spec.begin_masked, false, available, spec.stride);
      const int64_t to = clamp_position(spec.end, spec.end_masked, true, available, spec.stride);
      const int64_t length = to - from;
      const bool empty = length == 0 || (length < 0) != (spec.stride < 0);
      size = empty ? 0 : length / spec.stride + (length % spec.stride != 0 ? 1 : 0);
    } else if (available < 0 && spec.begin_masked && spec.end_masked && (spec.stride == 1 || spec.stride == -1)) {
      size = available;
    }
    const bool all = from == 0 && spec.stride == 1 && size == available;
    slice.whole &= all;
    slice.leading_rows &= all || (k == 0 && spec.stride == 1);
    slice.begin.push_back(from);
    // The stride of at most one element is not used, and may be any number.
    slice.stride.push_back(size > 1 ? spec.stride : 1);
    slice.size.push_back(size);
  }
  slice.result = PartialShape::scalar();
  for (int from : layout) {
    if (from != kShrunk) slice.result.add_dim(from == kNewAxis ? 1 : slice.size[from]);
  }
  return slice;
}

}  // namespace tinytf::ops
