#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tensor/tensor.h"

namespace tinytf {

/// What a variant is stored as: metadata in a form of its type, and tensors.
struct VariantParts {
  std::string metadata;
  std::vector<Tensor> tensors;
};

/// How the values of one type of variants are stored. Thread-safe.
struct VariantForm {
  /// The parts of a value, which is of the type.
  std::function<VariantParts(const VariantValue&)> parts;
  /// Makes a value. The parts may be hostile: DataLoss for parts that no value has. Takes no more memory than the parts
  /// can stand for.
  std::function<Result<Variant>(VariantParts)> value;
};

/// The forms of all types of variants that can be stored, by type name. Filled together with the OpRegistry by the
/// files that declare ops of such variants; read-only and thread-safe afterwards.
class VariantForms {
 public:
  static const VariantForms& global();

  /// `type_name` must be new.
  void add(std::string_view type_name, VariantForm form);
  /// Null if there is none.
  const VariantForm* find(std::string_view type_name) const;

 private:
  std::map<std::string, VariantForm, std::less<>> forms_;
};

/// The error for parts that no value has.
Status damaged_variant();

}  // namespace tinytf
