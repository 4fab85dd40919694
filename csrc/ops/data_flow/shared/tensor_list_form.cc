#include "ops/data_flow/shared/tensor_list_form.h"

#include <cstdint>
#include <utility>

#include "io/table_format.h"
#include "io/tensor_proto.h"

namespace tinytf::ops {

namespace {

std::string metadata_of(const TensorList& list) {
  std::string out, unset;
  uint64_t count = 0;
  for (int64_t i = 0; i < list.size(); ++i) {
    if (list.at(i).valid()) continue;
    append_varint(unset, static_cast<uint64_t>(i));
    ++count;
  }
  append_varint(out, count);
  out += unset;
  append_varint(out, static_cast<uint64_t>(list.dtype()));
  append_varint(out, static_cast<uint64_t>(list.spec().max_size));
  WireWriter to(&out);
  write_shape(to, list.spec().element_shape);
  return out;
}

struct ListMetadata {
  TensorList::Spec spec;
  std::vector<bool> is_unset;  // true for unset elements; ends at the last of them
  int64_t unset = 0;
};

Result<ListMetadata> read_metadata(std::string_view bytes, int64_t set) {
  ListMetadata found;
  uint64_t count = 0, number = 0;
  if (!take_varint(bytes, count) || count > bytes.size()) return damaged_variant();
  found.unset = static_cast<int64_t>(count);
  for (uint64_t i = 0; i < count; ++i) {
    if (!take_varint(bytes, number) || number >= static_cast<uint64_t>(set) + count) return damaged_variant();
    if (number < found.is_unset.size()) return damaged_variant();  // indices must increase
    found.is_unset.resize(number + 1);
    found.is_unset[number] = true;
  }
  uint64_t most = 0;
  if (!take_varint(bytes, number) || number > INT32_MAX || !take_varint(bytes, most)) return damaged_variant();
  const auto dtype = dtype_of_number(static_cast<int64_t>(number));
  auto shape = read_shape(bytes);
  if (!dtype || !shape.ok()) return damaged_variant();
  found.spec = {*dtype, shape.take(), static_cast<int64_t>(most)};
  return found;
}

VariantParts parts_of(const TensorList& list) {
  VariantParts parts{metadata_of(list), {}};
  for (int64_t i = 0; i < list.size(); ++i) {
    if (list.at(i).valid()) parts.tensors.push_back(list.at(i));
  }
  return parts;
}

Result<Variant> list_of(VariantParts parts) {
  TINYTF_ASSIGN_OR_RETURN(ListMetadata known,
                          read_metadata(parts.metadata, static_cast<int64_t>(parts.tensors.size())));
  const DType dtype = known.spec.dtype;
  const int64_t size = known.unset + static_cast<int64_t>(parts.tensors.size());
  if (size > TensorList::kMaxSize) return damaged_variant();
  auto list = make_ref<TensorList>(std::move(known.spec), size);
  size_t next = 0;
  for (int64_t i = 0; i < size; ++i) {
    if (static_cast<size_t>(i) < known.is_unset.size() && known.is_unset[static_cast<size_t>(i)]) continue;
    Tensor& element = parts.tensors[next++];
    if (element.dtype() != dtype) return damaged_variant();
    TINYTF_RETURN_IF_ERROR(list->set(i, std::move(element)));
  }
  return Variant{std::move(list)};
}

}  // namespace

VariantForm tensor_list_form() {
  VariantForm form;
  form.parts = [](const VariantValue& value) { return parts_of(static_cast<const TensorList&>(value)); };
  form.value = list_of;
  return form;
}

}  // namespace tinytf::ops
