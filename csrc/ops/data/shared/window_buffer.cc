#include "ops/data/shared/window_buffer.h"

#include <algorithm>
#include <utility>

namespace tinytf::ops {

Result<Pulled> WindowBuffer::fill(PullContext& ctx, data::Iterator& input, bool keeps_errors) {
  while (!has_ended_ && (to_skip_ > 0 || !is_full())) {
    TINYTF_RETURN_IF_ERROR(ctx.check());
    Result<Pulled> pulled = input.next(ctx, element_);
    if (pulled.ok() ? pulled.value() == Pulled::kPending : !ctx.check().ok()) return pulled;
    has_ended_ = pulled.ok() && pulled.value() == Pulled::kEnd;
    if (has_ended_) break;
    if (to_skip_ > 0) {
      --to_skip_;
    } else if (pulled.ok()) {
      items_.push_back({std::move(element_), Status()});
    } else if (keeps_errors) {
      items_.push_back({{}, pulled.status()});
    } else {
      return pulled;
    }
  }
  return has_ended_ && !is_full() ? Pulled::kEnd : Pulled::kElement;
}

std::vector<WindowBuffer::Item> WindowBuffer::window() const {
  std::vector<Item> window;
  for (int64_t i = 0; i < size(); i += steps_.stride) {
    window.push_back(items_[static_cast<size_t>(i)]);
    if (steps_.stride >= size()) break;  // The sum would be beyond the buffer, or beyond int64.
  }
  return window;
}

void WindowBuffer::shift() {
  const int64_t dropped = std::min(steps_.shift, size());
  items_.erase(items_.begin(), items_.begin() + dropped);
  to_skip_ = steps_.shift - dropped;
}

Status WindowBuffer::save(StateWriter& state) const {
  state.put_int("has_ended", has_ended_);
  state.put_int("to_skip", to_skip_);
  state.put_int("items", size());
  for (size_t i = 0; i < items_.size(); ++i) {
    StateWriter item = state.inside(str_cat("item_", i));
    item.put_status("error", items_[i].error);
    TINYTF_RETURN_IF_ERROR(item.put_element("element", items_[i].element));
  }
  return Status();
}

Status WindowBuffer::restore(const StateReader& state, const ElementSpec& spec) {
  TINYTF_ASSIGN_OR_RETURN(const int64_t has_ended, state.get_int("has_ended", 0, 1));
  TINYTF_ASSIGN_OR_RETURN(to_skip_, state.get_int("to_skip", 0, steps_.shift));
  TINYTF_ASSIGN_OR_RETURN(const int64_t items, state.get_int("items", 0, span_));
  has_ended_ = has_ended != 0;
  items_.clear();
  for (int64_t i = 0; i < items; ++i) {  // Each takes stored values.
    const StateReader stored = state.inside(str_cat("item_", i));
    Item item;
    TINYTF_RETURN_IF_ERROR(stored.get_status("error", item.error));
    TINYTF_ASSIGN_OR_RETURN(item.element, stored.get_element("element", item.error.ok() ? spec : ElementSpec()));
    items_.push_back(std::move(item));
  }
  return Status();
}

}  // namespace tinytf::ops
