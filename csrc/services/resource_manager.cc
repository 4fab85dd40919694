#include "services/resource_manager.h"

namespace tinytf {

Result<RefPtr<Resource>> ResourceManager::find(const std::string& container, const std::string& type,
                                               const std::string& name) const {
  std::lock_guard lock(mutex_);
  auto box = containers_.find(container);
  if (box == containers_.end()) {
    return not_found("Container ", container, " does not exist. (Could not find resource: ", container, "/", name, ")");
  }
  auto item = box->second.find({type, name});
  if (item == box->second.end()) return not_found("Resource ", container, "/", name, "/", type, " does not exist.");
  return item->second;
}

Status ResourceManager::remove(const std::string& container, const std::string& type, const std::string& name) {
  RefPtr<Resource> doomed;  // released after the lock: its destructor may be slow
  std::lock_guard lock(mutex_);
  auto box = containers_.find(container);
  if (box == containers_.end()) return not_found("Container ", container, " does not exist.");
  auto item = box->second.find({type, name});
  if (item == box->second.end()) return not_found("Resource ", container, "/", name, "/", type, " does not exist.");
  doomed = std::move(item->second);
  box->second.erase(item);
  return Status();
}

void ResourceManager::clear_container(const std::string& container) {
  Container doomed;
  {
    std::lock_guard lock(mutex_);
    auto box = containers_.find(container);
    if (box == containers_.end()) return;
    doomed = std::move(box->second);
    containers_.erase(box);
  }
  stop(doomed);
}

void ResourceManager::stop(const Container& resources) {
  for (const auto& [name, resource] : resources) resource->stop();
}

void ResourceManager::stop_all() {
  std::map<std::string, Container> all;  // Without the lock, because a stop may wait for tasks that use the manager.
  {
    std::lock_guard lock(mutex_);
    all = containers_;
  }
  for (const auto& [name, container] : all) stop(container);
}

void ResourceManager::clear() {
  std::map<std::string, Container> doomed;
  std::lock_guard lock(mutex_);
  doomed.swap(containers_);
}

}  // namespace tinytf
