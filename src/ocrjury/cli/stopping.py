"""First steps of commands that run until they are stopped: signals and the log."""

import signal

from ocrjury.campaign.settings import Settings


def stop_quietly() -> None:
    """End with 0 at SIGTERM and SIGHUP from now on.

    The first process of a container hears no signal for which it has no handler, so it is set
    before anything slow.
    """
    from ocrjury.deployments.supervision import raise_on

    raise_on((signal.SIGTERM, signal.SIGHUP))


def write_log() -> None:
    """Write the log as the environment says, without what errors of others quote."""
    from ocrjury.signals.unquoted_errors import log_unquoted

    log_unquoted()
    if Settings.from_environment().log == "json":
        from ocrjury.deployments.json_logs import log_as_json

        log_as_json()
