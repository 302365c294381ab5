"""Prints ON where this interpreter installs as Debian's does, else OFF.

catkin takes every Python on a Debian for Debian's own; another one refuses its option. For
`catkin_make -DSETUPTOOLS_DEB_LAYOUT=...`.
"""

import warnings

warnings.simplefilter("ignore")
import setuptools  # noqa: E402, F401, I001 (it may bring a distutils of its own)
from distutils.command.install import install  # noqa: E402

print("ON" if any(option[0] == "install-layout=" for option in install.user_options) else "OFF")
