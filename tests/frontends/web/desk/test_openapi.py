"""Whatever is sent to the addresses of the OpenAPI document, the server never breaks."""

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

ADDRESS = "10.66.0.66"
CHEAP = settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture
def credentials(rounds, client_of, at_desk):
    place = rounds()
    rater, desk = client_of(place, "R01"), at_desk(place)
    rater.open()
    return place, (
        {"Cookie": rater.cookie, "X-Form-Token": rater.token},
        {"Cookie": desk.cookie, "X-Form-Token": desk.token},
        {},
    )


def answers(operation, place, whose):
    """The statuses that an operation answered with, whoever asked."""
    seen = set()

    @CHEAP
    @given(case=operation.as_strategy(), real=st.booleans(), data=st.data())
    def send(case, real, data):
        if real and "name" in (case.path_parameters or {}):
            case.path_parameters["name"] = place.evaluation
        # Wrong codes are limited by address, and browsers of other tests come from this machine's.
        headers = {"X-Forwarded-For": ADDRESS} | data.draw(st.sampled_from(whose))
        answer = case.call(headers=headers)
        assert answer.status_code < 500, (case.method, case.formatted_path, answer.text[:200])
        seen.add(answer.status_code)

    send()
    return seen


def test_no_request_breaks_the_server(credentials):
    place, whose = credentials
    _, lead, _ = whose
    where = f"{place.server.address}/openapi.json"
    schema = schemathesis.openapi.from_url(where, headers=lead)

    seen = [answers(operation.ok(), place, whose) for operation in schema.get_all_operations()]

    assert len(seen) >= 9
    assert {200, 401} <= set().union(*seen)


def test_every_address_says_what_it_may_be_refused_with(rounds, at_desk):
    document = at_desk(rounds()).json("/openapi.json")

    operations = {
        (path, method): set(operation["responses"])
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if path.startswith("/api/")
    }
    always = {"401", "403", "404", "409", "422", "429", "503"}

    assert len(operations) >= 9
    assert {where: always - told for where, told in operations.items() if always - told} == {}
