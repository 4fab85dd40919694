#include "data/element.h"

namespace tinytf::data {

namespace {

Status check_count(size_t expected, size_t actual, const char* noun) {
  if (expected == actual) return Status();
  return invalid_argument("Number of components does not match: expected ", expected, " ", noun, " but got ", actual,
                          ".");
}

Status check_type(size_t i, DType expected, DType actual) {
  if (expected == actual) return Status();
  return invalid_argument("Data type mismatch at component ", i, ": expected ", dtype_name(expected), " but got ",
                          dtype_name(actual), ".");
}

Status incompatible(size_t i, const PartialShape& expected, const std::string& actual) {
  return invalid_argument("Incompatible shapes at component ", i, ": expected ", expected.to_string(), " but got ",
                          actual, ".");
}

}  // namespace

Status check_compatible(const ElementSpec& expected, const ElementSpec& actual) {
  TINYTF_RETURN_IF_ERROR(check_count(expected.types.size(), actual.types.size(), "types"));
  for (size_t i = 0; i < expected.types.size(); ++i) {
    TINYTF_RETURN_IF_ERROR(check_type(i, expected.types[i], actual.types[i]));
  }
  TINYTF_RETURN_IF_ERROR(check_count(expected.shapes.size(), actual.shapes.size(), "shapes"));
  for (size_t i = 0; i < expected.shapes.size(); ++i) {
    if (!expected.shapes[i].compatible_with(actual.shapes[i])) {
      return incompatible(i, expected.shapes[i], actual.shapes[i].to_string());
    }
  }
  return Status();
}

Status check_element(const ElementSpec& expected, const Element& element) {
  TINYTF_RETURN_IF_ERROR(check_count(expected.types.size(), element.size(), "types"));
  for (size_t i = 0; i < element.size(); ++i) {
    TINYTF_RETURN_IF_ERROR(check_type(i, expected.types[i], element[i].dtype()));
    if (!expected.shapes[i].compatible_with(element[i].shape())) {
      return incompatible(i, expected.shapes[i], element[i].shape().to_string());
    }
  }
  return Status();
}

int64_t bytes_of(const Element& element) {
  int64_t sum = 0;
  for (const Tensor& tensor : element) sum += static_cast<int64_t>(tensor.bytes());
  return sum;
}

}  // namespace tinytf::data
