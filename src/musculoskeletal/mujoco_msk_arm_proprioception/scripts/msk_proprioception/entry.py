"""The command line of the package, which main.py and evaluate_proprioception.py share."""

from msk_proprioception import commands
from msk_proprioception.names import FEEDBACKS, HOME, WEIGHTS
from mujoco_ros_common import cli


def main(argv=None):
    """Run a command; returns the exit code."""
    c = cli.Cli("msk_proprioception", HOME, "Proprioception of the musculoskeletal arm.")
    c.command("check", commands.check, "is everything within its limits?", seed=1)
    demo = c.command("demo", commands.demo, "reach on what the arm feels, and draw it", seed=1)
    demo.add_argument("--feedback", default="predicted", choices=FEEDBACKS)
    demo.add_argument("--delay", type=commands.delay, default=0.03, help="s, up to 1")
    demo.add_argument("--out", default="results", help="folder of the picture")
    collect = c.command(
        "collect", commands.collect, "simulate reaches to learn from", 1, 800, False, True
    )
    collect.add_argument("--out", default="results/proprioception_data.npz", help="npz file")
    train = c.command("train", commands.train, "learn network and ridge", 1, 800, True, True)
    train.add_argument("--data", help="npz file of collect; without it, the reaches are simulated")
    train.add_argument("--epochs", type=cli.positive, default=40, help="passes over the data")
    train.add_argument("--out", default=str(WEIGHTS), help="npz file of the weights")
    evaluate = c.command("eval", commands.evaluate, "all the tables", 7, 100, True, True)
    evaluate.add_argument("--part", default="all", choices=commands.PARTS, help="which table")
    c.command("bench", commands.bench, "microseconds of a tick and its parts")
    c.node("sim", "msk_proprioception_sim_node.py", "the sensing node (needs a running arm)")
    c.node("keyboard", "msk_proprioception_keyboard_node.py", "the keyboard node")
    c.node("nn", "msk_proprioception_nn_node.py", "the estimator node")
    c.node("feedback", "msk_proprioception_feedback_node.py", "the feedback node")
    return c.main(argv)
