#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ops/data_flow/waiting_line.h"
#include "tensor/partial_shape.h"

namespace tinytf::ops {

/// Elements of a barrier that have all components, by their index and then by when the last component came.
struct WholeElement {
  std::string key;
  std::vector<Tensor> components;
};
using WholeElements = std::map<std::pair<int64_t, int64_t>, WholeElement>;

/// What is taken from a barrier: `count` elements, or as many as there are, one at least, once it is closed.
struct BarrierTake {
  KernelContext* ctx;
  AsyncKernel::Done done;
  int64_t count;
  bool allows_fewer;
  Status status{};
  std::vector<WholeElements::node_type> elements{};
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

  /// Row i of `values`, or a copy from the allocator where that is a part of more, becomes component `component` of the
  /// element of key i. All of it or, with an error, nothing:
  /// InvalidArgument for a key that has the component, Cancelled for new keys if the barrier is closed, for any if what
  /// was pending was cancelled.
  Status insert(Allocator& allocator, const Tensor& keys, int component, const Tensor& values);
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
  using Elements = std::map<std::string, Element>;
  /// What comes of the keys of an insertion, one after the other.
  struct Outcome {
    std::vector<bool> begins;  ///< a new element, by key
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

  // Under the mutex.
  Elements incomplete_;
  WholeElements ready_;
  int64_t next_index_ = INT64_MIN;
  int64_t arrivals_ = 0;
  bool closed_ = false;
  bool cancelled_pending_ = false;
};

}  // namespace tinytf::ops
