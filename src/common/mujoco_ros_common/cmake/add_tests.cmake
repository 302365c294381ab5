# The tests of a package: pytest over test/, and each test/*.test as a rostest.
#
# catkin's own macros do not quote, so they fail in a workspace whose path has a space; and
# catkin_add_nosetests skips without a word where nose is missing. These do neither.
set(MUJOCO_ROS_CMAKE_DIR "${CMAKE_CURRENT_LIST_DIR}")

function(mujoco_ros_add_tests)
  set(test_dir "${CMAKE_CURRENT_SOURCE_DIR}/test")
  set(results "${CATKIN_TEST_RESULTS_DIR}/${PROJECT_NAME}")
  catkin_run_tests_target("pytest" "test" "pytest.xml"
    COMMAND "\"${PYTHON_EXECUTABLE}\" -m pytest -q -p no:cacheprovider \"${test_dir}\" --junitxml=\"${results}/pytest.xml\"")

  file(GLOB rostests CONFIGURE_DEPENDS "${test_dir}/*.test")  # a new one is found by itself
  if(rostests)
    find_program(ROSTEST_PROGRAM rostest)
    if(NOT ROSTEST_PROGRAM)
      message(FATAL_ERROR "rostest is not on PATH: install it (Debian: python3-rostest; Noetic: ros-noetic-rostest)")
    endif()
  endif()
  foreach(file ${rostests})
    get_filename_component(name "${file}" NAME_WE)
    catkin_run_tests_target("rostest" "${name}" "rostest-${name}.xml"
      COMMAND "\"${PYTHON_EXECUTABLE}\" \"${MUJOCO_ROS_CMAKE_DIR}/run_rostest.py\" \"${CATKIN_TEST_RESULTS_DIR}\" ${PROJECT_NAME} \"${CMAKE_CURRENT_SOURCE_DIR}\" \"${file}\"")
  endforeach()
endfunction()
