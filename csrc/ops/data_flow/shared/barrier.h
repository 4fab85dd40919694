#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "op/async_kernel.h"
#include "ops/data_flow/shared/waiting_line.h"
#include "tensor/partial_shape.h"

namespace tinytf::ops {

/// Complete elements of a barrier, ordered by their index and then by the arrival of their last component.
struct WholeElement {
  std::string key;
  std::vector<Tensor> components;
};
using WholeElements = std::map<std::pair<int64_t, int64_t>, WholeElement>;

/// A request to take `count` elements from a barrier. With `allows_fewer`, a closed barrier yields the elements that it
/// has, at least one.
struct BarrierTake {
  KernelContext* ctx;
  AsyncKernel::Done done;
  int64_t count;
  bool allows_fewer;
  Status status{};
  std::vector<WholeElements::node_type> elements{};
};

/// A barrier: elements with keys, whose components are inserted one by one and which are taken when all components are
/// there. Elements are taken in the order in which their first components were inserted. Takes wait in order until
/// enough elements are ready; no other operation waits.
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

  /// Inserts row i of `values` as component `component` of the element with key i; a row that is only a part of
  /// `values` is copied with `allocator`. On error nothing is inserted: InvalidArgument for a key that already has the
  /// component, Cancelled for a new key if the barrier is closed, and for every key if pending elements were cancelled.
  Status insert(Allocator& allocator, const Tensor& keys, int component, const Tensor& values);
  /// Fails with OutOfRange if the barrier is closed and will never have enough elements.
  void take(BarrierTake use);
  /// Refuses new keys from now on. With `cancel_pending`, also drops the incomplete elements and refuses further
  /// components. Cancelled if the barrier is already closed, unless this call is the first that cancels.
  Status close(bool cancel_pending);

  int64_t ready() const;
  int64_t incomplete() const;
  std::string debug_string() const override { return "A barrier"; }

 private:
  /// An element with missing components.
  struct Element {
    int64_t index;
    int missing;
    std::vector<Tensor> components;
  };
  using Elements = std::map<std::string, Element>;
  /// The effects of an insertion, determined before anything changes.
  struct Outcome {
    std::vector<bool> begins;  ///< whether each key begins a new element
    size_t completed = 0;
  };

  Result<Outcome> check_insert(const Tensor& keys, int component) const;
  Status insert_rows(const Tensor& keys, int component, std::vector<Tensor> rows);
  Status arrive(BarrierTake& use) override;
  bool serve(BarrierTake& use) override;
  uint32_t turn(const BarrierTake& use) const override { return use.count > 0 ? 1 : 0; }
  Status hand_out(BarrierTake& use) override;
  void take_back(BarrierTake& use) noexcept override;

  const std::string name_;
  const std::vector<DType> dtypes_;
  const std::vector<Shape> shapes_;

  // Guarded by the mutex.
  Elements incomplete_;
  WholeElements ready_;
  int64_t next_index_ = INT64_MIN;
  int64_t arrivals_ = 0;
  bool closed_ = false;
  bool cancelled_pending_ = false;
};

}  // namespace tinytf::ops
