# Turns a binding file into a command-line program.

include_guard(GLOBAL)

# The part of every command-line program that does not depend on the binding.
function (gbnn_add_cli_library)
  if (TARGET gbnn_cli)
    return ()
  endif ()
  find_path(CLI11_INCLUDE_DIR CLI/CLI.hpp)
  if (NOT CLI11_INCLUDE_DIR)
    message(FATAL_ERROR "The command-line programs need CLI11's headers and found "
        "none. On Debian `scripts/deps build` installs them; elsewhere set "
        "-DCLI11_INCLUDE_DIR=<folder>, or build without them: "
        "-DGBNN_BUILD_CLI=OFF.")
  endif ()

  set(folder "${PROJECT_SOURCE_DIR}/bindings")
  file(GLOB sources CONFIGURE_DEPENDS "${folder}/cli/*.cpp")
  add_library(gbnn_cli STATIC ${sources})
  target_include_directories(gbnn_cli PUBLIC "${folder}/include")
  target_include_directories(gbnn_cli SYSTEM PRIVATE "${CLI11_INCLUDE_DIR}")
  target_link_libraries(gbnn_cli PUBLIC gbnn_build)
  # mlpack's headers take ten times as long to compile as what is in these files.
  target_precompile_headers(gbnn_cli PRIVATE <mlpack/core.hpp>)
  # Matrices, like all else, take their memory from cli/scratch_memory.cpp.
  target_compile_definitions(gbnn_cli PUBLIC
      "ARMA_ALIEN_MEM_ALLOC_FUNCTION=::operator new"
      "ARMA_ALIEN_MEM_FREE_FUNCTION=::operator delete")
  # Warnings are shown, as by mlpack's programs.
  target_compile_definitions(gbnn_cli PUBLIC MLPACK_PRINT_WARN)
endfunction ()

# gbnn_add_cli_binding(<name> <source file>)
#
# Builds bin/mlpack_<name> from an mlpack binding file whose BINDING_NAME is
# <name>.  The target is called mlpack_<name> too; the binding file itself is
# compiled by the target mlpack_<name>_binding.
function (gbnn_add_cli_binding name source)
  gbnn_add_cli_library()
  add_library(mlpack_${name}_binding OBJECT "${source}")
  target_compile_definitions(mlpack_${name}_binding PRIVATE
      BINDING_TYPE=BINDING_TYPE_CLI)
  target_link_libraries(mlpack_${name}_binding PUBLIC gbnn_cli)
  # Code of a program, which may be faster than that of a library (-fPIC).
  set_target_properties(mlpack_${name}_binding PROPERTIES
      POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(mlpack_${name}_binding PRIVATE
      ${CMAKE_CXX_COMPILE_OPTIONS_PIE})

  add_executable(mlpack_${name} "${PROJECT_SOURCE_DIR}/bindings/cli/main/main.cpp")
  target_link_libraries(mlpack_${name} PRIVATE mlpack_${name}_binding)
endfunction ()

# gbnn_add_mpi_binding(<name>)
#
# Builds mpi/mlpack_<name>, the program of gbnn_add_cli_binding() for several
# processes.  The target is called mlpack_<name>_mpi.
function (gbnn_add_mpi_binding name)
  add_executable(mlpack_${name}_mpi
      "${PROJECT_SOURCE_DIR}/bindings/cli/main/mpi_main.cpp")
  set_target_properties(mlpack_${name}_mpi PROPERTIES OUTPUT_NAME mlpack_${name}
      RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/mpi")
  target_link_libraries(mlpack_${name}_mpi PRIVATE mlpack_${name}_binding
      MPI::MPI_CXX)
endfunction ()
