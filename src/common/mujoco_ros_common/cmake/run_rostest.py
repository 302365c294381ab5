"""Runs a rostest whose results end up in a folder of any name.

    run_rostest.py RESULTS PACKAGE FOLDER FILE

roslaunch splits the path of a test's results at spaces, so the results are written to a
temporary folder first and moved to RESULTS/PACKAGE.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def main(results, package, folder, file):
    """Returns rostest's exit code."""
    with tempfile.TemporaryDirectory(prefix="rostest-") as temporary:
        command = [sys.executable, shutil.which("rostest"), f"--pkgdir={folder}"]
        command += [f"--package={package}", f"--results-filename={Path(file).stem}.xml"]
        code = subprocess.call([*command, f"--results-base-dir={temporary}", file])
        target = Path(results, package)
        target.mkdir(parents=True, exist_ok=True)
        for result in Path(temporary, package).glob("*.xml"):
            shutil.copy(str(result), str(target / result.name))
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
