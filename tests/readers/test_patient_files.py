"""A bucket that sends one byte at a time is not waited for."""

import socket
import sys

import pytest
from fsspec.spec import AbstractBufferedFile, AbstractFileSystem

from ocrjury.delivery.places import Place
from ocrjury.errors import InputError
from ocrjury.readers import patient_files, read_pool
from tests.test_patience import dripping


class Bucket(AbstractFileSystem):
    """A file system whose library limits the time between two bytes only."""

    protocol = "s3"
    cachable = False
    port, slow = None, "nothing"

    def _received(self, request, body):
        if request != self.slow:
            return body
        with socket.create_connection(("127.0.0.1", self.port), timeout=5) as connection:
            while connection.recv(1):
                pass
        return body

    def info(self, path, **_):
        path = self._strip_protocol(path)
        return self._received("info", {"name": path, "size": 4 << 20, "type": "file"})

    def pipe_file(self, path, value, **_):
        self._received("pipe_file", value)

    def _open(self, path, mode="rb", **_):
        return BucketFile(self, path, mode)


class BucketFile(AbstractBufferedFile):
    def _fetch_range(self, start, end):
        return self.fs._received("read", b"line\n" * ((end - start) // 5 + 1))[: end - start]


@pytest.fixture(params=["info", "read", "pipe_file"])
def slow(request, monkeypatch):
    """Request whose answer drips."""
    monkeypatch.setitem(sys.modules["fsspec.registry"]._registry, "s3", Bucket)
    monkeypatch.setattr(patient_files, "LONGEST", 0.3)
    monkeypatch.setattr(Bucket, "slow", request.param)
    with dripping(b"", b"a") as port:
        monkeypatch.setattr(Bucket, "port", port)
        yield request.param


def test_what_a_bucket_does_not_send_in_time_is_left(slow):
    if slow == "pipe_file":
        with pytest.raises(TimeoutError) as error:
            Place.at("s3://bucket/reports").write("report.pdf", b"%PDF")
    else:
        with pytest.raises(InputError) as error:
            read_pool("s3://bucket/pool.txt")

    assert (
        str(error.value)
        == {
            "info": "s3://bucket/pool.txt cannot be opened: it did not answer within 0.3 seconds.",
            "read": "s3://bucket/pool.txt cannot be read: it did not answer within 0.3 seconds.",
            "pipe_file": "it did not answer within 0.3 seconds",
        }[slow]
    )
