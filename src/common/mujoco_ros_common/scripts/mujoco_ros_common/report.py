"""What was measured, for people and programs: tables, JSON, CSV, plots, progress."""

import contextlib
import csv
import errno
import json
import os
import platform
import shutil
import sys
import tempfile
from importlib import util
from pathlib import Path

from tqdm import tqdm

from mujoco_ros_common.errors import UserError


def progress(items, label, total=None, enabled=True):
    """Iterate over items, with a progress bar where standard error is a terminal."""
    return tqdm(
        items, desc=label, total=total, disable=not (enabled and sys.stderr.isatty()), leave=False
    )


@contextlib.contextmanager
def atomic(path):
    """Yield a temporary path beside `path`; it takes the name only if the block succeeds.

    A symbolic link keeps pointing at the file that is replaced. What is no file (/dev/stdout,
    /dev/null, a pipe) is written to, not replaced.

    Raises:
        UserError: the folder cannot be made or written, or the path is a folder.
    """
    device = _is_device(path)
    path = Path(path) if device else Path(os.path.realpath(path))
    try:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        folder = Path(tempfile.gettempdir()) if device else path.parent
        folder.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(
            dir=str(folder), prefix=f".{path.stem}-", suffix=path.suffix
        )
    except OSError as error:
        raise UserError(f"{path}: expected a place to write to, but: {error.strerror}") from None
    os.close(handle)
    try:
        yield temporary
        if device:
            _pour(temporary, path)
            return
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o666 & ~umask)
        os.replace(temporary, str(path))
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)


def expect_place(path):
    """Refuse a path at once, where `atomic` would refuse it after the work is done.

    Raises:
        UserError: as `atomic`.
    """
    with contextlib.suppress(_EnoughError), atomic(path):
        raise _EnoughError


class _EnoughError(Exception):
    """Leaves `atomic` without a file."""


def _pour(source, device):
    """Copy a file into a device or pipe."""
    try:
        with open(source, "rb") as readable, open(device, "ab") as stream:
            shutil.copyfileobj(readable, stream)
    except OSError as error:
        raise UserError(f"{device}: expected something to write into, but: {error}") from None


def _is_device(path):
    """Whether a path names something to write into, such as /dev/stdout, rather than a file."""
    if os.path.abspath(path).startswith(("/dev/std", "/dev/fd/", "/proc/")):
        return True  # even where it leads to a file, which somebody else has open
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


def table(results, title="", name="", stream=None):
    """Print {row: {figure: value}} as an aligned table."""
    print(text_table(results, title, name), file=stream or sys.stdout, flush=True)


def text_table(results, title="", name=""):
    """The table as text; figures that a row lacks are left empty."""
    columns = list(dict.fromkeys(key for row in results.values() for key in row))
    lines = [[name, *columns]]
    for label, row in results.items():
        lines.append([str(label), *(show(row[key]) if key in row else "" for key in columns)])
    widths = [max(len(line[i]) for line in lines) for i in range(len(columns) + 1)]
    text = [
        line[0].ljust(widths[0])
        + "".join("  " + cell.rjust(w) for cell, w in zip(line[1:], widths[1:]))
        for line in lines
    ]
    return "\n".join(([title] if title else []) + [line.rstrip() for line in text])


def markdown_table(results, name=""):
    """The same table as Markdown, for the pages in docs/."""
    columns = list(dict.fromkeys(key for row in results.values() for key in row))
    lines = [f"| {name} | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for label, row in results.items():
        cells = [show(row[key]) if key in row else "" for key in columns]
        lines.append(f"| {label} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def parameter_table(path):
    """A YAML file of parameters as a Markdown table: name, default, and the comment beside it.

    Raises:
        UserError: a parameter has no comment: it would stand without a unit.
    """
    lines = ["| parameter | default | unit and meaning |", "|---|---|---|"]
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        setting, _, comment = line.partition(" #")
        name, colon, value = setting.partition(":")
        if not colon or not name or name[0] in " #-":
            continue
        if not comment.strip():
            raise UserError(f"{path}: expected a comment with the unit beside {name}")
        meaning = comment.strip().replace("|", "\\|")
        lines.append(f"| `~{name}` | `{value.strip()}` | {meaning} |")
    return "\n".join(lines)


def show(value):
    """A value as a person reads it: four significant digits."""
    value = value.item() if hasattr(value, "item") else value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value)


def fill_markers(page, name, text):
    """Replace what stands between <!-- table:NAME --> and <!-- /table --> in a Markdown page.

    Raises:
        UserError: the page has no such pair of markers.
    """
    page = Path(page)
    old = page.read_text(encoding="utf-8")
    start, end = f"<!-- table:{name} -->", "<!-- /table -->"
    head, _, rest = old.partition(start)
    between, found, tail = rest.partition(end)
    if not found or "<!-- table:" in between:
        raise UserError(f"{page}: expected a line {start} followed by {end}")
    with atomic(page) as temporary:
        Path(temporary).write_text(f"{head}{start}\n\n{text}\n\n{end}{tail}", encoding="utf-8")


def versions():
    """Versions of the interpreter and, where it is installed, of MuJoCo."""
    if util.find_spec("mujoco") is None:
        return {"python": platform.python_version(), "mujoco": None}
    import mujoco  # noqa: PLC0415 (the logic modules run without it)

    return {"python": platform.python_version(), "mujoco": mujoco.__version__}


def record(system, command, seed, n, results):
    """The one form in which everything measured is written."""
    head = {"system": system, "command": command, "seed": seed, "n": n}
    return {**head, **versions(), "results": results}


def write_json(path, content):
    """Write JSON, whole or not at all. NaN and infinities, which JSON lacks, become null."""
    with atomic(path) as temporary, open(temporary, "w", encoding="utf-8") as stream:
        json.dump(_plain(content), stream, indent=1, allow_nan=False)
        stream.write("\n")


def write_csv(path, rows):
    """Write a list of dictionaries with the same keys as CSV, whole or not at all.

    Raises:
        ValueError: no rows, or rows whose keys differ.
    """
    if not rows:
        raise ValueError("expected at least one row")
    with atomic(path) as temporary, open(temporary, "w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def can_plot():
    """Whether matplotlib is installed; says in one line that the figure is skipped where not."""
    if util.find_spec("matplotlib") is not None:
        return True
    print("matplotlib is not installed: the figure is skipped", file=sys.stderr)
    return False


@contextlib.contextmanager
def figure(path, rows=1, cols=1, size=(8.0, 4.5), **subplots):
    """Yield (figure, axes) to draw on; the picture is saved as `path` (Agg: no display needed)."""
    import matplotlib  # noqa: PLC0415 (only where a figure is drawn)

    matplotlib.use("Agg")
    from matplotlib import pyplot  # noqa: PLC0415

    fig, axes = pyplot.subplots(rows, cols, figsize=size, constrained_layout=True, **subplots)
    try:
        yield fig, axes
        with atomic(path) as temporary:
            fig.savefig(temporary, dpi=110)
    finally:
        pyplot.close(fig)


def _plain(value):
    """Numpy values and tuples as JSON knows them."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, float) and not (abs(value) < float("inf")):
        return None
    return value
