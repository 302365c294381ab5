"""What the arm feels: spindles, Golgi tendon organs, elastic tendons, delay; free of ROS."""
