"""A two-joint, six-muscle arm that reaches with its hand; free of ROS."""
