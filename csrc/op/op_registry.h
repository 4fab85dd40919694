#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "op/op_def.h"

namespace tinytf {

/// All declared ops. Filled at the first use from the files under ops/; read-only and thread-safe afterwards.
class OpRegistry {
 public:
  static const OpRegistry& global();

  /// Null if there is no such op, or if it is internal.
  const OpDef* find(std::string_view name) const;
  /// As find, for passes: also finds internal ops.
  const OpDef* find_for_pass(std::string_view name) const;
  /// Includes internal ops.
  const std::deque<OpDef>& all() const { return defs_; }

  /// Sets the family of the ops that are declared from now on. The name must live as long as the process.
  void begin_family(std::string_view name) { family_ = name; }
  /// Declares an op; its name must be new.
  OpDefBuilder op(std::string_view name);

 private:
  std::deque<OpDef> defs_;
  std::unordered_map<std::string_view, const OpDef*> by_name_;
  std::string_view family_;
};

}  // namespace tinytf
