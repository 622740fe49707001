"""How namespaces are named."""

from __future__ import annotations

import re

_NAME = re.compile(r"[a-z0-9._-]{1,128}")


def namespace_name(text: str) -> str | None:
    """The name as it is stored: trimmed, in lower case; None when it is not a valid name."""
    name = text.strip().lower()
    return name if _NAME.fullmatch(name) else None
