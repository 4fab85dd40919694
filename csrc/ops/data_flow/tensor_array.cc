#include "ops/data_flow/tensor_array.h"

#include <cstring>

#include "base/checked.h"
#include "kernels/table.h"
#include "ops/data_flow/elements.h"

namespace tinytf::ops {

namespace {

Shape joined(const Shape& prefix, const Shape& shape) {
  Dims dims = prefix.dims();
  for (const int64_t d : shape.dims()) dims.push_back(d);
  return Shape(std::move(dims));
}

}  // namespace

TensorArray::TensorArray(std::string name, Spec spec, int64_t size)
    : name_(std::move(name)), spec_(std::move(spec)), size_(size) {}

std::string TensorArray::debug_string() const {
  return str_cat("TensorArray ", name_, " of ", dtype_name(spec_.dtype));
}

Status TensorArray::check_open() const {
  return closed_ ? invalid_argument("TensorArray ", name_, " has already been closed.") : Status();
}

Result<int64_t> TensorArray::size() const {
  std::lock_guard lock(mutex_);
  TINYTF_RETURN_IF_ERROR(check_open());
  return size_;
}

Status TensorArray::write(KernelContext& ctx, int64_t index, Tensor value) {
  std::lock_guard lock(mutex_);
  TINYTF_RETURN_IF_ERROR(check_open());
  return write_element(ctx, index, std::move(value));
}

Status TensorArray::make_room(int64_t index) {
  if (index < 0 || (!spec_.dynamic_size && index >= size_)) {
    return wrong("Tried to write to index ", index, " but array is not resizeable and size is: ", size_);
  }
  if (index >= kMaxSize) return wrong("Tried to write to index ", index, " but no array has more than ", kMaxSize);
  size_ = std::max(size_, index + 1);
  return Status();
}

Status TensorArray::write_element(KernelContext& ctx, int64_t index, Tensor value) {
  TINYTF_RETURN_IF_ERROR(make_room(index));
  const auto refused = [&](const auto&... reason) {
    return wrong("Could not write to TensorArray index ", index, " because ", reason...);
  };
  if (!spec_.element_shape.compatible_with(value.shape())) {
    return refused("the value shape is ", value.shape().to_string(),
                   " which is incompatible with the TensorArray's inferred element shape: ",
                   spec_.element_shape.to_string(), " (consider setting infer_shape=False).");
  }
  if (spec_.identical_element_shapes && !spec_.element_shape.fully_defined()) spec_.element_shape = value.shape();
  Element& element = elements_.at(index);
  if (element.read) return refused("it has already been read.");
  if (element.written && !is_gradient_) return refused("it has already been written to.");
  if (element.written) return add_to(ctx, index, element, std::move(value));
  element.shape = value.shape();
  element.value = std::move(value);
  element.written = true;
  return Status();
}

Status TensorArray::add_to(KernelContext& ctx, int64_t index, Element& element, Tensor value) {
  if (element.shape != value.shape()) {
    return wrong("Could not aggregate to TensorArray index ", index, " because the existing shape is ",
                 element.shape.to_string(), " but the new input shape is ", value.shape().to_string(), ".");
  }
  if (!element.value.valid() || element.value.num_elements() == 0) {
    element.value = std::move(value);
    return Status();
  }
  const auto& loops = kernels::table().elementwise;
  if (spec_.dtype == DType::kBool || loops.add_n[static_cast<int>(spec_.dtype)] == nullptr) {
    return invalid_argument("tensor_array::AddToTensor type not supported: ", dtype_name(spec_.dtype));
  }
  const void* parts[] = {element.value.raw(), value.raw()};
  const Tensor old = std::exchange(element.value, Tensor());
  Tensor sum = old.writable_in_place() ? old : Tensor();
  if (!sum.valid()) {
    TINYTF_ASSIGN_OR_RETURN(sum, ctx.allocate(spec_.dtype, element.shape));
  }
  kernels::run_add_n(loops, spec_.dtype, parts, 2, sum.raw(), sum.num_elements(), ctx.parallel());
  element.value = std::move(sum);
  return Status();
}

Result<Tensor> TensorArray::read(KernelContext& ctx, int64_t index) {
  std::lock_guard lock(mutex_);
  TINYTF_RETURN_IF_ERROR(check_open());
  return read_element(ctx, index);
}

Result<Tensor> TensorArray::read_element(KernelContext& ctx, int64_t index) {
  if (index < 0 || index >= size_) {
    return invalid_argument("Tried to read from index ", index, " but array size is: ", size_);
  }
  const Element* known = elements_.find(index);
  if (known == nullptr || !known->written) {
    if (!spec_.element_shape.fully_defined()) {
      return wrong("Could not read from TensorArray index ", index,
                   ".  Furthermore, the element shape is not fully defined: ", spec_.element_shape.to_string(),
                   ".  It is possible you are working with a resizeable TensorArray and stop_gradients is not allowing"
                   " the gradients to be written.  If you set the full element_shape property on the forward"
                   " TensorArray, the proper all-zeros tensor will be returned instead of incurring this error.");
    }
    Element& element = elements_.at(index);
    element.shape = spec_.element_shape.to_shape();
    element.written = true;
  }
  Element& element = *elements_.find(index);
  if (element.cleared) {
    return wrong(
        "Could not read index ", index,
        " twice because it was cleared after a previous read (perhaps try setting clear_after_read = false?).");
  }
  if (!element.value.valid()) {
    TINYTF_ASSIGN_OR_RETURN(element.value, zeros(ctx, element.shape));
  }
  element.read = true;
  if (!spec_.clear_after_read) return element.value;
  element.cleared = true;
  return std::exchange(element.value, Tensor());
}

/// Elements that are zeros share their memory, however many there are.
Result<Tensor> TensorArray::zeros(KernelContext& ctx, const Shape& shape) {
  if (zeros_.valid() && zeros_.shape() == shape) return zeros_;
  if (dtype_size(spec_.dtype) == 0 && shape.num_elements() != 0) {
    return invalid_argument("tensor_array::TensorSetZero type not supported: ", dtype_name(spec_.dtype));
  }
  TINYTF_ASSIGN_OR_RETURN(Tensor made, ctx.allocate(spec_.dtype, shape));
  if (made.num_elements() > 0) std::memset(made.raw(), 0, made.bytes());
  zeros_ = made;
  return made;
}

Status TensorArray::scatter(KernelContext& ctx, const Tensor& indices, const Tensor& value) {
  const int64_t count = indices.num_elements();
  std::lock_guard lock(mutex_);
  TINYTF_RETURN_IF_ERROR(check_open());
  int64_t last = -1;
  for (int64_t i = 0; i < count; ++i) last = std::max(last, indices.int_at(i));
  if (!spec_.dynamic_size && last >= size_) {
    return invalid_argument("Max scatter index must be < array size (", last, " vs. ", size_, ")");
  }
  for (int64_t i = 0; i < count; ++i) {
    TINYTF_ASSIGN_OR_RETURN(Tensor row, row_of(value, i));
    TINYTF_RETURN_IF_ERROR(write_element(ctx, indices.int_at(i), std::move(row)));
  }
  return Status();
}

Status TensorArray::unpack(KernelContext& ctx, const Tensor& value) {
  const int64_t count = value.dim(0);
  std::lock_guard lock(mutex_);
  TINYTF_RETURN_IF_ERROR(check_open());
  const int64_t size = spec_.dynamic_size ? std::max(size_, count) : size_;
  if (size != count) {
    return invalid_argument("Input value must have first dimension equal to the array size (", count, " vs. ", size,
                            ")");
  }
  split_ = count;
  for (int64_t i = 0; i < count; ++i) {
    TINYTF_ASSIGN_OR_RETURN(Tensor row, row_of(value, i));
    TINYTF_RETURN_IF_ERROR(write_element(ctx, i, std::move(row)));
  }
  return Status();
}

Status TensorArray::split(KernelContext& ctx, const Tensor& value, const Tensor& lengths) {
  const int64_t count = lengths.num_elements();
  std::vector<int64_t> ends;
  Size total = 0;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t length = lengths.int_at(i);
    if (length < 0) return invalid_argument("Expected lengths to be >= 0, but lengths[", i, "] is ", length);
    total += length;
    ends.push_back(total.value());
  }
  if (!total.within(value.dim(0), value.dim(0))) {
    return invalid_argument("Expected sum of lengths to be equal to values.shape[0], but sum of lengths is ",
                            to_string(total), " and value's shape is: ", value.shape().to_string());
  }
  std::lock_guard lock(mutex_);
  TINYTF_RETURN_IF_ERROR(check_open());
  const int64_t size = spec_.dynamic_size ? std::max(size_, count) : size_;
  if (size != count) {
    return invalid_argument("TensorArray's size is not equal to the size of lengths (", size, " vs. ", count,
                            "), and the TensorArray is not marked as dynamically resizeable");
  }
  split_ = count;
  int64_t begin = 0;
  for (int64_t i = 0; i < count; ++i) {
    TINYTF_ASSIGN_OR_RETURN(Tensor piece, value.rows(begin, ends[i]));
    begin = ends[i];
    TINYTF_RETURN_IF_ERROR(write_element(ctx, i, std::move(piece)));
  }
  return Status();
}

