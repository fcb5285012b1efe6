"""Web Push: the example of RFC 8291, and signatures that a push service can check."""

import msgspec
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from projections.messages import web_push
from projections.messages.web_push import decode_base64url, encode_base64url

CURVE = ec.SECP256R1()
MESSAGE = b"When I grow up, I want to be a watermelon"
SENDER = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
POINT = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH, SALT = "BTBZMqHH6r4Tts7J_aSIgg", "DGv6ra1nlYgDCS1FRnbzlw"
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuw"
    "XPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def test_the_example_of_the_standard():
    """Appendix A of RFC 8291: with its salt and key the body is the same, byte for byte."""
    sender = ec.derive_private_key(int.from_bytes(decode_base64url(SENDER)), CURVE)
    point, auth = web_push.read_subscription_keys(POINT, AUTH)
    body = web_push.encrypt(MESSAGE, point, auth, salt=decode_base64url(SALT), sender=sender, padded=0)
    assert encode_base64url(body) == BODY


def test_a_signature_is_for_one_push_service():
    """Its claims name the origin of the address, an end within a day, and the contact."""
    key = web_push.derive_vapid_key(b"a" * 32)
    assert web_push.format_public_key(key) == web_push.format_public_key(web_push.derive_vapid_key(b"a" * 32))
    headers = web_push.make_headers("https://push.example.org:8443/x?y=z", key, "mailto:me@example.org", 1000)
    token, public = headers["Authorization"].removeprefix("vapid t=").split(", k=")
    assert public == web_push.format_public_key(key)
    head, claims, signature = token.split(".")
    assert msgspec.json.decode(decode_base64url(head)) == {"typ": "JWT", "alg": "ES256"}
    told = msgspec.json.decode(decode_base64url(claims))
    assert told == {"aud": "https://push.example.org:8443", "exp": 44200, "sub": "mailto:me@example.org"}
    raw = decode_base64url(signature)
    pair = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    key.public_key().verify(pair, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))


@pytest.mark.parametrize(
    ("point", "auth"), [("", AUTH), (POINT[:-4], AUTH), (POINT, AUTH[:-4]), ("!", AUTH), ("B" * 87, AUTH)]
)
def test_what_is_no_key_is_refused(point, auth):
    with pytest.raises(web_push.BadPushKey):
        web_push.read_subscription_keys(point, auth)
