# gbnn_add_library_binding(<name> <source>... [TARGET <target>] [FOLDER <folder>]
#                          [KEEPS_INPUTS] [DEFINE <definition>...])
#
# Compiles mlpack binding files into the shared library libmlpack_<name>, which
# Python, R and Julia load.  The target is called mlpack_<name>_library and the
# library lands in lib/, unless told otherwise.  bindings/README.md explains its
# C interface.
#
# KEEPS_INPUTS is the promise that no binding ever writes to a matrix it is
# given, nor moves one somewhere that does.  Only then may the library work on
# the user's own memory; many a binding file counts on its inputs being its own,
# and gets copies.

include_guard(GLOBAL)

function (gbnn_add_library_binding name)
  cmake_parse_arguments(arg "KEEPS_INPUTS" "TARGET;FOLDER" "DEFINE" ${ARGN})
  set(headers "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../bindings/include")
  set(target mlpack_${name}_library)
  if (arg_TARGET)
    set(target ${arg_TARGET})
  endif ()
  add_library(${target} SHARED ${arg_UNPARSED_ARGUMENTS})
  set_target_properties(${target} PROPERTIES
      OUTPUT_NAME mlpack_${name}
      CXX_VISIBILITY_PRESET hidden
      VISIBILITY_INLINES_HIDDEN ON)
  if (arg_FOLDER)
    set_target_properties(${target} PROPERTIES
        LIBRARY_OUTPUT_DIRECTORY "${arg_FOLDER}")
  endif ()
  target_include_directories(${target} PRIVATE "${headers}")
  target_compile_definitions(${target} PRIVATE BINDING_TYPE=BINDING_TYPE_PYX
      CEREAL_THREAD_SAFE=1 MLPACK_BINDING_PACKAGE=${name} ${arg_DEFINE}
      $<$<BOOL:${arg_KEEPS_INPUTS}>:MLPACK_BINDING_KEEPS_INPUTS>)
  # Must come before every header of mlpack: see the file.
  target_compile_options(${target} PRIVATE
      "SHELL:-include mlpack/bindings/library/log.hpp")
  target_link_libraries(${target} PRIVATE gbnn_build)

  # Hiding is not enough for templates of the standard library, which insist on
  # being visible; two bindings in one process must not share them.  And what is
  # missing should be missed now, not when the library is loaded.
  if (NOT APPLE)
    set(exports "${headers}/mlpack/bindings/library/exports.map")
    target_link_options(${target} PRIVATE "-Wl,--version-script=${exports}"
        "-Wl,-z,defs")
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${exports}")
  endif ()
endfunction ()
