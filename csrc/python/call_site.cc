#include <algorithm>
#include <iterator>
#include <vector>

#include "python/bindings.h"
#include "python/errors.h"

namespace tinytf::python {

namespace {

/// A new reference to the instruction that the frame is at, as its attribute f_lasti.
py::object instruction_of(PyFrameObject* frame) {
#if PY_VERSION_HEX >= 0x030B0000
  PyObject* instruction = PyLong_FromLong(PyFrame_GetLasti(frame));
#else
  PyObject* instruction = PyObject_GetAttrString(reinterpret_cast<PyObject*>(frame), "f_lasti");
#endif
  if (instruction == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(instruction);
}

/// What stands in a site for all frames outside of one that is on this thread's stack still: their own site, one for
/// all that is made inside.
struct SharedSite {
  PyObject* frame;  // kept, as is the site, for as long as the frame runs
  PyObject* outside;
};
thread_local std::vector<SharedSite> shared_sites;  // the innermost is the last

/// A new reference to the site of a frame and those outside it. Those outside of the innermost one that shares them are
/// their own site at the end.
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

/// creation_site(depth): in C's convention, as every operation that is made asks.
PyObject* creation_site(PyObject*, PyObject* depth) {
  return guarded([&]() -> PyObject* {
    const long to_skip = PyLong_AsLong(depth);
    if (to_skip == -1 && PyErr_Occurred()) throw py::error_already_set();
    return site_from(calling_frame(), to_skip);
  });
}

/// The calling frame stays where it is in its callers until unshare_site(): it is no generator's.
void share_site() {
  py::object frame = calling_frame();
  auto outside = py::reinterpret_steal<py::object>(site_from(frame, 1));
  shared_sites.push_back({frame.ptr(), outside.ptr()});
  frame.release();
  outside.release();
}

/// The frame is the last one, unless stacks are switched on this thread, as greenlets do.
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
  static PyMethodDef method = {"creation_site", creation_site, METH_O,
                               "The frame `depth` calls above the calling one and those outside it: code and "
                               "instruction in turn, innermost first; see call_site.py for what may be the last."};
  m.add_object("creation_site", py::reinterpret_steal<py::object>(PyCFunction_New(&method, nullptr)));
  m.def("share_site", share_site, "Sites of what the calling frame calls share what is outside of it from now on.");
  m.def("unshare_site", unshare_site, "Ends what share_site() began in the calling frame, if it did.");
}

}  // namespace tinytf::python
