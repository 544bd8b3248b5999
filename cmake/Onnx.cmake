# Makes the target gbnn_onnx: what a program is linked with that exports models as
# ONNX.  It is empty where the ONNX library is not installed, or GBNN_ONNX is off;
# such a program says so when it is asked to.

include_guard(GLOBAL)
include(CheckCXXSourceCompiles)
include(CMakePushCheckState)

option(GBNN_ONNX "Export models as ONNX where its library is installed" ON)
add_library(gbnn_onnx INTERFACE)
set(GBNN_ONNX_LIBRARIES "")
if (NOT GBNN_ONNX)
  return ()
endif ()

find_path(GBNN_ONNX_INCLUDE_DIR onnx/onnx_pb.h)
find_library(GBNN_ONNX_PROTO_LIBRARY NAMES onnx_proto)
find_library(GBNN_PROTOBUF_LIBRARY NAMES protobuf)
mark_as_advanced(GBNN_ONNX_INCLUDE_DIR GBNN_ONNX_PROTO_LIBRARY
    GBNN_PROTOBUF_LIBRARY)
set(libraries "${GBNN_ONNX_PROTO_LIBRARY}" "${GBNN_PROTOBUF_LIBRARY}")
set(definitions ONNX_NAMESPACE=onnx ONNX_ML=1)

if (GBNN_ONNX_INCLUDE_DIR AND GBNN_ONNX_PROTO_LIBRARY AND GBNN_PROTOBUF_LIBRARY)
  cmake_push_check_state(RESET)
  set(CMAKE_REQUIRED_INCLUDES "${GBNN_ONNX_INCLUDE_DIR}")
  set(CMAKE_REQUIRED_LIBRARIES ${libraries})
  set(CMAKE_REQUIRED_DEFINITIONS -DONNX_NAMESPACE=onnx -DONNX_ML=1)
  check_cxx_source_compiles("
      #include <onnx/onnx_pb.h>
      int main()
      {
        onnx::ModelProto model;
        model.set_producer_name(\"gbnn\");
        return model.SerializeAsString().empty();
      }" GBNN_ONNX_WORKS)
  cmake_pop_check_state()
endif ()

if (GBNN_ONNX_WORKS)
  set(GBNN_ONNX_LIBRARIES ${libraries})
  target_include_directories(gbnn_onnx SYSTEM INTERFACE
      "${GBNN_ONNX_INCLUDE_DIR}")
  target_compile_definitions(gbnn_onnx INTERFACE GBNN_WITH_ONNX ${definitions})
  target_link_libraries(gbnn_onnx INTERFACE ${libraries})
else ()
  message(STATUS "The ONNX library was not found: models can be exported as C "
      "only. On Debian `scripts/deps build` installs it.")
endif ()
