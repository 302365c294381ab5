"""The command line that all `main.py` share: commands, seeds, JSON, exit codes."""

import argparse
import os
import sys
from pathlib import Path

from mujoco_ros_common import report
from mujoco_ros_common.errors import UserError


class Cli:
    """A `main.py`: commands of its own, and those that start the nodes.

    Args:
        system: the short name, e.g. "msk_hand".
        home: folder of the package.
        description: shown by --help.
    """

    def __init__(self, system, home, description):
        self.system, self.home = system, Path(home)
        self.parser = argparse.ArgumentParser(prog="main.py", description=description)
        self.commands = self.parser.add_subparsers(dest="command", metavar="COMMAND")
        self.commands.required = True
        self.names = []

    def command(self, name, function, help, seed=None, n=None, json=True, jobs=False):
        """Add a command.

        Args:
            function: args -> True, None (done), False (fell short) or an exit code.
            seed, n: defaults of --seed and --n; without them the command has no such option.
            json: whether it has --json. jobs: whether it has --jobs and --dask.

        Returns:
            argparse parser of the command, for further options.
        """
        parser = self.commands.add_parser(
            name, help=help, formatter_class=argparse.ArgumentDefaultsHelpFormatter
        )
        if seed is not None:
            parser.add_argument("--seed", type=whole, default=seed, help="fixes everything random")
        if n is not None:
            parser.add_argument("--n", type=positive, default=n, help="how many")
        if json:
            parser.add_argument("--json", metavar="FILE", help="write what was measured")
        if jobs:
            parser.add_argument("--jobs", type=positive, help="processes (one per core)")
            parser.add_argument("--dask", metavar="ADDRESS", help="use a Dask cluster instead")
        parser.set_defaults(function=function)
        self.names.append(name)
        return parser

    def node(self, name, script, help):
        """Add a command that runs a node; what follows it is handed on (e.g. _scene:=ball)."""
        parser = self.commands.add_parser(name, help=help)
        parser.add_argument("rest", nargs=argparse.REMAINDER, help="_parameter:=value, remaps")
        parser.set_defaults(function=lambda args: self._run_node(script, args.rest))
        self.names.append(name)

    def emit(self, args, results, n=None, title=""):
        """Print a table of {row: {figure: value}}, and write --json where it was asked for."""
        report.table(results, title)
        if args.json:
            seed = getattr(args, "seed", None)
            n = getattr(args, "n", None) if n is None else n
            report.write_json(args.json, report.record(self.system, args.command, seed, n, results))

    def main(self, argv=None):
        """Run the command of `argv`; returns the exit code (0 done, 1 fell short, 2 arguments)."""
        argv = list(sys.argv[1:] if argv is None else argv)
        if argv and argv[0].startswith("--") and argv[0][2:] in self.names:
            argv[0] = argv[0][2:]  # `--eval` is understood as `eval`
        args = self.parser.parse_args(argv)
        try:
            if getattr(args, "json", None):
                report.expect_place(args.json)
            result = args.function(args)
        except UserError as error:
            return self._refuse(error, error.exit_code)
        except ModuleNotFoundError as error:
            return self._refuse(
                f"expected the Python package {error.name} (pip install -r requirements.txt),"
                " found none"
            )
        except MemoryError as error:
            return self._refuse(f"out of memory: {error}")
        except KeyboardInterrupt:
            return 130
        if result is None:
            return 0
        result = result.item() if hasattr(result, "item") else result  # numpy's bool is no bool
        return int(not result) if isinstance(result, bool) else result

    def _refuse(self, reason, code=1):
        print(f"{self.parser.prog}: {reason}", file=sys.stderr)
        return code

    def _run_node(self, script, rest):
        try:
            import rospy  # noqa: F401, PLC0415 (only the nodes need ROS)
        except ImportError:
            raise UserError("expected a sourced ROS workspace (rospy), found none") from None
        paths = os.pathsep.join(filter(None, sys.path))
        environment = dict(os.environ, PYTHONPATH=paths)
        path = self.home / "scripts" / script
        # the node takes this process's place: signals reach it, and it ends in its own time
        sys.stdout.flush()
        os.execve(sys.executable, [sys.executable, str(path), *rest], environment)


def whole(text):
    """An argument that is a whole number >= 0."""
    return _integer(text, 0)


def positive(text):
    """An argument that is a whole number >= 1."""
    return _integer(text, 1)


def _integer(text, low):
    try:
        value = int(text)
    except ValueError:
        value = low - 1
    if value < low:
        raise argparse.ArgumentTypeError(f"expected a whole number >= {low}, got {text!r}")
    return value
