#include <algorithm>

#include "op/registration.h"
#include "ops/data_flow/shared/element_ring.h"
#include "ops/data_flow/shared/queue_kernel.h"

namespace tinytf::ops {

namespace {

/// A queue that dequeues the element with the smallest priority, its first component, first. It is a heap of indices
/// into a pool of elements.
class PriorityQueue final : public Queue {
 public:
  static constexpr const char* kKind = "PriorityQueue";
  struct Spec : QueueSpec {
    explicit Spec(KernelInit& init) : QueueSpec(init) {
      dtypes.insert(dtypes.begin(), DType::kInt64);
      shapes.insert(shapes.begin(), PartialShape::scalar());
      check_counts(init);
    }
  };

  PriorityQueue(std::string name, const Spec& spec) : Queue(kKind, std::move(name), spec) {}

 private:
  struct Entry {
    int64_t priority;
    int64_t row;
    /// Reversed, because heaps of the standard library have the largest element on top.
    bool operator<(const Entry& other) const { return priority > other.priority; }
  };

  int64_t stored() const override { return static_cast<int64_t>(heap_.size()); }

  bool takes_whole_batches() const override { return true; }

  void reserve(int64_t elements) override {
    const size_t components = static_cast<size_t>(num_components()), rows = pool_.size() / components;
    if (static_cast<size_t>(elements) <= rows) return;
    const size_t wanted = std::max({size_t{8}, 2 * rows, static_cast<size_t>(elements)});
    heap_.reserve(wanted);
    free_.reserve(wanted);
    pool_.resize(wanted * components);
    for (size_t row = wanted; row > rows; --row) free_.push_back(static_cast<int64_t>((row - 1) * components));
  }

  void push(Source element) override {
    const int64_t row = free_.back();
    fill_element(&pool_[row], num_components(), element);
    free_.pop_back();
    heap_.push_back({*pool_[row].data<int64_t>(), row});
    std::push_heap(heap_.begin(), heap_.end());
  }

  void put_back(Source element) override { push(element); }

  void pop(Sink element) override {
    std::pop_heap(heap_.begin(), heap_.end());
    const int64_t row = heap_.back().row;
    heap_.pop_back();
    free_.push_back(row);
    for (int i = 0; i < num_components(); ++i) element(i, std::move(pool_[row + i]));
  }

  std::vector<Entry> heap_;
  std::vector<Tensor> pool_;   // components of all elements, one element after the other
  std::vector<int64_t> free_;  // free places in the pool
};

/// Shape function: the handle of a queue whose elements begin with a priority.
Status priority_queue_handle_shape(ShapeContext& c) {
  std::vector<PartialShape> shapes = declared_shapes(c);
  shapes.insert(shapes.begin(), PartialShape::scalar());
  return handle_of_elements(c, shapes);
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_flow_priority_queue) {
  using namespace tinytf::ops;
  for (const bool is_early : {false, true}) {
    const char* name = is_early ? "PriorityQueue" : "PriorityQueueV2";
    ops.op(name)
        .output(is_early ? "handle: Ref(string)" : "handle: resource")
        .attr("component_types: list(type) >= 0 = []")
        .attr("shapes: list(shape) >= 0")
        .attr("capacity: int = -1")
        .attr("container: string = ''")
        .attr("shared_name: string = ''")
        .stateful()
        .shape(is_early ? text_handle_shape : priority_queue_handle_shape)
        .no_gradient()
        .doc(
            "Returns a handle to a queue that dequeues the element with the smallest priority first. The priority is "
            "an int64 scalar, which precedes the components described by `component_types` and `shapes`. A negative "
            "`capacity` means no limit.");
    kernels.add<QueueHandleKernel<PriorityQueue>>(name);
  }
}
