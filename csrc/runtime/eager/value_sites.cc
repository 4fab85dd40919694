#include "runtime/eager/value_sites.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tinytf {

namespace {

/// By the handle's address. An entry applies only to a handle of the same core, since addresses are reused.
struct Noted {
  const SessionCore* core;
  std::shared_ptr<const Site> site;
};

struct Sites {
  std::mutex mutex;
  std::atomic<bool> any{false};
  std::unordered_map<const TensorHandle*, Noted> by_handle;
};

Sites& all = *new Sites;  // Never destroyed: used during process exit too.

}  // namespace

void note_site(const TensorHandle& handle, Site site) {
  const Noted noted{&handle.core(), std::make_shared<const Site>(std::move(site))};
  std::lock_guard lock(all.mutex);
  all.by_handle.insert_or_assign(&handle, noted);
  all.any = true;
}

std::shared_ptr<const Site> site_of(const TensorHandle& handle) {
  if (!all.any.load(std::memory_order_relaxed)) return nullptr;
  std::lock_guard lock(all.mutex);
  const auto found = all.by_handle.find(&handle);
  return found != all.by_handle.end() && found->second.core == &handle.core() ? found->second.site : nullptr;
}

void forget_sites(const SessionCore& core) {
  std::lock_guard lock(all.mutex);
  for (auto it = all.by_handle.begin(); it != all.by_handle.end();) {
    it = it->second.core == &core ? all.by_handle.erase(it) : ++it;
  }
}

Tensor value_now(const TensorHandle& handle) {
  if (!handle.live()) return Tensor();
  return handle.ready() && handle.wait().ok() ? handle.tensor() : Tensor();
}

std::string largest_holders(SessionCore& core) {
  constexpr size_t kShown = 5;
  std::map<std::string, int64_t> bytes;
  core.for_each_live([&](TensorHandle& handle) {
    const Tensor value = value_now(handle);
    const auto site = site_of(handle);
    std::string what;
    if (site != nullptr) {
      what = str_cat(site->op, " at ", site->place);
    } else if (value.valid()) {
      what = str_cat(dtype_name(handle.dtype()), " ", value.shape().to_string());
    }
    bytes[what] += value.valid() ? static_cast<int64_t>(value.bytes()) : 0;
  });
  std::vector<std::pair<int64_t, std::string>> largest;
  for (const auto& [what, size] : bytes) largest.emplace_back(size, what);
  std::sort(largest.rbegin(), largest.rend());
  if (largest.size() > kShown) largest.resize(kShown);
  return str_join(largest, "; ", [](const auto& entry) { return str_cat(entry.first, " bytes in ", entry.second); });
}

}  // namespace tinytf
