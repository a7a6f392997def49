"""Runs workflows of ten durable steps on DBOS.

Arguments: the name of the engine, and the address of the database."""

import sys
import time
from concurrent.futures import ThreadPoolExecutor

from dbos import DBOS

from protocol import serve

STEPS = 10
# The seconds of a sample.
SAMPLE = 1.5
engine, database = sys.argv[1:]
DBOS(config={"name": "peers", "system_database_url": database, "log_level": "ERROR"})


@DBOS.step()
def work(left):
    return left - 1


@DBOS.workflow()
def countdown(left):
    while left > 0:
        left = work(left)
    return left


def rate(at_once):
    """Returns a function that returns the steps per second with some workflows at once."""

    def sample():
        began = time.perf_counter()

        def loop(_):
            done = 0
            while time.perf_counter() - began < SAMPLE:
                countdown(STEPS)
                done += STEPS
            return done

        with ThreadPoolExecutor(at_once) as threads:
            done = sum(threads.map(loop, range(at_once)))
        return done / (time.perf_counter() - began)

    return sample


DBOS.launch()
serve(engine, {"one": (lambda: countdown(STEPS), rate(1)), "many": (lambda: countdown(STEPS), rate(64))})
DBOS.destroy()
