"""The live parameters as dynamic_reconfigure sees them, and the keys of the parameter file."""

from helpers import parameters

from msk_proprioception.names import SPINDLE_MODELS
from msk_proprioception.reconfigure import Description, descriptions
from msk_proprioception.settings import LIVE


def test_every_live_parameter_is_described_with_its_unit_and_limits():
    described = Description(parameters(delay_s=0.07))
    entries = {entry["name"]: entry for entry in described.config_description["parameters"]}
    assert set(entries) == set(LIVE)
    assert described.defaults["delay_s"] == 0.07
    assert described.max["delay_s"] == 1.0
    assert described.min["delay_s"] == 0.0
    assert entries["delay_s"]["type"] == "double"
    assert entries["random_seed"]["type"] == "int"
    assert entries["firing_rates"]["type"] == "bool"
    assert all(name in entries["spindle_model"]["edit_method"] for name in SPINDLE_MODELS)
    assert entries["force_noise_std_n"]["description"].startswith("N, Golgi")
    levels = [entry["level"] for entry in entries.values()]
    assert sum(levels) == described.all_level == 2 ** len(LIVE) - 1


def test_defaults_have_the_types_that_the_messages_want():
    described = Description(parameters(delay_s=0, sample_rate_hz=100))
    kinds = {name: kind for name, (kind, _, _) in LIVE.items()}
    assert all(type(value) is kinds[name] for name, value in described.defaults.items())


def test_every_number_of_the_file_has_a_comment_with_its_unit():
    texts = descriptions()
    missing = [
        name
        for name, value in parameters().values.items()
        if isinstance(value, (int, float)) and not isinstance(value, bool) and name not in texts
    ]
    assert missing == []
