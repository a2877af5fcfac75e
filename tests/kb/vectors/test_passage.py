"""What of a chunk is embedded."""

import pytest

from rankle.kb.vectors.passage import embedded_text


@pytest.mark.parametrize(
    ("title", "breadcrumb", "text", "embedded"),
    [
        ("Pump", ("Power",), "Connect the cable.", "Pump\nPower\nConnect the cable."),
        ("Pump", (), "Connect the cable.", "Pump\nConnect the cable."),
        ("", (), "Connect the cable.", "Connect the cable."),
        ("Pump", ("Pump", "Power"), "Connect.", "Pump\nPower\nConnect."),
        ("Pump", ("Pump", "Power"), "# Pump\n\n## Power\n\nConnect.", "Pump\n\nPower\n\nConnect."),
        ("Pump", ("Pump", "Power"), "## Power\n\nConnect.", "Pump\nPower\n\nConnect."),
        ("Pump", ("Pump", "Power"), "Pump\n====\n\nAll of it.", "Power\nPump\n====\n\nAll of it."),
        ("Power", (), "Powerful engines.", "Power\nPowerful engines."),
        ("Power", (), "Power comes by cable.", "Power\nPower comes by cable."),
        ("", (), "#hashtag\n#define X\n### Deep\nend #", "#hashtag\n#define X\nDeep\nend #"),
        ("電池", ("電池",), "電圧を確認", "電池\n電圧を確認"),
    ],
)
def test_headings_stand_above_a_text_that_does_not_open_with_them(
    title: str, breadcrumb: tuple[str, ...], text: str, embedded: str
) -> None:
    assert embedded_text(title, breadcrumb, text) == embedded


def test_a_heading_that_is_only_mentioned_far_below_stands_above() -> None:
    text = "Connect the cable. " * 20 + "See Power."
    assert embedded_text("Power", (), text) == f"Power\n{text}"
