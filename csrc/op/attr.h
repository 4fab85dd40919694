#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/dtype.h"
#include "tensor/partial_shape.h"
#include "tensor/tensor.h"

namespace tinytf {

class AttrMap;

/// Value of an attr of kind `func`: a function's name and its own attrs.
struct FuncRef {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attrs;  // values as serialized AttrValue messages
};

enum class AttrKind : uint8_t { kString, kInt, kFloat, kBool, kType, kShape, kTensor, kFunc };

using AttrValue =
    std::variant<std::monostate, std::string, int64_t, float, bool, DType, PartialShape, Tensor, FuncRef,
                 std::vector<std::string>, std::vector<int64_t>, std::vector<float>, std::vector<bool>,
                 std::vector<DType>, std::vector<PartialShape>, std::vector<Tensor>, std::vector<FuncRef>>;

bool operator==(const FuncRef& a, const FuncRef& b);
/// Same kind and value; tensors compare by dtype, shape and bytes.
bool attr_equal(const AttrValue& a, const AttrValue& b);
/// The value as text for error messages: `true`, `"SAME"`, `DT_FLOAT`, `[1, 2]`.
std::string attr_to_string(const AttrValue& value);

/// A node's attrs in the order in which they were set. Lookup is a scan, because a node has few attrs.
class AttrMap {
 public:
  using Item = std::pair<std::string, AttrValue>;

  const AttrValue* find(std::string_view name) const {
    for (const Item& item : items_) {
      if (item.first == name) return &item.second;
    }
    return nullptr;
  }
  /// The value if the attr exists and has this type, else null.
  template <class T>
  const T* get(std::string_view name) const {
    const AttrValue* value = find(name);
    return value ? std::get_if<T>(value) : nullptr;
  }
  void set(std::string_view name, AttrValue value);
  void erase(std::string_view name);

  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  size_t size() const { return items_.size(); }

 private:
  std::vector<Item> items_;
};

}  // namespace tinytf
