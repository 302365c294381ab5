from catkin_pkg.python_setup import generate_distutils_setup
from setuptools import setup

setup(
    **generate_distutils_setup(
        packages=["mujoco_ros_common", "mujoco_ros_common.ros"], package_dir={"": "scripts"}
    )
)
