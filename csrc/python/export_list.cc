#include "python/export_list.h"

#include <type_traits>
#include <vector>

#include "python/with_gil.h"

namespace tinytf::python {

namespace py = pybind11;

/// All exports of the process, and a queue of the ones released on threads without the GIL.
class ExportList {
 public:
  // These require the GIL.

  void add(Export* made) noexcept {
    made->older_ = newest_;
    if (newest_ != nullptr) newest_->newer_ = made;
    newest_ = made;
    if (!released_.empty()) sweep();
  }
  void remove(Export* over) noexcept {
    (over->newer_ != nullptr ? over->newer_->older_ : newest_) = over->older_;
    if (over->older_ != nullptr) over->older_->newer_ = over->newer_;
  }
  /// Newest first. Returns copies, since making Python objects of them may end exports.
  std::vector<ExportInfo> of(const SessionCore& core) const {
    std::vector<ExportInfo> infos;
    for (const Export* kept = newest_; kept != nullptr; kept = kept->older_) {
      if (kept->core_.get() == &core && !kept->over_.load(std::memory_order_acquire)) infos.push_back(kept->info_);
    }
    return infos;
  }

  /// Callable without the GIL. The export is deleted when the next one is added.
  void remove_later(Export* over) noexcept { released_.push(over); }

 private:
  void sweep() noexcept {
    for (Export* over = released_.take_all(); over != nullptr;) {
      Export* next = over->queue_next;
      delete over;
      over = next;
    }
  }

  Export* newest_ = nullptr;
  MpscQueue<Export> released_;
};
static_assert(std::is_trivially_destructible_v<ExportList>, "memory may be released after static destruction");

namespace {

ExportList exports;

}  // namespace

Export::Export(ExportInfo::Kind kind, const Tensor& value, const TensorHandle& handle)
    : info_{kind, value.dtype(), value.shape(), static_cast<int64_t>(value.bytes()), site_of(handle)},
      buffer_(value.buffer()),
      core_(RefPtr<SessionCore>::share(&handle.core())) {
  core_->memory().note_export(info_.bytes);
  exports.add(this);
}

Export::~Export() {
  exports.remove(this);
  if (!over_.load(std::memory_order_relaxed)) core_->memory().note_unexport(info_.bytes);
}

Dims Export::strides(int64_t step) const {
  Dims strides(dims().size());
  for (size_t i = strides.size(); i-- > 0; step *= dims()[i]) strides[i] = step;
  return strides;
}

void Export::release_anywhere() noexcept {
  if (has_gil()) return release();
  buffer_ = RefPtr<Buffer>();
  core_->memory().note_unexport(info_.bytes);
  over_.store(true, std::memory_order_release);
  exports.remove_later(this);
}

py::list live_exports(const SessionCore& core) {
  static constexpr const char* kKinds[] = {"array", "buffer", "DLPack"};
  py::list list;
  for (const ExportInfo& info : exports.of(core)) {
    py::tuple shape(info.shape.rank());
    for (int i = 0; i < info.shape.rank(); ++i) shape[i] = info.shape.dim(i);
    list.append(py::make_tuple(kKinds[static_cast<int>(info.kind)], shape, static_cast<int>(info.dtype), info.bytes,
                               info.site ? info.site->op : "", info.site ? info.site->place : ""));
  }
  return list;
}

}  // namespace tinytf::python
