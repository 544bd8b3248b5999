# gbnn_add_library_binding(<name> <source> [LINK <library>...])
#
# Compiles an mlpack binding file into the shared library lib/libmlpack_<name>,
# which Python, R and Julia load; the target is called mlpack_<name>_library.
# See bindings/README.md for its C interface.

include_guard(GLOBAL)

set(GBNN_BINDINGS_DIR "${CMAKE_CURRENT_LIST_DIR}/../bindings")

function (gbnn_add_library_binding name source)
  cmake_parse_arguments(arg "" "" "LINK" ${ARGN})
  set(target mlpack_${name}_library)
  add_library(${target} SHARED "${source}")
  set_target_properties(${target} PROPERTIES
      OUTPUT_NAME mlpack_${name}
      CXX_VISIBILITY_PRESET hidden
      VISIBILITY_INLINES_HIDDEN ON)
  target_include_directories(${target} PRIVATE "${GBNN_BINDINGS_DIR}/include")
  target_compile_definitions(${target} PRIVATE BINDING_TYPE=BINDING_TYPE_PYX)
  # Must come before every header of mlpack: see the file.
  target_compile_options(${target} PRIVATE
      "SHELL:-include mlpack/bindings/library/log.hpp")
  target_link_libraries(${target} PRIVATE gbnn_build ${arg_LINK})

  # Hiding is not enough for templates of the standard library, which insist on
  # being visible; two bindings in one process must not share them.
  if (NOT APPLE)
    set(exports "${GBNN_BINDINGS_DIR}/include/mlpack/bindings/library/exports.map")
    target_link_options(${target} PRIVATE "-Wl,--version-script=${exports}")
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${exports}")
  endif ()
endfunction ()
