"""Names and files of the hand, without MuJoCo: what policy, network and nodes agree on."""

from mujoco_ros_common import paths

HOME = paths.home(__file__, "mujoco_msk_hand_teleop")
PARAMETERS = HOME / "config" / "hand.yaml"
WEIGHTS = HOME / "assets" / "nn_weights.npz"
METRICS = HOME / "assets" / "nn_metrics.json"

SCENES = ("free", "button", "ball")
JOINTS = (
    "j_wrist_pitch",
    "j_wrist_yaw",
    "j_index_mcp",
    "j_index_pip",
    "j_middle_mcp",
    "j_middle_pip",
    "j_thumb_abd",
    "j_thumb_mcp",
)
MUSCLES = (
    "index_flex",
    "index_ext",
    "middle_flex",
    "middle_ext",
    "thumb_flex",
    "thumb_ext",
    "thumb_add",
    "wrist_flex",
    "wrist_ext",
    "wrist_yaw_l",
    "wrist_yaw_r",
)
FINGERS = ("index", "middle", "thumb")
# the muscles that move the index fingertip
REACH_MUSCLES = ("index_flex", "index_ext", "wrist_flex", "wrist_ext", "wrist_yaw_l", "wrist_yaw_r")
# the entries of the state vector and of the topic msk_hand/state; s, rad, m, N
STATE_LABELS = (
    ("time",)
    + JOINTS
    + tuple(f"{finger}_{axis}" for finger in FINGERS for axis in "xyz")
    + ("button_depth", "ball_height", "contact_force", "reach_error")
)
TICK = 0.01  # s, a control tick: N_SUB physics steps of 2 ms
N_SUB = 5
REACH_S = 1.2  # s from rest, after which the hand has reached its static equilibrium
