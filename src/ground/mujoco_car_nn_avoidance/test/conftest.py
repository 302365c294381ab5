"""pytest finds the modules as unittest does."""

import car_nn_paths  # noqa: F401
