#include "io/slice_proto.h"

#include "io/tensor_proto.h"

namespace tinytf {

namespace {
constexpr uint32_t kExtent = 1, kStart = 1, kLength = 2;
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

Result<Shape> read_known_shape(std::string_view bytes) {
  TINYTF_ASSIGN_OR_RETURN(const PartialShape shape, read_shape(bytes));
  if (!shape.known_rank()) return Shape();
  return Shape::checked(shape.dims());
}

}  // namespace tinytf
