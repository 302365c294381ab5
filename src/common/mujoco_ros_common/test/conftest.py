"""The tests find the source tree's modules by themselves."""

import os
import signal
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
SCRIPTS = PACKAGE / "scripts"
sys.path.insert(0, str(SCRIPTS))
# the processes that tests start find them too
os.environ["PYTHONPATH"] = os.pathsep.join(
    filter(None, [str(SCRIPTS), os.environ.get("PYTHONPATH", "")])
)

# a shell's background job ignores these, and so would the processes that tests start
for number in (signal.SIGINT, signal.SIGQUIT):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(
            number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
        )
