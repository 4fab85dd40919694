#include "io/slice_proto.h"

namespace tinytf {

namespace {
constexpr uint32_t kExtent = 1, kStart = 1, kLength = 2;   // of slices
constexpr uint32_t kDim = 2, kUnknownRank = 3, kSize = 1;  // of shapes
}  // namespace

void write_slice(WireWriter& to, const TensorSlice& slice) {
  for (int i = 0; i < slice.rank(); ++i) {
    const TensorSlice::Extent& extent = slice.extent(i);
    to.nested(kExtent, [&] {
      if (extent.start != 0) to.int64(kStart, extent.start);
      if (!extent.is_whole()) to.int64(kLength, extent.length);
    });
  }
}

Result<TensorSlice> read_slice(std::string_view bytes) {
  TensorSlice slice;
  WireReader fields(bytes);
  while (fields.next()) {
    if (!fields.is(kExtent, WireType::kBytes)) continue;
    TensorSlice::Extent extent;
    WireReader numbers(fields.bytes());
    while (numbers.next()) {
      if (numbers.is(kStart, WireType::kVarint)) extent.start = numbers.int64();
      if (numbers.is(kLength, WireType::kVarint)) extent.length = numbers.int64();
    }
    if (!numbers.ok()) return invalid_argument("the slice is damaged");
    TINYTF_RETURN_IF_ERROR(slice.add(extent));
  }
  if (!fields.ok()) return invalid_argument("the slice is damaged");
  return slice;
}

void write_known_shape(WireWriter& to, const Shape& shape) {
  for (const int64_t size : shape.dims()) {
    to.nested(kDim, [&] {
      if (size != 0) to.int64(kSize, size);
    });
  }
}

Result<Shape> read_known_shape(std::string_view bytes) {
  Dims dims;
  bool unknown_rank = false;
  WireReader fields(bytes);
  while (fields.next()) {
    if (fields.is(kUnknownRank, WireType::kVarint)) unknown_rank = fields.number() != 0;
    if (!fields.is(kDim, WireType::kBytes)) continue;
    if (dims.size() == Shape::kMaxRank) return invalid_argument("more than ", Shape::kMaxRank, " dimensions");
    int64_t size = 0;
    WireReader numbers(fields.bytes());
    while (numbers.next()) {
      if (numbers.is(kSize, WireType::kVarint)) size = numbers.int64();
    }
    if (!numbers.ok()) return invalid_argument("the shape is damaged");
    dims.push_back(size);
  }
  if (!fields.ok()) return invalid_argument("the shape is damaged");
  if (unknown_rank) return Shape();
  return Shape::checked(std::move(dims));
}

}  // namespace tinytf
