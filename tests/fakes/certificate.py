"""A certificate of our own for 127.0.0.1, which nobody trusts who is not told to; of no use elsewhere."""

import ssl
from pathlib import Path
from typing import Final

CERTIFICATE: Final = """\
-----BEGIN CERTIFICATE-----
MIIBljCCATygAwIBAgIUXQptlgiP9VZAESmrXShmtl3yx+MwCgYIKoZIzj0EAwIw
FzEVMBMGA1UEAwwMcmFua2xlLXRlc3RzMCAXDTI2MTEzMDIwMzQxNVoYDzIxMjYx
MTA2MjAzNDE1WjAXMRUwEwYDVQQDDAxyYW5rbGUtdGVzdHMwWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAAQ6VoZxO0E2ZbgUu/Y9DgK3hri/cCJY87rMhaNwHmuSeBxv
hf2Z7EuZgM4PMI9vhlA6iFIobcbfVZ6ODfgA/dOio2QwYjAdBgNVHQ4EFgQUzISm
2CTYKojQ5v4uWevusrP4hsQwHwYDVR0jBBgwFoAUzISm2CTYKojQ5v4uWevusrP4
hsQwDwYDVR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMC
A0gAMEUCIQDi80RGmInUMjOFopcItI3C8p2BnK+AyNMLprcRWHfZtgIgKCm80TrH
fOF5aQDNysRJlNWUKoPdBYyKitiLLsKYGDQ=
-----END CERTIFICATE-----
"""
_KEY: Final = """\
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgparNoU6Aqu4qugmF
80KW78Is+FaL4HLqbqTTI+OQBVChRANCAAQ6VoZxO0E2ZbgUu/Y9DgK3hri/cCJY
87rMhaNwHmuSeBxvhf2Z7EuZgM4PMI9vhlA6iFIobcbfVZ6ODfgA/dOi
-----END PRIVATE KEY-----
"""


def server_context(folder: Path) -> ssl.SSLContext:
    """What a server shows this certificate with; a folder of the test holds its files."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    certificate.write_text(CERTIFICATE, encoding="ascii")
    key.write_text(_KEY, encoding="ascii")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context
