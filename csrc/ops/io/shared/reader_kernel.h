#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

#include "op/common_shapes.h"
#include "op/op_def.h"
#include "op/registration.h"
#include "ops/data_flow/shared/named_state.h"
#include "ops/io/shared/reader.h"

/// Declarations shared by the kernels of readers.
namespace tinytf::ops {

/// Makes a reader whose source S is specified by an S::Spec, read from the node's attrs. S::kKind names its kind in
/// messages. A node may share any reader, whatever its kind.
template <class S>
class ReaderMaker {
 public:
  using State = Reader;
  static constexpr ResourceName::Unnamed kUnnamed = ResourceName::Unnamed::kPrivate;

  explicit ReaderMaker(KernelInit& init) : node_(init.node().name), spec_(init) {}

  RefPtr<Resource> make(const std::string& /*name*/) const {
    return RefPtr<Resource>(make_ref<Reader>(str_cat(S::kKind, " '", node_, "'"), std::make_unique<S>(spec_)));
  }
  Status check(Reader& /*found*/) const { return Status(); }

 private:
  const std::string node_;
  const typename S::Spec spec_;
};

/// The Spec of sources without attrs.
struct NoSpec {
  explicit NoSpec(KernelInit& /*init*/) {}
};

/// The value of a nonnegative int attr.
inline int64_t size_attr(KernelInit& init, std::string_view name) {
  const auto size = init.attr<int64_t>(name);
  if (size < 0) init.fail(invalid_argument(name, " must be >= 0 not ", size));
  return size;
}

/// Declares the op that creates readers of source S, in both generations. The attrs `before` and `behind` surround the
/// attrs that name the reader; `behind_in_v2` exists only in the later generation.
template <class S>
void declare_reader(OpRegistry& ops, KernelRegistry& kernels, const std::string& name,
                    std::initializer_list<std::string_view> before, std::initializer_list<std::string_view> behind,
                    std::initializer_list<std::string_view> behind_in_v2, std::string_view doc) {
  for (const bool is_early : {false, true}) {
    const std::string op_name = is_early ? name : name + "V2";
    OpDefBuilder op = ops.op(op_name);
    op.output(is_early ? "reader_handle: Ref(string)" : "reader_handle: resource");
    for (std::string_view attr : before) op.attr(attr);
    op.attr("container: string = ''").attr("shared_name: string = ''");
    for (std::string_view attr : behind) op.attr(attr);
    for (std::string_view attr : behind_in_v2) {
      if (!is_early) op.attr(attr);
    }
    op.stateful().shape(is_early ? text_handle_shape : shapes::scalar).not_differentiable().doc(doc);
    kernels.add<NamedStateKernel<ReaderMaker<S>>>(op_name);
  }
}

/// Declares an op with a reader as input. In early graphs it is a reference, which already marks the op as having side
/// effects, so such ops are not stateful.
inline OpDefBuilder declare_reader_input(OpRegistry& ops, const std::string& name, bool is_early) {
  OpDefBuilder op = ops.op(is_early ? name : name + "V2");
  op.input(is_early ? "reader_handle: Ref(string)" : "reader_handle: resource").not_differentiable();
  return is_early ? op : op.stateful();
}

}  // namespace tinytf::ops
