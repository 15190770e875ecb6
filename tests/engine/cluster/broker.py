"""A Redis server of this computer for the tests that need a real broker."""

import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from pinebench.engine.cluster.log import Unreachable
from pinebench.engine.cluster.redis_log import RedisLog

PASSWORD = "only-for-this-test"


class Broker:
    """A server with a password, whose disk has everything that it has confirmed. It can be killed and started again."""

    def __init__(self) -> None:
        program = shutil.which("redis-server") or shutil.which("valkey-server")
        assert program is not None, "this test needs redis-server (apt install redis-server)"
        self._program = program
        self._folder = tempfile.mkdtemp()
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port = probe.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.start()

    def start(self) -> None:
        lines = [
            f'bind 127.0.0.1\nport {self.port}\ndir {self._folder}\nrequirepass {PASSWORD}\nsave ""',
            "appendonly yes\nappendfsync always\nmaxmemory-policy noeviction\n",
        ]
        settings = Path(self._folder) / "redis.conf"
        settings.write_text("\n".join(lines))
        self._process = subprocess.Popen([self._program, str(settings)], stdout=subprocess.DEVNULL)
        log, end = self.log(), time.monotonic() + 120
        while True:
            try:
                log.now()
                break
            except Unreachable:
                assert self._process.poll() is None and time.monotonic() < end, "the broker did not start"
                time.sleep(0.02)
        log.close()

    def log(self, name: str = "test") -> RedisLog:
        return RedisLog(self.url, name, password=PASSWORD)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)
