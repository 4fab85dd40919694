#include "op/registration_error.h"

#include "services/platform.h"

namespace tinytf {

Status not_registered(std::string_view names, std::string_view more) {
  return not_found("Op type not registered ", names, " in binary running on ", host_name(),
                   ". Make sure the Op and Kernel are registered in the binary running in this process.", more);
}

}  // namespace tinytf
