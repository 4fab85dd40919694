#pragma once

#include <string>
#include <utility>

#include "ops/data_flow/shared/element_ring.h"
#include "ops/data_flow/shared/queue.h"

namespace tinytf::ops {

/// A queue whose elements are taken in the order in which they were enqueued.
class FifoQueue : public Queue {
 protected:
  using Queue::Queue;

 private:
  int64_t stored() const final { return ring_.size(); }
  void reserve(int64_t elements) final { ring_.reserve(elements); }
  void push(Source element) final { ring_.push_back(element); }
  void put_back(Source element) final { ring_.push_front(element); }
  void pop(Sink element) final {
    Tensor* components = ring_.at(0);
    for (int i = 0; i < num_components(); ++i) element(i, std::move(components[i]));
    ring_.pop_front();
  }

  ElementRing ring_{num_components()};
};

}  // namespace tinytf::ops
