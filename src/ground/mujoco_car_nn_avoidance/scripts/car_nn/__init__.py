"""A differential-drive car in MuJoCo that avoids obstacles by a small network; free of ROS."""
