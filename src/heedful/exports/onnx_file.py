"""The format ONNX: a network as nodes, each with the names of what it takes and what it gives."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from heedful.wire import content, four_bytes, number

FLOAT, INT64, BOOL = 1, 7, 9
"""Types of elements."""

# Numbers of onnx.proto.
_IR, _PRODUCER, _GRAPH, _OPSET, _METADATA = 1, 2, 7, 8, 14  # in ModelProto
_NODE, _NAME, _INITIALIZER, _INPUT, _OUTPUT = 1, 2, 5, 11, 12  # in GraphProto
_IR_VERSION, _OPSET_VERSION = 8, 17

_KINDS = {"float32": (FLOAT, "<f4"), "int64": (INT64, "<i8")}

Attribute = int | float | Sequence[int]


@dataclass
class Graph:
    """A network, or one branch of it, which sees all that has a name outside of it."""

    name: str
    nodes: list[bytes] = field(default_factory=list)
    arrays: dict[str, bytes] = field(default_factory=dict)
    inputs: list[bytes] = field(default_factory=list)
    outputs: list[bytes] = field(default_factory=list)

    def input(self, name: str, kind: int, shape: Sequence[int | str]) -> str:
        """What is handed in; a size that is not always the same has a name."""
        self.inputs.append(_value(name, kind, shape))
        return name

    def output(self, name: str, kind: int, shape: Sequence[int | str]) -> None:
        """What is handed out: the name that some node gave."""
        self.outputs.append(_value(name, kind, shape))

    def array(self, name: str, values: np.ndarray) -> str:
        """Numbers that the network knows; of one name they are stored once."""
        if name not in self.arrays:
            self.arrays[name] = _tensor(name, values)
        return name

    def whole(self, *values: int) -> str:
        """A few whole numbers."""
        return self.array(f"{self.name}:{list(values)}", np.array(values, np.int64))

    def real(self, value: float) -> str:
        """One number."""
        return self.array(f"{self.name}:{value}", np.array(value, np.float32))

    def node(
        self, kind: str, *inputs: str, gives: str | None = None, **attributes: Attribute
    ) -> str:
        """One more, and the name of what it gives, which is made up unless told."""
        name = gives or f"{self.name}/{kind}{len(self.nodes)}"
        self._add(kind, inputs, [name], [_attribute(*item) for item in attributes.items()])
        return name

    def split(self, x: str, sizes: Sequence[int]) -> list[str]:
        """Cuts the last dimension into pieces of these sizes."""
        names = [f"{self.name}/Split{len(self.nodes)}.{n}" for n in range(len(sizes))]
        self._add("Split", [x, self.whole(*sizes)], names, [_attribute("axis", -1)])
        return names

    def choose(self, condition: str, then: Graph, otherwise: Graph, gives: Sequence[str]) -> None:
        """One of two branches is taken: what it hands out gets these names."""
        branches = {"then_branch": then, "else_branch": otherwise}
        self._add("If", [condition], gives, [_branch(*item) for item in branches.items()])

    def message(self) -> bytes:
        """As it is stored."""
        return b"".join(
            [
                *(content(_NODE, node) for node in self.nodes),
                content(_NAME, self.name),
                *(content(_INITIALIZER, array) for array in self.arrays.values()),
                *(content(_INPUT, value) for value in self.inputs),
                *(content(_OUTPUT, value) for value in self.outputs),
            ]
        )

    def _add(
        self, kind: str, inputs: Sequence[str], outputs: Sequence[str], attributes: Sequence[bytes]
    ) -> None:
        parts = [content(1, name) for name in inputs] + [content(2, name) for name in outputs]
        parts += [content(4, kind), *(content(5, attribute) for attribute in attributes)]
        self.nodes.append(b"".join(parts))


def onnx_file(graph: Graph, metadata: Mapping[str, str] | None = None) -> bytes:
    """A whole file."""
    return b"".join(
        [
            number(_IR, _IR_VERSION),
            content(_PRODUCER, "heedful"),
            content(_GRAPH, graph.message()),
            content(_OPSET, number(2, _OPSET_VERSION)),
            *(
                content(_METADATA, content(1, k) + content(2, v))
                for k, v in (metadata or {}).items()
            ),
        ]
    )


def _tensor(name: str, array: np.ndarray) -> bytes:
    kind, stored = _KINDS[str(array.dtype)]
    dims = b"".join(number(1, size) for size in array.shape)
    return dims + number(2, kind) + content(8, name) + content(9, array.astype(stored).tobytes())


def _value(name: str, kind: int, shape: Sequence[int | str]) -> bytes:
    sizes = (number(1, size) if isinstance(size, int) else content(2, size) for size in shape)
    dims = b"".join(content(1, size) for size in sizes)
    return content(1, name) + content(2, content(1, number(1, kind) + content(2, dims)))


def _attribute(name: str, value: Attribute) -> bytes:
    match value:
        case float():
            return content(1, name) + four_bytes(2, struct.pack("<f", value)) + number(20, 1)
        case int():
            return content(1, name) + number(3, value % 2**64) + number(20, 2)
        case _:
            return content(1, name) + b"".join(number(8, n) for n in value) + number(20, 7)


def _branch(name: str, graph: Graph) -> bytes:
    return content(1, name) + content(6, graph.message()) + number(20, 5)
