# Finds mlpack, ensmallen, cereal and Armadillo and offers them as the target
# `gbnn::mlpack`.  Used by the project itself and by its installed package.
#
# Debian's libmlpack-dev moves the headers that mlpack bundles (STB and, from 4.8,
# a few more) gzipped into its documentation folder, so `#include <mlpack/core.hpp>`
# fails as installed.  Whether that is so is probed by compiling; only then are they
# unpacked into the build folder and put on the include path.

include_guard(GLOBAL)
include(CheckCXXSourceCompiles)

if (NOT DEFINED CMAKE_CXX_STANDARD OR CMAKE_CXX_STANDARD LESS 17)
  set(CMAKE_CXX_STANDARD 17)
endif ()

find_package(Armadillo 10.8.2 REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)

find_path(MLPACK_INCLUDE_DIR mlpack/prereqs.hpp)
find_path(ENSMALLEN_INCLUDE_DIR ensmallen.hpp)
find_path(CEREAL_INCLUDE_DIR cereal/cereal.hpp)
foreach (package MLPACK ENSMALLEN CEREAL)
  if (NOT ${package}_INCLUDE_DIR)
    string(TOLOWER ${package} name)
    message(FATAL_ERROR "GBNN needs ${name}'s headers and found none. On Debian "
        "`scripts/deps build` installs them; elsewhere set "
        "-D${package}_INCLUDE_DIR=<folder>.")
  endif ()
endforeach ()

file(STRINGS "${MLPACK_INCLUDE_DIR}/mlpack/core/util/version.hpp" versionLines
    REGEX "#define MLPACK_VERSION_(MAJOR|MINOR|PATCH)")
string(REGEX REPLACE "[^0-9;]" "" versionNumbers "${versionLines}")
string(REPLACE ";" "." MLPACK_VERSION "${versionNumbers}")
if (MLPACK_VERSION VERSION_LESS 4.6)
  message(FATAL_ERROR "GBNN needs mlpack 4.6 or newer; found ${MLPACK_VERSION} in "
      "${MLPACK_INCLUDE_DIR}.")
endif ()

# Unpack the bundled headers that Debian gzipped; sets ${result} to the folders
# that then belong on the include path.
function (gbnn_unpack_bundled_headers result)
  set(packed "/usr/share/doc/libmlpack-dev/usr/include")
  set(folder "${CMAKE_BINARY_DIR}/mlpack-bundled")
  file(GLOB_RECURSE archives RELATIVE "${packed}" "${packed}/*.gz")
  if (NOT archives)
    message(FATAL_ERROR "#include <mlpack/core.hpp> does not compile (see "
        "CMakeFiles/CMakeError.log or CMakeConfigureLog.yaml) and ${packed} has no "
        "bundled headers to repair it with. Images without documentation lack them; "
        "scripts/deps build puts them there.")
  endif ()
  set(paths "${folder}")
  foreach (archive ${archives})
    string(REGEX REPLACE "\\.gz$" "" header "${archive}")
    get_filename_component(parent "${folder}/${header}" DIRECTORY)
    file(MAKE_DIRECTORY "${parent}")
    execute_process(COMMAND gzip -dc "${packed}/${archive}"
        OUTPUT_FILE "${folder}/unpacked" RESULT_VARIABLE failed)
    if (failed)
      message(FATAL_ERROR "Could not unpack ${packed}/${archive}.")
    endif ()
    # A header that is there already stays as it is, or all would be rebuilt.
    file(COPY_FILE "${folder}/unpacked" "${folder}/${header}" ONLY_IF_DIFFERENT)
    # `#include "bundled/x.h"` falls back to the include path: add bundled's parent.
    if (parent MATCHES "/bundled$")
      get_filename_component(parent "${parent}" DIRECTORY)
    endif ()
    list(APPEND paths "${parent}")
  endforeach ()
  file(REMOVE "${folder}/unpacked")
  list(REMOVE_DUPLICATES paths)
  set(${result} "${paths}" PARENT_SCOPE)
endfunction ()

set(includes "${MLPACK_INCLUDE_DIR}" "${ENSMALLEN_INCLUDE_DIR}"
    "${CEREAL_INCLUDE_DIR}" "${ARMADILLO_INCLUDE_DIRS}")
set(CMAKE_REQUIRED_INCLUDES "${includes}")
set(CMAKE_REQUIRED_LIBRARIES "${ARMADILLO_LIBRARIES};OpenMP::OpenMP_CXX")
check_cxx_source_compiles("#include <mlpack/core.hpp>
    int main() { }" MLPACK_HEADERS_COMPILE)
unset(CMAKE_REQUIRED_INCLUDES)
unset(CMAKE_REQUIRED_LIBRARIES)
if (NOT MLPACK_HEADERS_COMPILE)
  gbnn_unpack_bundled_headers(bundledFolders)
  list(APPEND includes ${bundledFolders})
  message(STATUS "mlpack's bundled headers unpacked into "
      "${CMAKE_BINARY_DIR}/mlpack-bundled")
endif ()
list(REMOVE_DUPLICATES includes)
list(REMOVE_ITEM includes /usr/include)

add_library(gbnn_mlpack INTERFACE)
add_library(gbnn::mlpack ALIAS gbnn_mlpack)
target_compile_features(gbnn_mlpack INTERFACE cxx_std_17)
target_include_directories(gbnn_mlpack SYSTEM INTERFACE ${includes})
target_link_libraries(gbnn_mlpack INTERFACE ${ARMADILLO_LIBRARIES}
    OpenMP::OpenMP_CXX)
message(STATUS "mlpack ${MLPACK_VERSION} in ${MLPACK_INCLUDE_DIR}")
