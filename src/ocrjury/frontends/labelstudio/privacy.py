"""The environment in which Label Studio tells nobody outside what happens in it.

Its own switch for analytics is not enough: it also sends failures, with the address of whoever met
them, to addresses that are part of it.
"""

PRIVACY: dict[str, tuple[str, str]] = {
    "COLLECT_ANALYTICS": ("false", "no statistics of use"),
    "SENTRY_DSN": ("", "no reports of failures of the server, which name users"),
    "FRONTEND_SENTRY_DSN": ("", "no reports of failures of the page"),
    "LATEST_VERSION_CHECK": ("false", "no question whether there is a newer version"),
    "FEATURE_FLAGS_OFFLINE": ("true", "no switches fetched from outside"),
    "LABEL_STUDIO_DISABLE_SIGNUP_WITHOUT_LINK": ("true", "nobody signs up without an invitation"),
}
"""Variables of the Label Studio process, and why; an empty one is set to nothing, not left out."""


def environment_lines() -> list[str]:
    """Lines for a shell script.

    Examples
    --------
    >>> environment_lines()[0]
    'export COLLECT_ANALYTICS=false   # no statistics of use'
    """
    return [f"export {name}={value}   # {why}" for name, (value, why) in PRIVACY.items()]
