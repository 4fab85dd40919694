#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <memory>

#include "base/mpsc_queue.h"
#include "python/eager_sites.h"

namespace tinytf::python {

/// What a report says of an export.
struct ExportInfo {
  enum class Kind : uint8_t { kArray, kBuffer, kDlpack };
  Kind kind;
  DType dtype;
  Shape shape;
  int64_t bytes;
  std::shared_ptr<const Site> site;  ///< of what made the value; null if nobody noted it
};

/// Memory of a value that somebody outside holds: counted by the core and listed until it ends. May outlive its tensor
/// and its session. Made with the GIL held.
class Export {
 public:
  Export(ExportInfo::Kind kind, const Tensor& value, const TensorHandle& handle);
  Export(const Export&) = delete;
  Export& operator=(const Export&) = delete;

  /// Ends it, with the GIL held.
  void release() noexcept { delete this; }
  /// Ends it, with the GIL or without: then the object itself goes with the next that is made, the memory now.
  void release_anywhere() noexcept;

  Export* queue_next = nullptr;  ///< the queue's, once it is released

 protected:
  virtual ~Export();
  const Dims& dims() const { return info_.shape.dims(); }
  /// For each dimension, how far it is to the next element where one element is `step` long.
  Dims strides(int64_t step) const;

 private:
  friend class ExportList;
  const ExportInfo info_;
  RefPtr<Buffer> buffer_;
  const RefPtr<SessionCore> core_;
  std::atomic<bool> over_{false};
  Export* newer_ = nullptr;  // guarded by the GIL, as the next
  Export* older_ = nullptr;
};

/// An export, to be released when the owner goes.
struct ReleaseExport {
  void operator()(Export* kept) const { kept->release(); }
};
template <class E = Export>
using ExportPtr = std::unique_ptr<E, ReleaseExport>;

/// (kind, shape, dtype number, bytes, op, site) of each export of the core's values that somebody holds, newest first;
/// op and site '' if not known.
pybind11::list live_exports(const SessionCore& core);

}  // namespace tinytf::python
