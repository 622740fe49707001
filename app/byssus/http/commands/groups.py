"""Where a command stands in its parallel groups."""

from __future__ import annotations

from typing import Annotated

import msgspec

from byssus.errors import Refused, invalid
from byssus.http.commands.members import Document, Index, Sequence, decoder
from byssus.http.documents import verbatim
from byssus.http.validation import Identifier, check_bytes, refusal_of
from byssus.payloads import is_absent


class GroupEntry(msgspec.Struct):
    """Where a member stands in one of the parallel groups around it."""

    parallel_group_id: Identifier
    parallel_group_kind: Identifier
    parallel_group_base_sequence: Sequence
    parallel_group_size: Sequence
    parallel_group_index: Index
    parallel_group_mode: str | None = None

    @property
    def position(self) -> int:
        """The authored position of the member."""
        return self.parallel_group_base_sequence + self.parallel_group_index


class _Grouped(msgspec.Struct):
    parallel_group_path: Annotated[list[GroupEntry], msgspec.Meta(min_length=1, max_length=100)]


def group_members(command: msgspec.Raw, at: str) -> Document:
    """Where a command stands in its parallel groups: its members verbatim, and what of them is read."""
    if b"parallel_group_" not in bytes(command):
        return {}
    members = {
        name: value
        for name, value in _objects.decode(command).items()
        if name.startswith("parallel_group_") and not is_absent(value)
    }
    if not members:
        return {}
    try:
        path = _groups.decode(command).parallel_group_path
    except msgspec.ValidationError as fault:
        raise refusal_of(fault, at) from None
    for number, entry in enumerate(path):
        check_bytes(entry, f"{at}parallel_group_path.{number}.")
        if entry.parallel_group_mode == "select":
            raise Refused(
                "unsupported_workflow_command",
                "Parallel groups of mode select are not carried out by this server.",
                command_type="select",
                field=at + "parallel_group_path",
            )
        if entry.parallel_group_index >= entry.parallel_group_size or entry.position != path[-1].position:
            raise invalid(f"{at}parallel_group_path.{number}", "does not fit the other entries of its path")
    outermost = path[0]
    return {
        "group": verbatim(members),
        "group_position": path[-1].position,
        "group_base": outermost.parallel_group_base_sequence,
        "group_size": outermost.parallel_group_size,
    }


_objects = msgspec.json.Decoder(dict[str, msgspec.Raw])
_groups = decoder(_Grouped)
