# Installs the headers where mlpack's own are, and a package that finds them:
#
#   find_package(gbnn REQUIRED)
#   target_link_libraries(program PRIVATE gbnn::gbnn)

include(CMakePackageConfigHelpers)

set(gbnnPackage "${CMAKE_INSTALL_LIBDIR}/cmake/gbnn")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/src/mlpack/methods"
    COMPONENT headers DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/mlpack"
    FILES_MATCHING PATTERN "*.hpp")

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/gbnnConfig.cmake.in"
    "${CMAKE_BINARY_DIR}/gbnnConfig.cmake"
    INSTALL_DESTINATION "${gbnnPackage}"
    PATH_VARS CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file("${CMAKE_BINARY_DIR}/gbnnConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES "${CMAKE_BINARY_DIR}/gbnnConfig.cmake"
    "${CMAKE_BINARY_DIR}/gbnnConfigVersion.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/MlpackHeaders.cmake"
    COMPONENT headers DESTINATION "${gbnnPackage}")

# Where MPI was asked for, the program that is installed has it: it runs alone as well.
if (TARGET mlpack_gbnn)
  if (TARGET mlpack_gbnn_mpi)
    set(gbnnProgram mlpack_gbnn_mpi)
  else ()
    set(gbnnProgram mlpack_gbnn)
  endif ()
  # scripts/quickstart builds only the first.
  install(TARGETS ${gbnnProgram} mlpack_deep_gbnn
      RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT programs OPTIONAL)
endif ()
