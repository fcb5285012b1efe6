"""Encryption and signatures of Web Push: RFC 8291 (aes128gcm) and RFC 8292 (VAPID)."""

from __future__ import annotations

import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from urllib.parse import urlsplit

import msgspec
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

RECORD_SIZE = 4096
PADDED = 256
"""Bytes to which a message is padded, so that its length tells nothing."""
TTL_SECONDS = 86400
"""Seconds for which a push service keeps a message for a browser that is away."""
TOKEN_SECONDS = 12 * 3600
"""Seconds for which a signature is valid."""
POINT_BYTES, AUTH_BYTES = 65, 16
_CURVE = ec.SECP256R1()
_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


class BadPushKey(ValueError):
    """A key of a subscription is not one; the message says what is wrong."""


def encode_base64url(data: bytes) -> str:
    """Return *data* in base64url without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decode_base64url(text: str) -> bytes:
    """Return the bytes of a base64url *text* with or without padding. Raises ValueError."""
    bare = text.rstrip("=")
    data = urlsafe_b64decode(bare + "=" * (-len(bare) % 4))
    if encode_base64url(data) != bare:
        raise ValueError(text)
    return data


def read_subscription_keys(p256dh: str, auth: str) -> tuple[bytes, bytes]:
    """Return the public key and the secret of a subscription. Raises :class:`BadPushKey`."""
    try:
        point, secret = decode_base64url(p256dh), decode_base64url(auth)
        _read_point(point)
    except ValueError:
        raise BadPushKey("This is no key. Send `p256dh` and `auth` as the browser gives them.") from None
    if len(point) != POINT_BYTES or len(secret) != AUTH_BYTES:
        raise BadPushKey("This key has a wrong length. Send `p256dh` and `auth` as the browser gives them.")
    return point, secret


def derive_vapid_key(server_secret: bytes) -> ec.EllipticCurvePrivateKey:
    """Return the key with which a server signs pushes: it follows from its secret, so it never changes."""
    wide = int.from_bytes(_expand(server_secret, b"", b"Rutter web push: VAPID key", 48))
    return ec.derive_private_key(wide % (_ORDER - 1) + 1, _CURVE)


def format_public_key(key: ec.EllipticCurvePrivateKey) -> str:
    """Return the public key in the form that browsers subscribe with."""
    return encode_base64url(_write_point(key))


def encrypt(
    message: bytes,
    point: bytes,
    auth: bytes,
    *,
    salt: bytes | None = None,
    sender: ec.EllipticCurvePrivateKey | None = None,
    padded: int = PADDED,
) -> bytes:
    """Return the body that only the browser with the keys *point* and *auth* can read.

    *salt* and *sender* are new for each message, except where a test gives them.
    """
    salt, sender = salt or os.urandom(16), sender or ec.generate_private_key(_CURVE)
    own = _write_point(sender)
    shared = sender.exchange(ec.ECDH(), _read_point(point))
    key_material = _expand(shared, auth, b"WebPush: info\0" + point + own, 32)
    key = _expand(key_material, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _expand(key_material, salt, b"Content-Encoding: nonce\0", 12)
    plain = (message + b"\x02").ljust(padded, b"\0")
    header = salt + RECORD_SIZE.to_bytes(4) + bytes([len(own)]) + own
    return header + AESGCM(key).encrypt(nonce, plain, None)


def make_headers(url: str, key: ec.EllipticCurvePrivateKey, contact: str, now: int) -> Mapping[str, str]:
    """Return the fields of a push to *url* at *now*: what it is, for how long, and from whom."""
    parts = urlsplit(url)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": now + TOKEN_SECONDS, "sub": contact}
    signed = ".".join(
        encode_base64url(msgspec.json.encode(one)) for one in ({"typ": "JWT", "alg": "ES256"}, claims)
    )
    r, s = decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    token = f"{signed}.{encode_base64url(r.to_bytes(32) + s.to_bytes(32))}"
    return {
        "Authorization": f"vapid t={token}, k={format_public_key(key)}",
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(TTL_SECONDS),
        "Urgency": "normal",
    }


def _expand(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def _read_point(point: bytes) -> ec.EllipticCurvePublicKey:
    return ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, point)


def _write_point(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
