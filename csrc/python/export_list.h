#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <memory>

#include "base/mpsc_queue.h"
#include "python/eager_sites.h"

namespace tinytf::python {

/// Description of an export for reports.
struct ExportInfo {
  enum class Kind : uint8_t { kArray, kBuffer, kDlpack };
  Kind kind;
  DType dtype;
  Shape shape;
  int64_t bytes;
  std::shared_ptr<const Site> site;  ///< Site of the operation that made the value; null if not recorded.
};

/// A value's memory that is held outside the engine: counted by the core and listed until it is released. May outlive
/// its tensor and its session. Create it with the GIL held.
class Export {
 public:
  Export(ExportInfo::Kind kind, const Tensor& value, const TensorHandle& handle);
  Export(const Export&) = delete;
  Export& operator=(const Export&) = delete;

  /// Ends the export. Requires the GIL.
  void release() noexcept { delete this; }
  /// Ends the export, with or without the GIL. Without it, the memory is released now and the object itself when the
  /// next export is made.
  void release_anywhere() noexcept;

  Export* queue_next = nullptr;  ///< Link of the queue of released exports.

 protected:
  virtual ~Export();
  const Dims& dims() const { return info_.shape.dims(); }
  /// C-order strides of the value if one element has size `step`.
  Dims strides(int64_t step) const;

 private:
  friend class ExportList;
  const ExportInfo info_;
  RefPtr<Buffer> buffer_;
  const RefPtr<SessionCore> core_;
  std::atomic<bool> over_{false};
  Export* newer_ = nullptr;  // Guarded by the GIL, as is older_.
  Export* older_ = nullptr;
};

/// Deleter that releases an export.
struct ReleaseExport {
  void operator()(Export* kept) const { kept->release(); }
};
template <class E = Export>
using ExportPtr = std::unique_ptr<E, ReleaseExport>;

/// Returns (kind, shape, dtype number, bytes, op, site) of each live export of the core's values, newest first; op and
/// site are '' if unknown.
pybind11::list live_exports(const SessionCore& core);

}  // namespace tinytf::python
