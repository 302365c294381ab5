"""Names and files of the arm, without MuJoCo: what plant, controllers and nodes agree on."""

from mujoco_ros_common import config, paths

PACKAGE = "mujoco_musculoskeletal_arm_reach"
HOME = paths.home(__file__, PACKAGE)
MODEL = HOME / "models" / "arm.xml"
SCENE = HOME / "models" / "scene.xml"
URDF = HOME / "urdf" / "msk_arm.urdf"
PARAMETERS = HOME / "config" / "simulation.yaml"
WEIGHTS = HOME / "assets" / "nn_weights.npz"
METRICS = HOME / "assets" / "nn_metrics.json"

JOINTS = ("shoulder", "elbow")
MUSCLES = (
    "shoulder_flexor",
    "shoulder_extensor",
    "elbow_flexor",
    "elbow_extensor",
    "biarticular_flexor",
    "biarticular_extensor",
)
CONDITIONS = ("healthy", "weak", "fatigued")
TENDONS = ("rigid", "elastic")
CONTROLLERS = ("pd", "inverse", "nn")
STATUS_LABELS = ("target_x", "target_z", "accepted", "reason", "settled", "error")
FATIGUE_LABELS = tuple(
    f"{muscle}_{share}" for muscle in MUSCLES for share in ("active", "resting", "fatigued")
)
N_SUB = 5  # physics steps in a control tick
TICK = 0.01  # s, a control tick: N_SUB physics steps of 2 ms


def parameters():
    """The package's parameters: config/simulation.yaml."""
    return config.read(PARAMETERS)
