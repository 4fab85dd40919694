#pragma once

#include <map>
#include <string>
#include <string_view>

#include "data/element.h"

namespace tinytf {
struct KernelServices;
}

namespace tinytf::data {

/// The stored position of an iterator: tensors by key. Keys are paths: "input/next".
using IteratorState = std::map<std::string, Tensor>;

/// Writes the part of a state that belongs to one stage. Not thread-safe.
class StateWriter {
 public:
  explicit StateWriter(IteratorState& state, std::string path = "") : state_(state), path_(std::move(path)) {}

  /// The part of a stage inside this one. `name` is unique in this part.
  StateWriter inside(std::string_view name) const { return StateWriter(state_, str_cat(path_, name, "/")); }
  void put(std::string_view key, Tensor value) { state_[str_cat(path_, key)] = std::move(value); }
  void put_int(std::string_view key, int64_t value) { put(key, Tensor::scalar(value)); }
  void put_text(std::string_view key, std::string value) { put(key, Tensor::scalar(std::move(value))); }
  /// Writes an error that waits for its consumer, or that there is none: its class and text.
  void put_status(std::string_view key, const Status& status);
  /// Writes the number of components and the components. Elements with resources, and with variants that have no stored
  /// form, cannot be stored: Unimplemented.
  Status put_element(std::string_view key, const Element& element);

 private:
  IteratorState& state_;
  const std::string path_;
};

/// Reads the part of a state that belongs to one stage. All values are hostile. Not thread-safe.
class StateReader {
 public:
  /// Without `step`, stored datasets cannot be made.
  explicit StateReader(const IteratorState& state, const KernelServices* step = nullptr, std::string path = "")
      : state_(state), step_(step), path_(std::move(path)) {}

  StateReader inside(std::string_view name) const { return StateReader(state_, step_, str_cat(path_, name, "/")); }
  bool has(std::string_view key) const { return state_.count(str_cat(path_, key)) == 1; }
  /// DataLoss if there is no such value, or if it is no scalar of the dtype.
  Result<Tensor> get(std::string_view key) const;
  Result<int64_t> get_int(std::string_view key) const;
  /// DataLoss also outside of [least, most].
  Result<int64_t> get_int(std::string_view key, int64_t least, int64_t most) const;
  Result<std::string> get_text(std::string_view key) const;
  /// Sets `status` to what put_status wrote. DataLoss if there is none.
  Status get_status(std::string_view key, Status& status) const;
  /// DataLoss if the stored components do not match the spec.
  Result<Element> get_element(std::string_view key, const ElementSpec& spec) const;

  /// All values of this part, by the rest of their keys.
  IteratorState values() const;
  const KernelServices* step() const { return step_; }
  Status damaged(std::string_view key, std::string_view what) const;

 private:
  const IteratorState& state_;
  const KernelServices* const step_;
  const std::string path_;
};

}  // namespace tinytf::data
