#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace tinytf {

/// A device name, possibly partial: a field that is not set matches every device.
struct DeviceName {
  std::optional<std::string> job;
  std::optional<int> replica;
  std::optional<int> task;
  std::optional<std::string> type;
  std::optional<int> id;

  /// Parses "/job:worker/replica:0/task:1/device:CPU:0" or some of its parts, in any order. "*" leaves a field open.
  /// "/cpu:0" and "/gpu:0" are accepted too; "" and "/" mean any device. Nullopt if the text is not a device name.
  static std::optional<DeviceName> parse(std::string_view text);
  /// The name of a device of this process.
  static DeviceName local(std::string type, int id);

  /// The canonical text; "" if no field is set. An id without a type is omitted, as in TensorFlow.
  std::string to_string() const;
  bool is_any() const { return !job && !replica && !task && !type && !id; }
  /// Whether every field that is set here has the same value in `device`.
  bool matches(const DeviceName& device) const;
  /// Whether all fields that are set in both names are equal.
  bool compatible(const DeviceName& other) const;
  /// Adds the fields of `other`. InvalidArgument if a field has another value here, except that with `softly` a
  /// conflicting type or id is cleared instead. On failure the fields merged so far stay merged.
  Status merge(const DeviceName& other, bool softly);
  /// Copies the fields that are set in `other`, replacing values here.
  void overwrite(const DeviceName& other);

  friend bool operator==(const DeviceName& a, const DeviceName& b);
};

}  // namespace tinytf
