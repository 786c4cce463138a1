"""A model whose engine is asked directly, and two sentences that it knows."""

from __future__ import annotations

from dataclasses import dataclass, field

from heedful.engines.engine import Task
from heedful.model_folder.card import Card
from heedful.planning import Planner
from heedful.serve.lanes import Answers
from heedful.serve.snapshot import Snapshot
from heedful.translator import Translator

from ..trained import sentences

FIRST, SECOND = (pair[0] for pair in sentences()[:2])


@dataclass
class Noted:
    """A model that notes what it is asked."""

    prose: Translator
    planner: Planner
    tasks: list[Task] = field(default_factory=list)
    again: list[bool] = field(default_factory=list)
    snapshot: Snapshot | None = None
    source: str = "en"
    target: str = "eo"

    @property
    def card(self) -> Card:
        return self.planner.card

    async def search(self, task: Task, *, again: bool = False) -> Answers:
        self.tasks.append(task)
        self.again.append(again)
        return self.prose.engine.search(task)
