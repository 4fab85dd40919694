#include "ops/data/shared/padded_rows.h"

#include <algorithm>
#include <cstring>

namespace tinytf::ops {

namespace {

/// The shape to which elements are padded.
Result<Shape> common_shape(const std::vector<data::Element>& elements, size_t component,
                           const ComponentPadding& padding) {
  Shape common;
  for (const int64_t dim : padding.shape.dims()) common.add_dim(std::max<int64_t>(dim, 0));
  for (const data::Element& element : elements) {
    const Shape& shape = element[component].shape();
    if (shape.rank() != common.rank()) {
      return invalid_argument("All elements in a batch must have the same rank as the padded shape for component",
                              component, ": expected rank ", common.rank(), " but got element with rank ",
                              shape.rank());
    }
    if (element[component].dtype() != padding.value.dtype()) {
      return invalid_argument("Cannot pad an element of type ", dtype_name(element[component].dtype()),
                              " in component ", component, " by a value of type ", dtype_name(padding.value.dtype()));
    }
    for (int i = 0; i < common.rank(); ++i) {
      if (shape.dim(i) <= common.dim(i)) continue;
      if (padding.shape.dim(i) != kUnknownDim) {
        return Status(Code::kDataLoss, "Attempted to pad to a smaller size than the input element.");
      }
      common.set_dim(i, shape.dim(i));
    }
  }
  return common;
}

/// Sets all elements to the value of a scalar. The tensor is new.
void fill(Tensor& tensor, const Tensor& value) {
  const int64_t n = tensor.num_elements();
  if (n == 0) return;
  if (tensor.dtype() == DType::kVariant || tensor.dtype() == DType::kResource) {
    for (int64_t i = 0; i < n; ++i) copy_elements(value, 0, tensor, i, 1);
  } else if (tensor.dtype() == DType::kString) {
    const std::string& text = *value.data<std::string>();
    if (!text.empty()) std::fill_n(tensor.data<std::string>(), n, text);
  } else {  // Copies double, so that large tensors are filled by large copies.
    const size_t size = dtype_size(tensor.dtype()), total = tensor.bytes();
    auto* const bytes = static_cast<char*>(tensor.raw());
    std::memcpy(bytes, value.raw(), size);
    for (size_t done = size; done < total; done *= 2) std::memcpy(bytes + done, bytes, std::min(done, total - done));
  }
}

/// Copies `element` to the start of all dimensions of row `row`, whose shape is `slot`, at least as large.
void copy_to_slot(const Tensor& element, Tensor& rows, int64_t row, const Shape& slot) {
  const Shape& shape = element.shape();
  const int64_t n = element.num_elements(), first = row * slot.num_elements();
  if (n == 0) return;
  if (shape == slot) return copy_elements(element, 0, rows, first, n);
  const int last = shape.rank() - 1;  // The shapes differ, so the rank is not 0.
  const int64_t run = shape.dim(last);
  Dims at(static_cast<size_t>(last), 0);
  for (int64_t from = 0; from < n; from += run) {
    int64_t to = 0;
    for (int i = 0; i < last; ++i) to = (to + at[static_cast<size_t>(i)]) * slot.dim(i + 1);
    copy_elements(element, from, rows, first + to, run);
    for (int i = last - 1; i >= 0 && ++at[static_cast<size_t>(i)] == shape.dim(i); --i) at[static_cast<size_t>(i)] = 0;
  }
}

}  // namespace

Result<Tensor> padded_rows(Allocator& allocator, const std::vector<data::Element>& elements, size_t i,
                           const ComponentPadding& padding) {
  TINYTF_ASSIGN_OR_RETURN(const Shape slot, common_shape(elements, i, padding));
  Shape whole({static_cast<int64_t>(elements.size())});
  for (const int64_t dim : slot.dims()) whole.add_dim(dim);
  TINYTF_ASSIGN_OR_RETURN(Tensor rows, Tensor::allocate(allocator, padding.value.dtype(), whole));
  const auto fits = [&](const data::Element& element) { return element[i].shape() == slot; };
  if (!std::all_of(elements.begin(), elements.end(), fits)) fill(rows, padding.value);
  for (size_t row = 0; row < elements.size(); ++row) {
    copy_to_slot(elements[row][i], rows, static_cast<int64_t>(row), slot);
  }
  return rows;
}

}  // namespace tinytf::ops
