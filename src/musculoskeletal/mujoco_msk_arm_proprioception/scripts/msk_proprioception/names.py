"""Names and files, without MuJoCo: what core, policy, estimators and nodes agree on."""

from msk_arm.names import JOINTS, MUSCLES, N_SUB  # noqa: F401 (part of this interface)
from mujoco_ros_common import paths

PACKAGE = "mujoco_msk_arm_proprioception"
HOME = paths.home(__file__, PACKAGE)
PARAMETERS = HOME / "config" / "simulation.yaml"
WEIGHTS = HOME / "assets" / "nn_weights.npz"
METRICS = HOME / "assets" / "nn_metrics.json"

SPINDLE_MODELS = ("prochazka", "mileusnic")
ESTIMATORS = ("filter", "network", "ridge", "delayed")
FEEDBACKS = ("true_state", "delayed", "predicted", "network")
MAX_DELAY_S = 1.0
STIFFNESS_LABELS = ("k11", "k12", "k21", "k22")
ESTIMATE_LABELS = ("q_shoulder", "q_elbow", "qd_shoulder", "qd_elbow")
