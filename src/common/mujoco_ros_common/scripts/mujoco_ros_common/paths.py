"""Where the files of a package are: in the source tree, the devel space and the install space."""

from pathlib import Path


def home(module_file, package):
    """The folder that holds models/, config/ and assets/ of a package.

    From the source tree and the devel space a module is found at <package>/scripts/<name>/; an
    installed one is at <install>/lib/python3/dist-packages/<name>/, its files at
    <install>/share/<package>/ (lib/python3*/site-packages/ on other systems).

    Args:
        module_file: `__file__` of a module of the package.
        package: name of the ROS package.
    """
    path = Path(module_file).resolve()
    for folder in path.parents:
        if (folder / "share" / package / "package.xml").is_file():
            return folder / "share" / package
    return path.parents[2]
