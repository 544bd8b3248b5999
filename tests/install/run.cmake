# Installs the project into a fresh folder, and builds and runs a project that
# finds it there.  Expects BUILD, SOURCE, WORK and COMPILER.

function (run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed
      OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if (failed)
    message(FATAL_ERROR "${ARGN} failed (${failed}):\n${output}")
  endif ()
endfunction ()

file(REMOVE_RECURSE "${WORK}/prefix")
# What is not built is not installed: headers and package only.
run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/prefix"
    --component headers)
# Nothing is taken from the source tree; ccache is, where there is one.
run("${CMAKE_COMMAND}" -S "${SOURCE}/consumer" -B "${WORK}/build"
    "-DCMAKE_PREFIX_PATH=${WORK}/prefix" "-DCMAKE_CXX_COMPILER=${COMPILER}"
    "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}" -DCMAKE_BUILD_TYPE=Release
    "-DCMAKE_CXX_FLAGS_RELEASE=-O1")
run("${CMAKE_COMMAND}" --build "${WORK}/build")
run("${WORK}/build/consumer")
