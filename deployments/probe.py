"""Health check of a service of this machine, for containers.

``python -m ocrjury.deployments.probe http://127.0.0.1:8080/ready`` ends with 0 if it answers 200;
``tcp://127.0.0.1:2525`` if somebody listens.
"""

import http.client
import socket
import sys
from urllib.parse import urlsplit

SECONDS = 4.0


def main(arguments: list[str]) -> None:
    """End with 0 if the address answers, else with the reason."""
    if len(arguments) != 1:
        sys.exit("probe takes one address, such as http://127.0.0.1:8080/ready.")
    try:
        reason = trouble(arguments[0])
    except (OSError, ValueError, http.client.HTTPException) as error:
        reason = str(error) or type(error).__name__
    sys.exit(reason)


def trouble(address: str) -> str | None:
    """Reason why a service is not healthy, None if it is.

    Raises
    ------
    OSError
        Nobody answers.
    """
    parts = urlsplit(address)
    place = parts.hostname or "", parts.port or 0
    if parts.scheme == "tcp":
        socket.create_connection(place, timeout=SECONDS).close()
        return None
    connection = http.client.HTTPConnection(*place, timeout=SECONDS)
    try:
        connection.request("GET", parts.path)
        status = connection.getresponse().status
    finally:
        connection.close()
    return None if status == http.client.OK else f"{address} answers {status}"


if __name__ == "__main__":
    main(sys.argv[1:])
