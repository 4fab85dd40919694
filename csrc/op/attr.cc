#include "op/attr.h"

#include <cctype>
#include <cstring>

namespace tinytf {

namespace {

bool tensor_equal(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype() || a.shape() != b.shape()) return false;
  if (a.dtype() == DType::kString) {
    return std::equal(a.data<std::string>(), a.data<std::string>() + a.num_elements(), b.data<std::string>());
  }
  return a.bytes() == 0 || std::memcmp(a.raw(), b.raw(), a.bytes()) == 0;
}

std::string type_text(DType dtype) {
  std::string text = "DT_";
  for (char c : dtype_name(dtype)) text.push_back(static_cast<char>(std::toupper(c)));
  return text;
}

struct ToText {
  std::string operator()(std::monostate) const { return "<none>"; }
  std::string operator()(const std::string& v) const { return str_cat("\"", v, "\""); }
  std::string operator()(int64_t v) const { return str_cat(v); }
  std::string operator()(float v) const { return str_cat(v); }
  std::string operator()(bool v) const { return v ? "true" : "false"; }
  std::string operator()(DType v) const { return type_text(v); }
  std::string operator()(const PartialShape& v) const { return v.to_string(); }
  std::string operator()(const Tensor& v) const { return v.summary(); }
  std::string operator()(const FuncRef& v) const { return v.name; }
  template <class T>
  std::string operator()(const std::vector<T>& v) const {
    return str_cat("[", str_join(v, ", ", [this](const T& item) { return (*this)(item); }), "]");
  }
};

}  // namespace

bool operator==(const FuncRef& a, const FuncRef& b) { return a.name == b.name && a.attrs == b.attrs; }

bool attr_equal(const AttrValue& a, const AttrValue& b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      [&b](const auto& left) {
        using T = std::decay_t<decltype(left)>;
        const T& right = std::get<T>(b);
        if constexpr (std::is_same_v<T, Tensor>) {
          return tensor_equal(left, right);
        } else if constexpr (std::is_same_v<T, std::vector<Tensor>>) {
          return std::equal(left.begin(), left.end(), right.begin(), right.end(), tensor_equal);
        } else {
          return left == right;
        }
      },
      a);
}

std::string attr_to_string(const AttrValue& value) { return std::visit(ToText{}, value); }

void AttrMap::set(std::string_view name, AttrValue value) {
  for (Item& item : items_) {
    if (item.first == name) {
      item.second = std::move(value);
      return;
    }
  }
  items_.emplace_back(std::string(name), std::move(value));
}

void AttrMap::erase(std::string_view name) {
  for (auto it = items_.begin(); it != items_.end(); ++it) {
    if (it->first == name) {
      items_.erase(it);
      return;
    }
  }
}

}  // namespace tinytf
