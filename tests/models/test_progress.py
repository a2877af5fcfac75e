"""What a model that is made ready tells where no bar is shown."""

import pytest

from rankle.models.progress import ModelProgress, tell_notable


def test_only_what_is_notable_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    tell_notable(ModelProgress("downloading a block", 10, 20))
    assert not caplog.records
    tell_notable(ModelProgress("model.onnx is damaged; 100 % anew", is_notable=True))
    assert [(each.name, each.levelname, each.getMessage()) for each in caplog.records] == [
        ("rankle", "WARNING", "model.onnx is damaged; 100 % anew")
    ]
