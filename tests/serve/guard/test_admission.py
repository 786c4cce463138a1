"""Who is counted as whom."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.requests import Request

from heedful.errors import InputError
from heedful.serve.guard.admission import Admission
from heedful.serve.guard.keys import Keys
from heedful.serve.options import ServeOptions
from heedful.serve.refused import Refused

FORWARDED = "X-Forwarded-For"


def request(host: str = "9.9.9.9", *headers: tuple[str, str]) -> Request:
    lines = [(name.lower().encode(), value.encode()) for name, value in headers]
    return Request({"type": "http", "client": (host, 1), "headers": lines})


@pytest.mark.parametrize(
    ("lines", "address"),
    [
        ([], "9.9.9.9"),
        (["1.1.1.1, 2.2.2.2"], "2.2.2.2"),
        (["1.1.1.1", "3.3.3.3, 2.2.2.2"], "2.2.2.2"),  # the client's line, then the proxy's
        (["2.2.2.2:4711"], "2.2.2.2"),
        (["::ffff:2.2.2.2"], "2.2.2.2"),
        (["[2001:db8:1:2:3::4]:4711"], "2001:db8:1:2::/64"),
        (["2001:db8:1:2:ffff:ffff:ffff:ffff"], "2001:db8:1:2::/64"),
        (["unknown"], "9.9.9.9"),
        (["2.2.2.2,"], "9.9.9.9"),
        (["a" * 100_000], "9.9.9.9"),
    ],
)
def test_whom_a_proxy_speaks_for(lines: list[str], address: str) -> None:
    asked = request("9.9.9.9", *((FORWARDED, line) for line in lines))
    assert Admission(ServeOptions(behind_proxy=True)).address(asked) == address
    assert Admission(ServeOptions()).address(asked) == "9.9.9.9"


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
@pytest.mark.parametrize("behind_proxy", [False, True])
def test_metrics_are_for_this_machine(host: str, behind_proxy: bool) -> None:
    admission = Admission(ServeOptions(behind_proxy=behind_proxy))
    here = ("Host", "localhost:5000")
    admission.admit_to_metrics(request(host, here))
    for name in (FORWARDED, "Forwarded", "X-Real-IP", "Via", "Origin"):
        with pytest.raises(Refused):  # it may be somebody else's question
            admission.admit_to_metrics(request(host, here, (name, "127.0.0.1")))


@pytest.mark.parametrize("host", ["9.9.9.9", "10.0.0.1", "", "testclient", "fe80::1"])
def test_metrics_are_for_nobody_else(host: str) -> None:
    with pytest.raises(Refused) as refused:
        Admission(ServeOptions()).admit_to_metrics(request(host, ("Host", "localhost")))
    assert refused.value.status == 403


def test_a_token_for_metrics(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("secret\n", encoding="utf-8")
    for options in ServeOptions(metrics_key="secret"), ServeOptions(metrics_key_file=file):
        admission = Admission(options)
        admission.admit_to_metrics(request("9.9.9.9", ("Authorization", "Bearer secret")))
        for wrong in (), (("Authorization", "Bearer secre"),), (("Authorization", "Bearer é"),):
            with pytest.raises(Refused):
                admission.admit_to_metrics(request("127.0.0.1", *wrong))
    file.write_text(" \n", encoding="utf-8")
    with pytest.raises(InputError, match="is empty"):
        Admission(ServeOptions(metrics_key_file=file))
    with pytest.raises(InputError, match="give one of them"):
        ServeOptions(metrics_key="x", metrics_key_file=file).check()
    for empty in "", " ":
        with pytest.raises(InputError, match="--metrics-key is empty"):
            ServeOptions(metrics_key=empty).check()


def test_what_is_refused_counts_for_its_address(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    keys, secret = Keys([]).add("anna", rate=2)
    keys.write(file)
    admission = Admission(ServeOptions(keys=file, rate=2))
    for _ in range(2):
        asked = request()
        with pytest.raises(Refused) as refused:
            admission.admit(asked, "wrong")
        assert refused.value.status == 403
        assert admission.counted(asked, refused.value) is refused.value
    asked = request()
    assert admission.counted(asked, Refused(403, "Invalid API key")).status == 429
    with pytest.raises(Refused):
        admission.admit(request(), None)
    admission.admit(request("8.8.8.8"), None)  # others have their own
    let_in = request()
    admission.admit(let_in, secret)  # and keys have theirs
    assert admission.counted(let_in, Refused(400, "no text")).status == 400  # paid already


def test_a_flood_of_addresses_does_not_forget_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heedful.serve.guard.rates.MOST_KNOWN", 10)
    file = tmp_path / "keys.json"
    keys, secret = Keys([]).add("anna", rate=1)
    keys.write(file)
    admission = Admission(ServeOptions(keys=file))
    admission.admit(request(), secret)
    for n in range(50):
        admission.admit(request(f"9.9.9.{n}"), None)
    with pytest.raises(Refused) as refused:
        admission.admit(request(), secret)
    assert refused.value.status == 429


def test_damaged_keys_leave_those_that_were_there(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    keys, secret = Keys([]).add("anna", rate=0)
    keys.write(file)
    admission = Admission(ServeOptions(keys=file))
    file.write_text("[", encoding="utf-8")
    with pytest.raises(InputError):
        admission.read_keys()
    admission.admit(request(), secret)


def test_a_network_of_many_addresses_is_counted_too() -> None:
    """Whoever has a /48 has 65,536 times a /64."""
    admission = Admission(ServeOptions(rate=2))
    for n in range(20):
        admission.admit(request(f"2001:db8:1:{n:x}::1"), None)
    with pytest.raises(Refused) as refused:
        admission.admit(request("2001:db8:1:ffff::1"), None)
    assert refused.value.status == 429
    admission.admit(request("2001:db8:2::1"), None)  # another's
