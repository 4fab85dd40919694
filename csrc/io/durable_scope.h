#pragma once

#include <string>

#include "base/status.h"

namespace tinytf {

/// While one lives, a file that the engine first writes under a temporary name is synced to disk before it takes its
/// own, and a checkpoint's folder is synced before its index refers to the files. Applies to the whole process, since
/// saves run on any thread; unrelated saves only take longer. Thread-safe.
class DurableScope {
 public:
  DurableScope() noexcept;
  ~DurableScope();
  DurableScope(const DurableScope&) = delete;
  DurableScope& operator=(const DurableScope&) = delete;

  static bool active() noexcept;
};

/// Syncs the folder of that file (see sync_folder) if a DurableScope lives.
Status sync_folder_if_durable(const std::string& path);

}  // namespace tinytf
