import signal
import subprocess
import sys

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
        assert worker.stdout.readline() == "up\n"
        worker.send_signal(signal.SIGTERM)

        said, _ = worker.communicate(timeout=60)
    finally:
        worker.kill()

    assert (said, worker.returncode) == ("stopping\n", 0)
