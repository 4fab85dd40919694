#include "data/entry.h"

#include <utility>

namespace tinytf::data {

Status save_entries(StateWriter& state, const std::deque<Entry>& entries) {
  state.put_int("ready", static_cast<int64_t>(entries.size()));
  for (size_t i = 0; i < entries.size(); ++i) {
    state.put_status(str_cat("status_", i), entries[i].status);
    if (!entries[i].status.ok()) continue;
    TINYTF_RETURN_IF_ERROR(state.put_element(str_cat("element_", i), entries[i].element));
  }
  return Status();
}

Result<std::deque<Entry>> restore_entries(const StateReader& state, const ElementSpec& spec, int64_t most) {
  TINYTF_ASSIGN_OR_RETURN(const int64_t ready, state.get_int("ready", 0, most));
  std::deque<Entry> entries;
  for (int64_t i = 0; i < ready; ++i) {  // Ends at the first entry that the state lacks.
    Entry entry;
    TINYTF_RETURN_IF_ERROR(state.get_status(str_cat("status_", i), entry.status));
    if (entry.status.ok()) {
      TINYTF_ASSIGN_OR_RETURN(entry.element, state.get_element(str_cat("element_", i), spec));
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace tinytf::data
