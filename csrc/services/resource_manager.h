#pragma once

#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "base/status.h"
#include "tensor/resource_handle.h"

namespace tinytf {

/// Named resources of one session, grouped in containers. Thread-safe. Holds a reference to each resource until it is
/// removed, its container is cleared, or the manager is destroyed.
class ResourceManager {
 public:
  static constexpr const char* kDefaultContainer = "localhost";

  /// Returns the resource, or NotFound with TensorFlow's message.
  Result<RefPtr<Resource>> find(const std::string& container, const std::string& type, const std::string& name) const;
  /// Returns the resource of that name. If there is none, it is made by `create`, which is called under the lock.
  template <class Create>
  Result<RefPtr<Resource>> find_or_create(const std::string& container, const std::string& type,
                                          const std::string& name, Create create) {
    std::lock_guard lock(mutex_);
    Container& box = containers_[container];
    auto found = box.find({type, name});
    if (found != box.end()) return found->second;
    TINYTF_ASSIGN_OR_RETURN(RefPtr<Resource> made, create());
    return box.emplace(std::make_pair(type, name), std::move(made)).first->second;
  }
  /// Removes one resource; NotFound if it does not exist.
  Status remove(const std::string& container, const std::string& type, const std::string& name);
  /// Stops the resources of a container (Resource::stop) and removes them.
  void clear_container(const std::string& container);
  /// Stops all resources.
  void stop_all();
  /// Removes all resources, without stopping them.
  void clear();

 private:
  using Container = std::map<std::pair<std::string, std::string>, RefPtr<Resource>>;
  static void stop(const Container& resources);
  mutable std::mutex mutex_;
  std::map<std::string, Container> containers_;
};

}  // namespace tinytf
