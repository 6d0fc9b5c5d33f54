"""The answers in a form that a browser without scripts posted."""

from collections.abc import Mapping

from ocrjury.frontends.web.bodies import Conditions


def body_of(fields: Mapping[str, str]) -> dict[str, object]:
    """Posted form as the body that a script would send."""
    flags = {
        name.removeprefix("value-"): "cannot_judge"
        for name, text in fields.items()
        if name.startswith("value-") and text == "cannot_judge"
    }
    return {
        "event_id": fields.get("event_id", ""),
        "base": int(fields.get("base", "0")),
        "outputs": int(fields.get("outputs", "1")),
        "rubric_hash": fields.get("rubric_hash", ""),
        "values": values_of(fields),
        "flags": flags,
        "flag": fields.get("flag") or None,
        "comment": fields.get("comment", ""),
        "confidence": float(fields["confidence"]) if fields.get("confidence") else None,
        "category": fields.get("category") or None,
        "conditions": Conditions(script=False).model_dump(),
    }


def values_of(fields: Mapping[str, str]) -> dict[str, float]:
    """Levels in a posted form, by dimension."""
    return {
        name.removeprefix("value-"): float(text)
        for name, text in fields.items()
        if name.startswith("value-") and text not in {"", "cannot_judge"}
    }
