"""Finding a package's files in the source tree and in the install space."""

from mujoco_ros_common import paths


def test_source_tree(tmp_path):
    module = tmp_path / "package" / "scripts" / "name" / "core.py"
    module.parent.mkdir(parents=True)
    module.touch()
    assert paths.home(module, "package") == tmp_path.resolve() / "package"


def test_install_space_with_a_space_and_chinese_characters(tmp_path):
    root = tmp_path / "my 工作区"
    module = root / "lib" / "python3" / "dist-packages" / "name" / "core.py"
    share = root / "share" / "package"
    for folder in (module.parent, share):
        folder.mkdir(parents=True)
    module.touch()
    (share / "package.xml").touch()
    assert paths.home(module, "package") == share.resolve()
