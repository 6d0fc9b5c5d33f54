import pytest

import ocrjury.flows.advance_evaluation as advance


@pytest.fixture
def waiting(small):
    small.write(rounds={"frontend": "file"}, sampling={"n": 40}).open()
    return small


def test_the_trouble_of_one_evaluation_of_whatever_kind_keeps_no_sweep_from_the_others(
    waiting,
):
    damaged = waiting.evaluation
    waiting.rate()
    waiting.monkeypatch.setitem(advance.STEPS, ("rated", "judged"), lambda *_: 1 / 0)
    waiting.pool = waiting.pool[:50]
    waiting.write(rounds={"frontend": "file"}, sampling={"n": 40}).open_only("q")

    end = advance.sweep()

    assert end.is_failed()
    assert f"{damaged} failed" in end.message
    assert waiting.rows()[-1] == "7"
