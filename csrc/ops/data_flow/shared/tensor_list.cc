#include "ops/data_flow/shared/tensor_list.h"

#include <algorithm>

#include "ops/data_flow/shared/elements.h"
#include "ops/variant_elements.h"

namespace tinytf::ops {

namespace {

Status too_many() { return invalid_argument("A list can have at most ", TensorList::kMaxSize, " elements"); }

}  // namespace

RefPtr<TensorList> TensorList::copy() const {
  RefPtr<TensorList> made = make_ref<TensorList>(spec_, size_);
  made->depth_ = depth_;
  made->elements_ = elements_;
  return made;
}

std::string TensorList::debug_string() const {
  return str_cat("TensorList<", dtype_name(spec_.dtype), ">[", size_, "]");
}

int64_t TensorList::bytes() const {
  int64_t bytes = 0;
  const Status counted = elements_.for_each([&](int64_t, const Tensor& element) {
    bytes += static_cast<int64_t>(sizeof(Tensor) + element.bytes());
    return Status();
  });
  TINYTF_CHECK(counted.ok());
  return bytes;
}

Result<Variant> TensorList::zeros_like(Allocator& allocator) const {
  RefPtr<TensorList> zeros = make_ref<TensorList>(Spec{spec_.dtype, spec_.element_shape}, size_);
  Tensor last;  // elements of equal shape share their zeros
  TINYTF_RETURN_IF_ERROR(elements_.for_each([&](int64_t i, const Tensor& element) {
    if (!last.valid() || last.dtype() == DType::kVariant || last.shape() != element.shape()) {
      TINYTF_ASSIGN_OR_RETURN(last, zeros_of_value(element, allocator));
    }
    return zeros->set(i, last);
  }));
  return Variant{std::move(zeros)};
}

Result<Variant> TensorList::plus(const VariantValue& other, Allocator& allocator) const {
  const auto* list = dynamic_cast<const TensorList*>(&other);
  if (list == nullptr) {
    return invalid_argument("Trying to add a list of tensors and a value of type ", other.type_name());
  }
  if (dtype() != list->dtype()) {
    return invalid_argument("Trying to add two lists of tensors of different dtypes. One is ", dtype_name(dtype()),
                            " and the other is ", dtype_name(list->dtype()));
  }
  auto shape = spec_.element_shape.merge(list->spec_.element_shape);
  if (!shape.ok()) {
    return invalid_argument("Trying to add two lists of tensors with incompatible element shapes. One is ",
                            spec_.element_shape.to_string(), " and the other is ",
                            list->spec_.element_shape.to_string());
  }
  if (size_ != list->size_) {
    return invalid_argument("Trying to add two lists of tensors with different lengths. One is ", size_,
                            " and the other is ", list->size_);
  }
  RefPtr<TensorList> sum = copy();
  sum->spec_ = {dtype(), shape.take()};
  TINYTF_RETURN_IF_ERROR(list->for_each([&](int64_t i, const Tensor& element) {
    if (!at(i).valid()) return sum->set(i, element);
    TINYTF_ASSIGN_OR_RETURN(Tensor both, sum_of_values(at(i), element, allocator));
    return sum->set(i, std::move(both));
  }));
  return Variant{std::move(sum)};
}

Result<PartialShape> TensorList::merged_shape(PartialShape known) const {
  TINYTF_RETURN_IF_ERROR(elements_.for_each([&](int64_t, const Tensor& element) {
    TINYTF_ASSIGN_OR_RETURN(known, merge_shapes(known, element.shape()));
    return Status();
  }));
  return known;
}

Status TensorList::set(int64_t i, Tensor value) {
  TINYTF_ASSIGN_OR_RETURN(const int depth, depth_around(value));
  depth_ = std::max(depth_, depth);
  elements_.set(i, std::move(value));
  return Status();
}

Status TensorList::push_back(Tensor value) {
  if (size_ >= kMaxSize) return too_many();
  TINYTF_RETURN_IF_ERROR(set(size_, std::move(value)));
  ++size_;
  return Status();
}

Status TensorList::resize(int64_t size) {
  if (size > kMaxSize) return too_many();
  if (size < size_) elements_.truncate(size);
  size_ = size;
  return Status();
}

Status TensorList::append(const TensorList& other) {
  const int64_t first = size_;
  TINYTF_RETURN_IF_ERROR(resize(first + other.size_));
  return other.for_each([&](int64_t i, const Tensor& element) { return set(first + i, element); });
}

}  // namespace tinytf::ops
