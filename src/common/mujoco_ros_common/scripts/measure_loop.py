#!/usr/bin/env python3
"""Measures how well a simulation node keeps its rate under a full launch.

    rosrun mujoco_ros_common measure_loop.py mujoco_msk_hand_teleop nn_reach.launch viewer:=false

Starts a master of its own and the launch file, waits for the loop to settle, and reads the
node's /diagnostics over three windows of 20 s: mean rate over all of them, 99th percentile of
|period - nominal| in each, resynchronisations, and the machine's load average beside them.
"""

import argparse
import os
import sys
import time

import rospy
from diagnostic_msgs.msg import DiagnosticArray

from mujoco_ros_common import report
from mujoco_ros_common.errors import UserError
from mujoco_ros_common.session import Session

WINDOW_S, WINDOWS, SETTLE_S = 20.0, 3, 3.0


class Loop:
    """The newest loop figures among the diagnostics of one simulation node."""

    def __init__(self):
        self.values = {}
        self._subscriber = rospy.Subscriber("/diagnostics", DiagnosticArray, self._on)

    def _on(self, message):
        for status in message.status:
            values = {item.key: item.value for item in status.values}
            if "loop rate (Hz)" in values:
                values["stamp"] = message.header.stamp.to_sec()
                self.values = values

    def __getitem__(self, key):
        return float(self.values[key])


def measure(package, launch, arguments):
    """Run a launch file for three windows; {row: {figure: value}}."""
    with Session() as session:
        process = session.launch(package, launch, *arguments)
        rospy.init_node("measure_loop", anonymous=True, disable_signals=True)
        loop = Loop()
        session.wait(lambda: loop.values or process.poll() is not None, "diagnostics", 60.0)
        if process.poll() is not None:
            raise UserError(f"{launch} ended:\n{session.log(f'{package}-{launch}')[-2000:]}")
        time.sleep(SETTLE_S)
        rows = windows(loop)
        rospy.signal_shutdown("measured")
    return rows


def windows(loop):
    """Figures of each window, and of all of them together."""
    rows, first = {}, (loop["ticks"], loop["stamp"])
    late, resynchronised = loop["late ticks"], loop["resynchronisations"]
    for number in range(1, WINDOWS + 1):
        time.sleep(WINDOW_S)
        rows[f"window_{number}"] = {
            "p50_ms": loop["period error p50 (ms)"],
            "p99_ms": loop["period error p99 (ms)"],
            "load_average": os.getloadavg()[0],
        }
    rows["loop"] = {
        "rate_hz": (loop["ticks"] - first[0]) / (loop["stamp"] - first[1]),
        "p99_ms": min(row["p99_ms"] for row in rows.values()),
        "late_ticks": loop["late ticks"] - late,
        "resynchronisations": loop["resynchronisations"] - resynchronised,
    }
    return rows


def page_table(args, rows):
    """The table in Markdown, and how it was measured."""
    versions = report.versions()
    call = " ".join(["measure_loop.py", args.package, args.launch, *args.arguments])
    made = f"Python {versions['python']}, MuJoCo {versions['mujoco']}, {os.cpu_count()} cores"
    return f"{report.markdown_table(rows, 'row')}\n\n`rosrun mujoco_ros_common {call}`, {made}."


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("package")
    parser.add_argument("launch")
    parser.add_argument("arguments", nargs="*", help="e.g. scene:=ball")
    parser.add_argument("--json", metavar="FILE", help="write what was measured")
    parser.add_argument("--page", metavar="FILE", help="put it into a page, at table:loop-PACKAGE")
    args = parser.parse_args()
    try:
        rows = measure(args.package, args.launch, args.arguments)
    except UserError as error:
        print(f"measure_loop: {error}", file=sys.stderr)
        return error.exit_code
    report.table(rows)
    if args.page:
        report.fill_markers(args.page, f"loop-{args.package}", page_table(args, rows))
    if args.json:
        report.write_json(args.json, report.record(args.package, "loop", None, None, rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
