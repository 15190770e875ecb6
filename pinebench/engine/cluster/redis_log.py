"""The log in streams of Redis. Each call that must succeed as a whole is one Lua script, which is atomic."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Generator, Mapping, Sequence
from typing import Any

from pinebench.engine.cluster.log import UPDATES, IncompleteLog, Lease, NewEntry, Stale, StreamEntry, Unreachable
from pinebench.errors import UsageError
from pinebench.extras import missing

_SECONDS = 10.0
"""The longest time in seconds for an answer. Redis waits for its disk before it answers."""
_APPEND = """
if ARGV[1] ~= '' and redis.call('GET', KEYS[2]) ~= ARGV[1] then return {'stale', 0} end
local last = tonumber(redis.call('HGET', KEYS[1], ARGV[5]) or '0')
if ARGV[1] ~= '' and last > 0 then
  local found = redis.call('XRANGE', KEYS[3], last .. '-0', last .. '-0')
  if found[1] and found[1][2][4] == ARGV[2] then return {'done', last} end
end
if ARGV[3] ~= '' and last + 1 ~= tonumber(ARGV[3]) then return {'stale', last} end
local told = redis.call('TIME')
local now = told[1] * 1000 + math.floor(told[2] / 1000)
now = math.max(now, tonumber(redis.call('HGET', KEYS[1], '#time') or '0'))
redis.call('HSET', KEYS[1], '#time', string.format('%d', now))
local seen = redis.call('HGET', KEYS[1], ARGV[4]) or '0'
for place = 1, #KEYS - 2 do
  local stream, most, body = ARGV[2 + 3 * place], ARGV[3 + 3 * place], ARGV[4 + 3 * place]
  local number = redis.call('HINCRBY', KEYS[1], stream, 1)
  local id = string.format('%d-0', number)
  local fields = {'t', string.format('%d', now), 'n', ARGV[2], 's', seen, 'b', body}
  if most == '' then redis.call('XADD', KEYS[2 + place], id, unpack(fields))
  else redis.call('XADD', KEYS[2 + place], 'MAXLEN', '~', most, id, unpack(fields)) end
end
return {'done', last + 1}
"""
_IF_HELD = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[2] == 'renew' then redis.call('PEXPIRE', KEYS[1], ARGV[3])
elseif ARGV[2] == 'release' then redis.call('DEL', KEYS[1])
else redis.call('SET', KEYS[2], ARGV[3]) end
return 1
"""
_ATTEND = """
local told = redis.call('TIME')
local now = told[1] * 1000 + math.floor(told[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if ARGV[1] ~= '' then redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1]) end
return redis.call('ZRANGE', KEYS[1], 0, -1)
"""


