from __future__ import annotations

import pytest
from pydantic import ValidationError

from heedful.text.config import TextConfig, suggested_vocabulary_size


def test_sizes_grow_as_the_root_between_the_two_ends() -> None:
    # 7 * sqrt(1,000,000) = 7000; 7 * sqrt(100,000) = 2213.6, up to a multiple of 8
    assert [suggested_vocabulary_size(n) for n in (0, 1_000_000, 100_000, 10**9)] == [
        304,
        7000,
        2216,
        32_000,
    ]


def test_joint_by_default_only_for_subwords() -> None:
    assert TextConfig().is_joint
    assert not TextConfig(joint=False).is_joint
    assert not TextConfig(source_tokens="chars", target_tokens="chars").is_joint
    assert TextConfig(source_tokens="chars", target_tokens="chars", joint=True).is_joint
    assert not TextConfig(target_tokens="words").is_joint


def test_joint_of_two_kinds_is_refused() -> None:
    with pytest.raises(ValidationError, match=r"source_tokens is 'chars' and target_tokens is 'su"):
        TextConfig(source_tokens="chars", joint=True)


@pytest.mark.parametrize("setting", [{"vocabulary_size": 15}, {"max_length": 0}, {"sizes": 3}])
def test_bad_settings_are_refused(setting: dict[str, int]) -> None:
    with pytest.raises(ValidationError):
        TextConfig.model_validate(setting)


def test_every_setting_is_described() -> None:
    assert all(field.description for field in TextConfig.model_fields.values())
