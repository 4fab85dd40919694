#pragma once

#include <cstdint>
#include <deque>

#include "ops/data/shared/unary_stage.h"

namespace tinytf::ops {

/// The windows of a sequence: each has `size` elements that are `stride` apart, and begins `shift` after the one
/// before.
struct WindowSteps {
  int64_t size = 1;
  int64_t shift = 1;
  int64_t stride = 1;

  /// The elements from the first to the last one of a window; without those of other windows in between, if int64 is
  /// exceeded, the largest int64.
  int64_t span() const {
    const Size span = (Size(size) - 1) * stride + 1;
    return span.ok() ? span.value() : INT64_MAX;
  }
};

/// The elements of the window that comes next. Not thread-safe.
class WindowBuffer {
 public:
  /// An element, or the error in its place.
  struct Item {
    Element element;
    Status error;
  };

  explicit WindowBuffer(WindowSteps steps) : steps_(steps), span_(steps.span()) {}

  bool is_full() const { return size() == span_; }
  int64_t size() const { return static_cast<int64_t>(items_.size()); }
  /// Pulls until the buffer is full or the input ends. With `keeps_errors`, an error takes the place of an element.
  Result<Pulled> fill(PullContext& ctx, data::Iterator& input, bool keeps_errors);
  /// The items of the window, fewer at the end of the input.
  std::vector<Item> window() const;
  /// Goes to the next window.
  void shift();

  Status save(StateWriter& state) const;
  Status restore(const StateReader& state, const ElementSpec& spec);

 private:
  const WindowSteps steps_;
  const int64_t span_;
  std::deque<Item> items_;
  int64_t to_skip_ = 0;  // Elements between windows that are still to be pulled. Their errors are ignored.
  bool has_ended_ = false;
  Element element_;  // Its memory is kept between elements.
};

}  // namespace tinytf::ops
