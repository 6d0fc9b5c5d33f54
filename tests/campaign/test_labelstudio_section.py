import pytest
from pydantic import ValidationError

from ocrjury.campaign.labelstudio_section import LabelStudio


@pytest.mark.parametrize(
    "url", ["http://169.254.169.254", "http://[fe80::1]:8080", "http://metadata.google.internal"]
)
def test_a_link_local_server_is_none(url):
    with pytest.raises(ValidationError, match="a link-local address"):
        LabelStudio(url=url, allow_degraded=True, allow_external=True)
