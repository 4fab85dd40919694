#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "ops/data_flow/waiting_line.h"
#include "tensor/partial_shape.h"

namespace tinytf::ops {

/// What is taken from a barrier: `count` elements, or as many as there are, one at least, once nothing more comes.
struct BarrierTake {
  KernelContext* ctx;
  AsyncKernel::Done done;
  int64_t count;
  bool allows_fewer;
  Status status{};
  std::vector<int64_t> indices{};
  std::vector<std::string> keys{};
  std::vector<Tensor> values{};  ///< components of elements, one element after the other
};

/// Elements under keys, whose components come one by one; an element is taken when all are there. Elements come out in
/// the order in which the first of their components came in. Who takes waits, in turn, until as many are ready as are
/// wanted; nobody else does.
///
/// Thread-safe.
class Barrier final : public WaitingLine<BarrierTake> {
 public:
  static constexpr const char* kRegistryType = "N10tensorflow7barrier7BarrierE";
  static constexpr const char* kTypeName = kRegistryType;
  static constexpr const char* kNoun = "barrier";

  Barrier(std::string name, std::vector<DType> dtypes, std::vector<Shape> shapes)
      : WaitingLine("Dequeue operation was cancelled"),
        name_(std::move(name)),
        dtypes_(std::move(dtypes)),
        shapes_(std::move(shapes)) {}

  const std::string& name() const { return name_; }
  const std::vector<DType>& dtypes() const { return dtypes_; }
  const std::vector<Shape>& shapes() const { return shapes_; }

  /// Row i of `values` becomes component `component` of the element of key i. All of it or, with an error, nothing:
  /// InvalidArgument for a key that has the component, Cancelled for new keys if the barrier is closed, for any if what
  /// was pending was cancelled.
  Status insert(const Tensor& keys, int component, const Tensor& values);
  /// OutOfRange if it is closed and there will never be enough.
  void take(BarrierTake use);
  /// No more keys; nor components of elements that have begun, which are dropped, if `cancel_pending`. Cancelled if it
  /// is closed already, unless by this it is cancelled first.
  Status close(bool cancel_pending);

  int64_t ready() const;
  int64_t incomplete() const;
  std::string debug_string() const override { return "A barrier"; }

 private:
  /// An element that lacks components.
  struct Element {
    int64_t index;
    int missing;
    std::vector<Tensor> components;
  };
  struct Ready {
    int64_t index;
    int64_t arrival;
    std::string key;
    std::vector<Tensor> components;
    /// The standard's heaps have the greatest on top.
    bool operator<(const Ready& other) const {
      return index != other.index ? index > other.index : arrival > other.arrival;
    }
  };

  Status check_insert(const Tensor& keys, int component) const;
  void add(const std::string& key, int component, Tensor value);
  Status arrive(BarrierTake& use) override;
  bool serve(BarrierTake& use) override;
  uint32_t turn(const BarrierTake& use) const override { return use.count > 0 ? 1 : 0; }
  Status hand_out(BarrierTake& use) override;

  const std::string name_;
  const std::vector<DType> dtypes_;
  const std::vector<Shape> shapes_;

  // Under the mutex.
  std::unordered_map<std::string, Element> incomplete_;
  std::vector<Ready> ready_;  // a heap
  int64_t next_index_ = INT64_MIN;
  int64_t arrivals_ = 0;
  bool closed_ = false;
  bool cancelled_pending_ = false;
};

}  // namespace tinytf::ops
