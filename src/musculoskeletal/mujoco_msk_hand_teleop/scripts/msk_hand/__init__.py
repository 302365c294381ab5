"""The musculoskeletal hand: plant, keyboard policy and inverse model, free of ROS."""