class RedisLog:
    """A log in Redis 7 or Valkey; see `ClusterLog`. All its keys begin with `pinebench{NAME}:`."""

    def __init__(
        self, url: str, name: str = "pinebench", *, user: str | None = None, password: str | None = None,
        ca_file: str | None = None,
    ) -> None:  # fmt: skip
        """Prepare the connection; nothing is sent yet. `url` is `redis://HOST:PORT/DB`, `rediss://…` for TLS, or
        `unix://PATH`.

        Raises UsageError for another address, and UnavailableError without the package redis.
        """
        try:
            import redis
        except ImportError:
            raise missing("several engines", "engines") from None
        more: dict[str, Any] = {"ssl_ca_certs": ca_file} if ca_file is not None else {}
        given = {"username": user, "password": password}
        more |= {key: value for key, value in given.items() if value is not None}
        try:
            self._redis = redis.Redis.from_url(
                url, socket_timeout=_SECONDS, socket_connect_timeout=_SECONDS, health_check_interval=30, **more
            )
        except (ValueError, TypeError) as error:
            raise UsageError(f"the broker's address is not valid: {error}", "expected redis://HOST:6379/0") from None
        self._errors = redis.RedisError
        self._prefix = f"pinebench{{{name}}}:"
        self._numbers = self._key("numbers")
        self._append = self._redis.register_script(_APPEND)
        self._if_held = self._redis.register_script(_IF_HELD)
        self._attend = self._redis.register_script(_ATTEND)

    def _key(self, name: str) -> str:
        return self._prefix + name

    @contextlib.contextmanager
    def _asking(self) -> Generator[None]:
        try:
            yield
        except (self._errors, OSError) as error:
            raise Unreachable(f"the broker did not answer: {error or type(error).__name__}") from None

    def keeps(self) -> str | None:
        """Return the settings that may make Redis lose data, or None if there are none or they cannot be read."""
        try:
            found: Any = self._redis.config_get("appendonly", "appendfsync", "maxmemory-policy")
        except (self._errors, OSError):
            return None
        wanted = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction"}
        wrong = [f"{name} {found[name]}" for name, value in wanted.items() if found.get(name, value) != value]
        return ", ".join(wrong) or None

    def identity(self) -> str:
        """Return the log's unique id; see `ClusterLog.identity`."""
        with self._asking():
            self._redis.hsetnx(self._numbers, "#identity", uuid.uuid4().hex)
            found: Any = self._redis.hget(self._numbers, "#identity")
        return found.decode()

    def now(self) -> int:
        """Return the clock of Redis in milliseconds UTC."""
        with self._asking():
            found: Any = self._redis.time()
        return found[0] * 1000 + found[1] // 1000

    def append(
        self, entries: Sequence[NewEntry], nonce: str, *, lease: Lease | None = None, expected: int | None = None
    ) -> int:
        """Add entries to several streams, all or none; see `ClusterLog.append`."""
        named = self._key("none") if lease is None else self._key(f"lease:{lease.name}")
        keys = [self._numbers, named, *(self._key(f"stream:{part.stream}") for part in entries)]
        first = ["" if lease is None else lease.token, nonce, "" if expected is None else expected, UPDATES]
        rest = [value for part in entries for value in (part.stream, "" if part.most is None else part.most, part.body)]
        with self._asking():
            found: Any = self._append(keys=keys, args=[*first, *rest])
        if found[0] == b"stale":
            raise Stale(f"{entries[0].stream}: the lease has expired, or another process wrote first")
        return int(found[1])

    def read(self, after: Mapping[str, int], most: int, wait_ms: int) -> dict[str, list[StreamEntry]]:
        """Return at most `most` entries of each stream; see `ClusterLog.read`."""
        asked: Any = {self._key(f"stream:{stream}"): f"{number}-0" for stream, number in after.items()}
        with self._asking():
            found: Any = self._redis.xread(asked, count=most, block=wait_ms or None)
        got = {key.decode().removeprefix(self._key("stream:")): rows for key, rows in found or ()}
        told: dict[str, list[StreamEntry]] = {}
        for stream, number in after.items():
            told[stream] = entries = [_entry(*row) for row in got.get(stream, ())]
            if entries and entries[0].number != number + 1:
                raise IncompleteLog(
                    f"the message broker has lost entries {number + 1} to {entries[0].number - 1} of {stream}"
                )
        return told

    def ends(self, stream: str) -> tuple[int, int]:
        """Return the numbers of the first stored and the last added entry; see `ClusterLog.ends`."""
        with self._asking(), self._redis.pipeline(transaction=True) as together:
            together.hget(self._numbers, stream)
            together.xrange(self._key(f"stream:{stream}"), count=1)
            last, first = together.execute()
        number = int(last or 0)
        return (_entry(*first[0]).number if first else number + 1), number

    def entry(self, stream: str, number: int) -> StreamEntry | None:
        """Return one entry, or None if it is no longer stored."""
        id = f"{number}-0"
        with self._asking():
            found: Any = self._redis.xrange(self._key(f"stream:{stream}"), id, id)
        return _entry(*found[0]) if found else None

    def cut(self, stream: str, before: int) -> None:
        """Delete the entries of a stream whose numbers are below `before`."""
        with self._asking():
            self._redis.xtrim(self._key(f"stream:{stream}"), minid=f"{before}-0", approximate=False)

    def acquire(self, name: str, milliseconds: int) -> Lease | None:
        """Take a lease for `milliseconds`, or return None if somebody holds it. See `ClusterLog.acquire`."""
        lease = Lease(name, uuid.uuid4().hex)
        with self._asking():
            is_mine = self._redis.set(self._key(f"lease:{name}"), lease.token, nx=True, px=milliseconds)
        return lease if is_mine else None

    def renew(self, lease: Lease, milliseconds: int) -> bool:
        """Extend a lease; see `ClusterLog.renew`."""
        return self._held(lease, ["renew", milliseconds])

    def release(self, lease: Lease) -> None:
        """Release a lease; see `ClusterLog.release`."""
        self._held(lease, ["release"])

    def _held(self, lease: Lease, values: list[Any], key: str = "") -> bool:
        with self._asking():
            return bool(
                self._if_held(keys=[self._key(f"lease:{lease.name}"), self._key(key)], args=[lease.token, *values])
            )

    def is_held(self, name: str) -> bool:
        """Return whether anybody holds the lease `name`."""
        with self._asking():
            return bool(self._redis.exists(self._key(f"lease:{name}")))

    def put(self, name: str, value: bytes, lease: Lease | None = None) -> None:
        """Set the value called `name`; see `ClusterLog.put`."""
        if lease is not None:
            if not self._held(lease, ["put", value], f"value:{name}"):
                raise Stale(f"{name}: the lease has expired")
            return
        with self._asking():
            self._redis.set(self._key(f"value:{name}"), value)

    def get(self, name: str) -> bytes | None:
        """Return the value called `name`, or None if it was not set."""
        with self._asking():
            found: Any = self._redis.get(self._key(f"value:{name}"))
        return found

    def attend(self, engine: str, milliseconds: int) -> list[str]:
        """Register an engine as present, and return all engines that are present; see `ClusterLog.attend`."""
        with self._asking():
            found: Any = self._attend(keys=[self._key("engines")], args=[engine, milliseconds])
        return [each.decode() for each in found]

    def close(self) -> None:
        """Close the connections."""
        self._redis.close()


def _entry(id: bytes, fields: Mapping[bytes, bytes]) -> StreamEntry:
    number = int(id.partition(b"-")[0])
    return StreamEntry(number, int(fields[b"t"]), fields[b"n"].decode(), int(fields[b"s"]), fields[b"b"])
