"""The network's files: the same bits back, and one clear line for any that are wrong."""

import json
import pickle

import numpy as np
import pytest
from test_mlp import SIZES, data, trained

from mujoco_ros_common.mlp import Mlp, WeightsError


def test_save_and_load_round_trip_to_the_bit_with_metadata(tmp_path):
    network, path = trained("relu", "sigmoid"), tmp_path / "权重 1.npz"
    network.save(path, seed=7, names=["a", "b"], nested={"x": None})
    loaded = Mlp.load(path, sizes=SIZES)
    assert (loaded.sizes, loaded.hidden, loaded.output) == (SIZES, "relu", "sigmoid")
    assert loaded.metadata == {"seed": 7, "names": ["a", "b"], "nested": {"x": None}}
    for first, second in zip(network.parameters, loaded.parameters):
        assert first.tobytes() == second.tobytes()
    x = np.random.default_rng(0).normal(size=(5, 3))
    assert network.predict(x).tobytes() == loaded.predict(x).tobytes()
    again = tmp_path / "again.npz"
    loaded.save(again)  # keeps the metadata
    assert again.read_bytes() == path.read_bytes()


def test_a_loaded_network_can_be_trained_further(tmp_path):
    network = Mlp((2, 4, 2), seed=0)
    network.save(tmp_path / "w.npz")
    loaded = Mlp.load(tmp_path / "w.npz")
    x, y = data()
    np.testing.assert_array_equal(loaded.fit(x, y, 2), network.fit(x, y, 2))


def refusal(path, sizes=None):
    with pytest.raises(WeightsError) as caught:
        Mlp.load(path, sizes)
    text = str(caught.value)
    assert "\n" not in text
    assert str(path) in text
    assert caught.value.exit_code == 1
    return text


def test_missing_weights(tmp_path):
    assert "found none" in refusal(tmp_path / "none.npz")
    assert "found none" in refusal(tmp_path)


def test_weights_of_another_layout(tmp_path):
    trained().save(tmp_path / "w.npz")
    assert "expected layers (3, 4, 2), got (3, 7, 5, 2)" in refusal(tmp_path / "w.npz", (3, 4, 2))


def test_truncated_weights(tmp_path):
    trained().save(tmp_path / "w.npz")
    content = (tmp_path / "w.npz").read_bytes()
    for length in range(0, len(content), 97):
        (tmp_path / "cut.npz").write_bytes(content[:length])
        refusal(tmp_path / "cut.npz")


def test_a_damaged_byte_is_refused_or_harmless(tmp_path):
    network, path = Mlp((2, 3, 1), seed=0), tmp_path / "w.npz"
    network.save(path)
    content = path.read_bytes()
    refused = 0
    for index in range(0, len(content), 5):
        damaged = bytearray(content)
        damaged[index] ^= 0xFF
        path.write_bytes(damaged)
        try:
            loaded = Mlp.load(path)
        except WeightsError as error:
            refused += 1
            assert "\n" not in str(error)
        else:  # a time stamp, say
            for first, second in zip(network.parameters, loaded.parameters):
                np.testing.assert_array_equal(first, second)
    assert refused > len(content) // 10


def parts(path):
    with np.load(path) as archive:
        return {name: archive[name] for name in archive.files}


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("p0", lambda old: np.full_like(old, np.nan)),
        ("p1", lambda old: np.append(old, 1.0)),
        ("p2", lambda old: old.astype(str)),
        ("p2", lambda old: old.astype(complex)),
        ("p3", lambda old: old.astype(int)),
        ("input_scale", lambda old: old * 0.0),
        ("output_scale", lambda old: -old),
        ("output_shift", lambda old: old + np.inf),
        ("head", lambda old: np.array("no JSON")),
        ("head", lambda old: np.array("[1, 2]")),
        ("head", lambda old: np.array('"text"')),
        ("head", lambda old: np.array('{"sizes": [3, 2]}')),
        ("head", lambda old: np.array('{"sizes": [1e999, 2], "hidden": "relu", "output": "relu"}')),
        ("head", lambda old: np.array(str(old).replace("linear", "cubic"))),
        ("head", lambda old: np.array(str(old).replace('"metadata": {}', '"metadata": 3'))),
    ],
)
def test_wrong_contents(tmp_path, name, change):
    path = tmp_path / "w.npz"
    trained().save(path)
    arrays = parts(path)
    arrays[name] = change(arrays[name])
    np.savez(path, **arrays)
    refusal(path)


def test_missing_part(tmp_path):
    path = tmp_path / "w.npz"
    trained().save(path)
    arrays = parts(path)
    del arrays["p3"]
    np.savez(path, **arrays)
    assert "p3" in refusal(path)


class Harmful:
    """What a pickle would run when it is read."""

    ran = []

    def __reduce__(self):
        return (Harmful.ran.append, (1,))


def test_pickles_are_refused_and_never_run(tmp_path):
    path = tmp_path / "w.npz"
    trained().save(path)
    arrays = parts(path)
    arrays["p0"] = np.array([Harmful()], dtype=object)
    np.savez(path, **arrays)
    refusal(path)
    path.write_bytes(pickle.dumps(Harmful()))
    refusal(path)
    assert Harmful.ran == []


def test_a_single_array_is_no_network(tmp_path):
    with open(tmp_path / "w.npz", "wb") as stream:
        np.save(stream, np.zeros(3))
    assert "single array" in refusal(tmp_path / "w.npz")


def test_metadata_that_json_lacks_writes_nothing(tmp_path):
    with pytest.raises(TypeError):
        Mlp((1, 1)).save(tmp_path / "w.npz", bad={1, 2})
    assert list(tmp_path.iterdir()) == []


def test_the_head_is_readable_json(tmp_path):
    trained().save(tmp_path / "w.npz", n=3)
    head = json.loads(str(parts(tmp_path / "w.npz")["head"]))
    assert head == {
        "hidden": "tanh",
        "metadata": {"n": 3},
        "output": "linear",
        "sizes": list(SIZES),
    }
