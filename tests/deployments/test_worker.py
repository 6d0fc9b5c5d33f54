import signal
import subprocess
import sys

from ocrjury.deployments.worker import environment_of_worker
from tests.children import next_line

# A stop that waits for something which does not come, as Prefect's for a server that is away.
DEAF = """
import signal, threading
from ocrjury.deployments.worker import end_after

signal.signal(signal.SIGTERM, lambda *_: print("stopping", flush=True))
end_after(signal.SIGTERM, seconds=0.3)
print("up", flush=True)
while True:
    threading.Event().wait(60)
"""


def test_a_worker_ends_although_its_own_stop_does_not():
    worker = subprocess.Popen([sys.executable, "-c", DEAF], stdout=subprocess.PIPE, text=True)
    try:
        assert next_line(worker) == "up\n"
        worker.send_signal(signal.SIGTERM)

        said, _ = worker.communicate(timeout=60)
    finally:
        worker.kill()

    assert (said, worker.returncode) == ("stopping\n", 0)


def test_runs_find_the_store_that_the_folder_of_their_worker_chose(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("OCRJURY_HOME", raising=False)
    monkeypatch.setenv("OCRJURY_DATABASE_URL", "sqlite:///elsewhere.db")

    variables = environment_of_worker("http://prefect.example.org/api")

    assert variables["OCRJURY_HOME"] == str(tmp_path / ".ocrjury")
    assert variables["OCRJURY_DATABASE_URL"] == f"sqlite:///{tmp_path}/elsewhere.db"
