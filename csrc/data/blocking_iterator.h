#pragma once

#include "data/dataset.h"

namespace tinytf::data {

/// An iterator that is pulled on the calling thread, which waits where the iterator is pending. For operations that
/// iterate over a whole dataset. Its tasks end with it. Used by one thread at a time.
class BlockingIterator {
 public:
  explicit BlockingIterator(const KernelServices& step);
  /// Waits until no task of the pipeline runs.
  ~BlockingIterator();
  BlockingIterator(const BlockingIterator&) = delete;
  BlockingIterator& operator=(const BlockingIterator&) = delete;

  /// Makes the iterator. Call it once.
  Status start(const Dataset& dataset);
  /// Sets `element` to the next element; false at the end. Cancelled if the step ends.
  Result<bool> next(Element& element);
  IteratorContext& context() { return ctx_; }

 private:
  class Wait;

  const RefPtr<PipelineTasks> tasks_;
  const RefPtr<Wait> wait_;
  PullContext ctx_;
  std::unique_ptr<Iterator> iterator_;
};

}  // namespace tinytf::data
