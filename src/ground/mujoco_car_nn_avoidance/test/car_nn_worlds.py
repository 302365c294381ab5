"""Small worlds for tests: the car and upright obstacles."""

import contextlib
import shutil
import tempfile
from pathlib import Path

from car_nn.settings import MODELS


@contextlib.contextmanager
def world(obstacles, folder=None):
    """Yield the path of a scene.

    Args:
        obstacles: ("box", x, y, half, yaw) or ("cylinder", x, y, radius), m and rad; or any
            other text, taken as MJCF.
        folder: name of the folder it lies in.
    """
    with tempfile.TemporaryDirectory() as top:
        place = Path(top) / folder if folder else Path(top)
        place.mkdir(exist_ok=True)
        shutil.copy(str(MODELS / "car.xml"), str(place / "car.xml"))
        geoms = "\n".join(item if isinstance(item, str) else _geom(*item) for item in obstacles)
        text = f'<mujoco><include file="car.xml"/><worldbody>{geoms}</worldbody></mujoco>'
        path = place / "world.xml"
        path.write_text(text, encoding="utf-8")
        yield path


def _geom(kind, x, y, size, yaw=0.0):
    sizes = f"{size} {size} 0.2" if kind == "box" else f"{size} 0.2"
    return (
        f'<geom class="obstacle" type="{kind}" size="{sizes}" pos="{x} {y} 0.2" euler="0 0 {yaw}"/>'
    )
