"""Many independent simulations at once, with the same results whatever the number of workers."""

import contextlib
import os

import joblib
import numpy as np

from mujoco_ros_common import report
from mujoco_ros_common.errors import ArgumentError, UserError


def seeds(seed, n):
    """n independent seeds from one: a list of ints."""
    return [int(child.generate_state(1)[0]) for child in np.random.SeedSequence(seed).spawn(n)]


def run(function, items, jobs=None, dask=None, label="simulations"):
    """Call function(item) for every item, in parallel; results in the order of the items.

    Each call must draw its randomness from its item (see `seeds`), so that the results do not
    depend on who computes them. (Products of matrices of several hundred rows may differ in
    the last bit between jobs=1, where BLAS has all cores, and more, where it has one each.)

    Args:
        function: a module-level function.
        items: a list.
        jobs: local processes; None is one per core.
        dask: address of a Dask scheduler ("tcp://host:port") to use instead of local processes.
        label: what the progress bar counts.

    Returns:
        list of results

    Raises:
        ArgumentError: jobs < 1. UserError: no Dask installed, or no scheduler at the address.
    """
    items = list(items)
    if jobs is not None and jobs < 1:
        raise ArgumentError(f"--jobs: expected a whole number >= 1, got {jobs}")
    jobs = min(jobs or os.cpu_count() or 1, max(1, len(items)))  # no more than there is to do
    if jobs == 1 and dask is None:
        return [function(item) for item in report.progress(items, label)]
    with _backend(jobs, dask) as pool:
        results = pool(joblib.delayed(function)(item) for item in items)
        return list(report.progress(results, label, total=len(items)))


@contextlib.contextmanager
def _backend(jobs, dask):
    if dask is None:
        # one BLAS thread each: the processes already fill the cores
        with joblib.parallel_config("loky", n_jobs=jobs, inner_max_num_threads=1):
            yield joblib.Parallel(return_as="generator", batch_size="auto")
        return
    try:
        from distributed import Client  # noqa: PLC0415 (only where a cluster is asked for)
    except ImportError:
        raise UserError(
            "--dask: expected the package distributed, which is not installed"
        ) from None
    try:
        client = Client(dask, timeout=10)
    except (OSError, ValueError) as error:
        raise UserError(f"--dask: expected a scheduler at {dask}, but: {error}") from None
    with client, joblib.parallel_config("dask"):
        yield joblib.Parallel(return_as="list")
