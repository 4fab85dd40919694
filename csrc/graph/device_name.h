#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace tinytf {

/// A device, or what is known of one: fields that are not set fit any device.
struct DeviceName {
  std::optional<std::string> job;
  std::optional<int> replica;
  std::optional<int> task;
  std::optional<std::string> type;
  std::optional<int> id;

  /// Reads "/job:worker/replica:0/task:1/device:CPU:0" and parts of it in any order, "*" for a field that is left open,
  /// "/cpu:0" and "/gpu:0" too; "" and "/" are any device. Nothing if the text is no device name.
  static std::optional<DeviceName> parse(std::string_view text);
  /// The name of one of the process's own devices.
  static DeviceName local(std::string type, int id);

  /// The canonical text; "" if nothing is known. An id without a type is not shown, as in TensorFlow.
  std::string to_string() const;
  bool is_any() const { return !job && !replica && !task && !type && !id; }
  /// Whether every field that is set here has the same value there.
  bool matches(const DeviceName& device) const;
  /// Whether no field that is set in both differs.
  bool compatible(const DeviceName& other) const;
  /// Takes over the fields that `other` has. InvalidArgument if one has another value here already; but with
  /// `softly`, types or ids that differ are left open instead. What was taken over before a failure stays.
  Status merge(const DeviceName& other, bool softly);
  /// Takes over the fields that `other` has, whatever was here.
  void overwrite(const DeviceName& other);

  friend bool operator==(const DeviceName& a, const DeviceName& b);
};

}  // namespace tinytf
