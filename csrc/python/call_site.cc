#include <algorithm>
#include <iterator>
#include <vector>

#include "python/bindings.h"
#include "python/errors.h"

namespace tinytf::python {

namespace {

/// Returns a new reference to the index of the frame's current instruction, its attribute f_lasti.
py::object instruction_of(PyFrameObject* frame) {
#if PY_VERSION_HEX >= 0x030B0000
  PyObject* instruction = PyLong_FromLong(PyFrame_GetLasti(frame));
#else
  PyObject* instruction = PyObject_GetAttrString(reinterpret_cast<PyObject*>(frame), "f_lasti");
#endif
  if (instruction == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(instruction);
}

/// Shared site of all callers of a frame that is still on this thread's stack. Sites created inside that frame refer to
/// this one tuple instead of repeating the outer frames.
struct SharedSite {
  PyObject* frame;  // The frame and its site are kept alive while the frame runs.
  PyObject* outside;
};
thread_local std::vector<SharedSite> shared_sites;  // Innermost last.

/// Returns a new reference to the site of a frame and its callers, without the innermost `to_skip` frames. Callers with
/// a shared site are represented by that site as the last element.
PyObject* site_from(py::object frame, long to_skip) {
  std::vector<py::object> site;
  while (frame) {
    auto* const raw = reinterpret_cast<PyFrameObject*>(frame.ptr());
    if (to_skip-- <= 0) {
      site.push_back(py::reinterpret_steal<py::object>(reinterpret_cast<PyObject*>(PyFrame_GetCode(raw))));
      site.push_back(instruction_of(raw));
      if (!shared_sites.empty() && shared_sites.back().frame == frame.ptr()) {
        site.push_back(py::reinterpret_borrow<py::object>(shared_sites.back().outside));
        break;
      }
    }
    frame = py::reinterpret_steal<py::object>(reinterpret_cast<PyObject*>(PyFrame_GetBack(raw)));
  }
  py::tuple result(site.size());
  for (size_t i = 0; i < site.size(); ++i) PyTuple_SET_ITEM(result.ptr(), i, site[i].release().ptr());
  return result.release().ptr();
}

py::object calling_frame() {
  return py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(PyEval_GetFrame()));
}

/// creation_site(depth). Uses the raw C calling convention because each new operation calls it.
PyObject* creation_site(PyObject*, PyObject* depth) {
  return guarded([&]() -> PyObject* {
    const long to_skip = PyLong_AsLong(depth);
    if (to_skip == -1 && PyErr_Occurred()) throw py::error_already_set();
    return site_from(calling_frame(), to_skip);
  });
}

/// Shares the site of the calling frame's callers. These must stay the same until unshare_site(), so the frame must not
/// belong to a generator.
void share_site() {
  py::object frame = calling_frame();
  auto outside = py::reinterpret_steal<py::object>(site_from(frame, 1));
  shared_sites.push_back({frame.ptr(), outside.ptr()});
  frame.release();
  outside.release();
}

/// The frame is normally the last entry, unless a library such as greenlet switches stacks on this thread.
void unshare_site() {
  const py::object frame = calling_frame();
  const auto found = std::find_if(shared_sites.rbegin(), shared_sites.rend(),
                                  [&](const SharedSite& shared) { return shared.frame == frame.ptr(); });
  if (found == shared_sites.rend()) return;
  const SharedSite ended = *found;
  shared_sites.erase(std::next(found).base());
  Py_DECREF(ended.frame);
  Py_DECREF(ended.outside);
}

}  // namespace

void bind_call_site(py::module_& m) {
  static PyMethodDef method = {
      "creation_site", creation_site, METH_O,
      "Returns the frame `depth` calls above the calling frame, and the frames outside of it, as alternating code "
      "objects and instruction offsets, innermost first. call_site.py describes the last item."};
  m.add_object("creation_site", py::reinterpret_steal<py::object>(PyCFunction_New(&method, nullptr)));
  m.def("share_site", share_site,
        "From now on, call sites created in calls of the calling frame share their outer part.");
  m.def("unshare_site", unshare_site, "Ends the effect of share_site() in the calling frame, if any.");
}

}  // namespace tinytf::python
