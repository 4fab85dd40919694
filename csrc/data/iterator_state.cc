#include "data/iterator_state.h"

#include <limits>

namespace tinytf::data {

void StateWriter::put_status(std::string_view key, const Status& status) {
  put_int(str_cat(key, ".code"), static_cast<int64_t>(status.code()));
  if (!status.ok()) put_text(str_cat(key, ".message"), status.message());
}

Status StateReader::get_status(std::string_view key, Status& status) const {
  constexpr auto kLastCode = static_cast<int64_t>(Code::kUnauthenticated);
  TINYTF_ASSIGN_OR_RETURN(const int64_t code, get_int(str_cat(key, ".code"), 0, kLastCode));
  status = Status();
  if (code == 0) return Status();
  TINYTF_ASSIGN_OR_RETURN(std::string message, get_text(str_cat(key, ".message")));
  status = Status(static_cast<Code>(code), std::move(message));
  return Status();
}

IteratorState StateReader::values() const {
  IteratorState values;
  for (auto at = state_.lower_bound(path_); at != state_.end() && at->first.compare(0, path_.size(), path_) == 0;
       ++at) {
    values.emplace_hint(values.end(), at->first.substr(path_.size()), at->second);
  }
  return values;
}

Status StateReader::damaged(std::string_view key, std::string_view what) const {
  return Status(Code::kDataLoss, str_cat("The saved position of the iterator ", what, " '", path_, key, "'"));
}

Result<Tensor> StateReader::get(std::string_view key) const {
  const auto found = state_.find(str_cat(path_, key));
  if (found == state_.end()) return damaged(key, "lacks");
  return found->second;
}

Result<int64_t> StateReader::get_int(std::string_view key) const {
  return get_int(key, std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max());
}

Result<int64_t> StateReader::get_int(std::string_view key, int64_t least, int64_t most) const {
  TINYTF_ASSIGN_OR_RETURN(const Tensor value, get(key));
  if (value.dtype() != DType::kInt64 || value.rank() != 0) return damaged(key, "has no integer in");
  const int64_t number = value.int_at(0);
  if (number < least || number > most) return damaged(key, "has a number out of range in");
  return number;
}

Result<std::string> StateReader::get_text(std::string_view key) const {
  TINYTF_ASSIGN_OR_RETURN(const Tensor value, get(key));
  if (value.dtype() != DType::kString || value.rank() != 0) return damaged(key, "has no text in");
  return *value.data<std::string>();
}

}  // namespace tinytf::data
