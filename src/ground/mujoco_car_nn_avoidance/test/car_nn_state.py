"""For the rostests: the entries of car_nn/state by name."""

STATE = ("time", "x", "y", "yaw", "v", "w", "clearance", "collided", "reached")


def state_of(message):
    """A car_nn/state as a dictionary."""
    return dict(zip(STATE, message.data))
