#include "io/durable_scope.h"

#include <atomic>

#include "io/file_system.h"
#include "io/local_path.h"

namespace tinytf {

namespace {
std::atomic<int> scopes{0};
}

DurableScope::DurableScope() noexcept { ++scopes; }
DurableScope::~DurableScope() { --scopes; }
bool DurableScope::active() noexcept { return scopes.load() > 0; }

Status sync_folder_if_durable(const std::string& path) {
  if (!DurableScope::active()) return Status();
  const std::string folder(folder_of(path));
  return sync_folder(folder.empty() ? "." : folder);
}

}  // namespace tinytf
