#pragma once

#include <string>

#include "base/status.h"

namespace tinytf {

/// While one lives, a file that the engine writes under another name first is on the disk before it takes its own, and
/// a checkpoint's folder is before its index leads to the files. Holds for the whole process: saves run on any thread,
/// and those of others only take longer. Thread-safe.
class DurableScope {
 public:
  DurableScope() noexcept;
  ~DurableScope();
  DurableScope(const DurableScope&) = delete;
  DurableScope& operator=(const DurableScope&) = delete;

  static bool active() noexcept;
};

/// sync_folder of the folder that has that file, if a DurableScope lives.
Status sync_folder_if_durable(const std::string& path);

}  // namespace tinytf