Status TensorArray::merge_element_shape(const PartialShape& shape) {
  std::lock_guard lock(mutex_);
  TINYTF_RETURN_IF_ERROR(check_open());
  TINYTF_ASSIGN_OR_RETURN(spec_.element_shape, merge_shapes(spec_.element_shape, shape));
  return Status();
}

Status TensorArray::read_many(KernelContext& ctx, const Tensor& indices, std::vector<Tensor>* values) {
  std::lock_guard lock(mutex_);
  TINYTF_RETURN_IF_ERROR(check_open());
  for (int64_t i = 0; i < indices.num_elements(); ++i) {
    TINYTF_ASSIGN_OR_RETURN(Tensor value, read_element(ctx, indices.int_at(i)));
    values->push_back(std::move(value));
  }
  return Status();
}

Status TensorArray::read_all(KernelContext& ctx, std::vector<Tensor>* values) {
  std::lock_guard lock(mutex_);
  TINYTF_RETURN_IF_ERROR(check_open());
  const int64_t count = is_gradient_ && split_ >= 0 ? split_ : size_;
  for (int64_t i = 0; i < count; ++i) {
    TINYTF_ASSIGN_OR_RETURN(Tensor value, read_element(ctx, i));
    values->push_back(std::move(value));
  }
  return Status();
}

void TensorArray::close() {
  ElementTable elements;  // dropped without the lock
  std::lock_guard lock(mutex_);
  closed_ = true;
  std::swap(elements, elements_);
  zeros_ = Tensor();
}

Result<RefPtr<TensorArray>> TensorArray::gradient(const std::string& source, const Shape& prefix) {
  std::lock_guard lock(mutex_);
  RefPtr<TensorArray>& made = gradients_[source];
  if (made) return made;
  if (Status open = check_open(); !open.ok()) {
    gradients_.erase(source);
    return open;
  }
  spec_.dynamic_size = false;
  Spec spec = spec_;
  spec.clear_after_read = true;
  spec.element_shape = PartialShape(prefix).concatenate(spec_.element_shape);
  made = make_ref<TensorArray>(str_cat(name_, "@", source), std::move(spec), size_);
  made->is_gradient_ = true;
  made->split_ = split_;
  elements_.for_each([&](int64_t i, const Element& element) {
    if (!element.written) return;
    Element& copy = made->elements_.at(i);
    copy.shape = joined(prefix, element.shape);
    copy.written = true;
  });
  return made;
}

}  // namespace tinytf::ops
