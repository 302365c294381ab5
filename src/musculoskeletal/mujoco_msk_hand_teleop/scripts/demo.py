#!/usr/bin/env python3
"""The hand through ROS, by itself: reaches three targets, presses the button, pushes the ball.

Starts a master of its own, prints what was measured, writes a GIF and plots, and ends with
the exit code 0 if every task succeeded, else 1.
"""

import argparse
import sys
import time
from pathlib import Path

import mujoco
import numpy as np
import rospy
from geometry_msgs.msg import Point
from std_msgs.msg import Float32MultiArray

from msk_hand import demo, pictures
from msk_hand.keyboard import KeyboardPolicy
from msk_hand.names import JOINTS, MUSCLES, STATE_LABELS
from mujoco_ros_common import render, report, ros
from mujoco_ros_common.errors import UserError
from mujoco_ros_common.session import Session, stop

PACKAGE = "mujoco_msk_hand_teleop"
KEYBOARD_PERIOD = 0.02  # s
FPS = 12.5


class Recorder:
    """What the topics of the hand say, from one launch on."""

    def __init__(self):
        self.clear()
        rospy.Subscriber("msk_hand/muscle_cmd", Float32MultiArray, self._on_command)
        rospy.Subscriber("msk_hand/state", Float32MultiArray, self._on_state)

    def _on_command(self, message):
        self._command = message.data

    def _on_state(self, message):
        self.commands.append(self._command)
        self.states.append(message.data)

    def clear(self):
        self.states, self.commands = [], []
        self._command = (0.0,) * len(MUSCLES)

    @property
    def time(self):
        """Simulated time of the newest state, s."""
        return self.states[-1][0] if self.states else -np.inf

    def wait_until(self, simulated):
        Session.wait(lambda: self.time >= simulated, f"simulated time {simulated:.1f} s", 60.0)

    def series(self, scene, start):
        """The run since a simulated time, as demo.measure and pictures.plot want it."""
        count = len(self.states)
        state, command = np.array(self.states[:count]), np.array(self.commands[:count])
        state[:, 0] -= start
        rows = state[:, 0] >= 0.0
        return demo.Series(scene, state[rows], command[rows])


class Demo:
    """The three tasks, one launch after the other under one master."""

    def __init__(self, session, viewer):
        self.session, self.viewer = session, f"viewer:={str(viewer).lower()}"
        self.recorder = Recorder()
        self.target = rospy.Publisher("msk_hand/target", Point, queue_size=1)
        self.command = ros.ArrayPublisher("msk_hand/muscle_cmd", MUSCLES)

    def run(self, task, launch, scene):
        """Launch a scene, do its task, end the launch; the Series of it."""
        self.recorder.clear()
        process = self.session.launch(PACKAGE, launch, f"scene:={scene}", self.viewer)
        try:
            Session.wait(
                lambda: self.recorder.states or process.poll() is not None, "the simulation", 60.0
            )
            if process.poll() is not None:
                raise UserError(f"{launch} ended: {self.session.log(f'{PACKAGE}-{launch}')}")
            return task(scene)
        finally:
            stop(process)

    def reach(self, scene):
        """Three targets for the network, each given its time."""
        Session.wait(lambda: self.target.get_num_connections() >= 2, "simulation and network", 60.0)
        time.sleep(0.5)  # the network's own connection to the simulation
        self.recorder.wait_until(self.recorder.time + 0.2)
        start = self.recorder.time
        for number, target in enumerate(demo.TARGETS):
            self.target.publish(Point(*target))
            self.recorder.wait_until(start + (number + 1) * demo.REACH_S)
        return self.recorder.series(scene, start)

    def press_keys(self, scene):
        """A person's keys, played back through the keyboard policy."""
        Session.wait(self.command.has_listeners, "the simulation", 60.0)
        policy, start = KeyboardPolicy(), self.recorder.time
        waiting = demo.presses(scene, policy)
        while self.recorder.time - start < demo.LENGTH_S[scene]:
            while waiting and self.recorder.time - start >= waiting[0][0]:
                policy.handle(waiting.pop(0)[1])
            self.command.publish(policy.update(KEYBOARD_PERIOD))
            time.sleep(KEYBOARD_PERIOD)
        return self.recorder.series(scene, start)


def film(path, runs):
    """Draw what was recorded as a GIF: joint angles, button, commands as colours, target."""
    frames, every = [], round(25.0 / FPS)
    for series in runs:
        with pictures.Film(series.scene, FPS) as camera:
            sim = pictures.MskHandSim(series.scene)
            for state, command in zip(series.state[::every], series.activation[::every]):
                pose(sim, dict(zip(STATE_LABELS, state)), command)
                frames.append(camera.frame(sim))
    render.write_gif(path, frames, FPS, pictures.COLORS)


def pose(sim, state, command):
    """Put a simulation where a recorded state was."""
    sim.data.qpos[: len(JOINTS)] = [state[joint] for joint in JOINTS]
    sim.data.act[:] = command
    if not np.isnan(state["button_depth"]):
        sim.data.joint("j_button").qpos[0] = state["button_depth"]
    if not np.isnan(state["reach_error"]):
        number = min(int(state["time"] / demo.REACH_S), len(demo.TARGETS) - 1)
        sim.set_target(demo.TARGETS[number])
    mujoco.mj_forward(sim.model, sim.data)


def pictures_of(runs, out):
    """Write the GIF and the plots, and say where they are."""
    if report.can_plot():
        for series in runs:
            path = out / f"ros_demo_{series.scene}.png"
            pictures.plot(path, series)
            print(f"plot: {path}", flush=True)
    if pictures.can_film():
        path = out / "ros_demo.gif"
        film(path, [series for series in runs if series.scene != "ball"])
        print(f"GIF:  {path}", flush=True)


def run(out, viewer):
    """The whole demonstration; True when every task was done."""
    report.expect_place(out / "ros_demo.gif")
    with Session() as session:
        rospy.init_node("msk_hand_demo", anonymous=True, disable_signals=True)
        hand, runs, passed = Demo(session, viewer), [], True
        try:
            for task, launch, scene in (
                (hand.reach, "nn_reach.launch", "free"),
                (hand.press_keys, "simulation.launch", "button"),
                (hand.press_keys, "simulation.launch", "ball"),
            ):
                series = hand.run(task, launch, scene)
                rows = demo.measure(series)
                report.table(rows, f"\n{launch} scene:={scene}")
                passed = passed and all(row["passed"] for row in rows.values())
                runs.append(series)
        finally:
            rospy.signal_shutdown("done")
    pictures_of(runs, out)
    print("demo: every task was done" if passed else "demo: a task was NOT done", flush=True)
    return passed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--viewer", action="store_true", help="show it in MuJoCo's viewer")
    parser.add_argument("--out", default="results", type=Path, help="folder of GIF and plots")
    args = parser.parse_args(rospy.myargv()[1:])
    try:
        return 0 if run(args.out, args.viewer) else 1
    except UserError as error:
        print(f"demo: {error}", file=sys.stderr)
        return error.exit_code


if __name__ == "__main__":
    sys.exit(main())
