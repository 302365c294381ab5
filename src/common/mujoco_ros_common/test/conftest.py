"""The tests find the source tree's modules by themselves."""

import os
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
SCRIPTS = PACKAGE / "scripts"
sys.path.insert(0, str(SCRIPTS))
# the processes that tests start find them too
os.environ["PYTHONPATH"] = os.pathsep.join(
    filter(None, [str(SCRIPTS), os.environ.get("PYTHONPATH", "")])
)
