"""Results do not depend on who computes them."""

import socket
import sys

import numpy as np
import pytest

from mujoco_ros_common import parallel
from mujoco_ros_common.errors import ArgumentError, UserError


def simulate(item):
    """Something random that takes its randomness from its item alone."""
    index, seed = item
    draws = np.random.default_rng(seed).normal(size=(50, 50))
    return index, float((draws @ draws.T).sum())


def fail(item):
    if item == 3:
        raise UserError(f"expected anything but {item}")
    return item


ITEMS = list(enumerate(parallel.seeds(11, 12)))


@pytest.fixture(scope="module")
def alone():
    return parallel.run(simulate, ITEMS, jobs=1)


def test_results_come_in_order(alone):
    assert [index for index, _ in alone] == list(range(12))
    assert len({value for _, value in alone}) == 12


@pytest.mark.parametrize("jobs", [2, 3, None])
def test_any_number_of_processes_gives_the_same_results(alone, jobs):
    assert parallel.run(simulate, iter(ITEMS), jobs=jobs) == alone


def test_no_items():
    for jobs in (1, 2):
        assert parallel.run(simulate, [], jobs=jobs) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_of_the_user_comes_through(jobs):
    with pytest.raises(UserError, match="anything but 3") as caught:
        parallel.run(fail, range(6), jobs=jobs)
    assert caught.value.exit_code == 1


@pytest.mark.parametrize("jobs", [0, -1])
def test_impossible_number_of_jobs(jobs):
    with pytest.raises(ArgumentError, match="--jobs: expected a whole number >= 1") as caught:
        parallel.run(simulate, ITEMS, jobs=jobs)
    assert caught.value.exit_code == 2


def test_seeds_are_fixed_different_and_plain():
    first = parallel.seeds(7, 100)
    assert first == parallel.seeds(7, 100)
    assert first[:10] == parallel.seeds(7, 10)  # more items do not change the first ones
    assert len(set(first) | set(parallel.seeds(8, 100))) == 200
    assert all(type(seed) is int and seed >= 0 for seed in first)


def test_dask_that_is_not_installed_is_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UserError, match="--dask: expected the package distributed") as caught:
        parallel.run(simulate, ITEMS, dask="tcp://localhost:1")
    assert "\n" not in str(caught.value)


def test_unreachable_dask_is_one_line():
    pytest.importorskip("distributed")
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        port = probe.getsockname()[1]
    for address in (f"tcp://localhost:{port}", "no address:x", "ftp://localhost:1"):
        with pytest.raises(UserError, match="--dask: expected a scheduler at") as caught:
            parallel.run(simulate, ITEMS, dask=address)
        assert "\n" not in str(caught.value)
        assert address in str(caught.value)


def test_a_dask_cluster_gives_the_same_results(alone):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, host="localhost"
    ) as cluster:
        assert parallel.run(simulate, ITEMS, dask=cluster.scheduler_address) == alone
        with pytest.raises(UserError, match="anything but 3"):
            parallel.run(fail, range(6), dask=cluster.scheduler_address)


def test_no_more_processes_than_items_are_started(monkeypatch):
    asked, backend = [], parallel._backend

    def record(jobs, dask):
        asked.append(jobs)
        return backend(jobs, dask)

    monkeypatch.setattr(parallel, "_backend", record)
    assert parallel.run(abs, [-1, -2], jobs=8) == [1, 2]
    assert asked == [2]
    assert parallel.run(abs, [-3], jobs=8) == [3]
    assert parallel.run(abs, [], jobs=8) == []
    assert asked == [2]  # one or none needs no process of its own
