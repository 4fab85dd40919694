#include "io/tensor_slice.h"

#include <charconv>
#include <vector>

namespace tinytf {

namespace {

bool parse_number(std::string_view text, int64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

std::vector<std::string_view> split(std::string_view text, char separator, bool keep_empty) {
  std::vector<std::string_view> items;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    if (keep_empty || end > begin) items.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return items;
}

std::string no_extent(const TensorSlice::Extent& extent) {
  return str_cat("Expected non-negative start and positive length but got start = ", extent.start,
                 ", length = ", extent.length);
}

}  // namespace

TensorSlice TensorSlice::whole(int rank) {
  TensorSlice slice;
  for (int i = 0; i < rank; ++i) slice.extents_.push_back(Extent());
  return slice;
}

Status TensorSlice::add(Extent extent) {
  if (extent.is_whole() ? extent.start != 0 : extent.start < 0 || extent.length <= 0) {
    return invalid_argument(no_extent(extent));
  }
  if (rank() == Shape::kMaxRank) return invalid_argument("A slice has at most ", Shape::kMaxRank, " dimensions");
  extents_.push_back(extent);
  return Status();
}

Result<TensorSlice> TensorSlice::parse(std::string_view text) {
  TensorSlice slice;
  for (const std::string_view item : split(text, ':', false)) {
    Extent extent;
    if (item != "-") {
      const auto pair = split(item, ',', false);
      if (pair.size() != 2 || !parse_number(pair[0], extent.start) || !parse_number(pair[1], extent.length)) {
        return invalid_argument("Expected a pair of numbers or '-' but got '", item, "': string = ", text);
      }
      if (extent.start < 0 || extent.length <= 0) return invalid_argument(no_extent(extent), ": string = ", text);
    }
    TINYTF_RETURN_IF_ERROR(slice.add(extent));
  }
  return slice;
}

bool TensorSlice::is_whole() const {
  for (const Extent& extent : extents_) {
    if (!extent.is_whole()) return false;
  }
  return true;
}

Result<Shape> TensorSlice::apply(const Shape& shape) const {
  if (shape.rank() != rank()) {
    return internal_error("Mismatching ranks: shape = ", shape.to_string(), ", slice = ", to_string());
  }
  Shape result = shape;
  for (int i = 0; i < rank(); ++i) {
    const Extent& extent = this->extent(i);
    if (extent.is_whole()) continue;
    if (extent.length > shape.dim(i) || extent.start > shape.dim(i) - extent.length) {
      return internal_error("Extent in dimension ", i, " out of bounds: shape = ", shape.to_string(),
                            ", slice = ", to_string());
    }
    result.set_dim(i, extent.length);
  }
  return result;
}

std::string TensorSlice::to_string() const {
  return str_join(extents_, ":", [](const Extent& extent) {
    return extent.is_whole() ? std::string("-") : str_cat(extent.start, ",", extent.length);
  });
}

bool operator==(const TensorSlice& a, const TensorSlice& b) { return a.extents_ == b.extents_; }

Result<ShapeAndSlice> parse_shape_and_slice(const std::string& text) {
  auto items = split(text, ' ', true);
  if (items.size() < 2) {
    return invalid_argument("Need least two elements in shape_and_slice specification: ", text);
  }
  ShapeAndSlice parsed;
  TINYTF_ASSIGN_OR_RETURN(parsed.slice, TensorSlice::parse(items.back()));
  items.pop_back();
  for (const std::string_view item : items) {
    int64_t size = 0;
    if (!parse_number(item, size)) return invalid_argument("Non numerical dimension in shape_and_slice: ", text);
    parsed.shape.add_dim(size);
  }
  TINYTF_RETURN_IF_ERROR(parsed.shape.check());
  TINYTF_ASSIGN_OR_RETURN(parsed.slice_shape, parsed.slice.apply(parsed.shape));
  return parsed;
}

}  // namespace tinytf
