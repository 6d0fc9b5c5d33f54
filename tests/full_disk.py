"""A disk without room, for this process."""

import resource
from contextlib import contextmanager


@contextmanager
def full():
    """Let no file of this process grow, as a full disk does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
