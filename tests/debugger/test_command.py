"""`pinebench debug` as an editor starts it: on standard input and output, and at a port of this computer."""

import socket
import struct
import subprocess
import sys
from pathlib import Path

from pinebench.cli import main
from pinebench.debugger.protocol import Stream
from tests.cli.support import surroundings


def start(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "pinebench", "debug", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=surroundings(folder),
    )


def test_it_answers_on_standard_input_and_output(tmp_path: Path) -> None:
    process = start(tmp_path)
    assert process.stdin is not None
    assert process.stdout is not None
    stream = Stream(process.stdout, process.stdin)
    stream.write({"type": "request", "command": "initialize", "arguments": {"adapterID": "pinebench"}})
    answer = stream.read()
    assert answer is not None and answer["success"] and answer["body"]["supportsConditionalBreakpoints"]
    stream.write({"type": "request", "command": "disconnect", "arguments": {}})
    answer = stream.read()
    assert answer is not None and answer["success"]
    assert process.wait(60) == 0


def _initialize(port: int) -> None:
    """Connect as an editor, and have the first request answered."""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        stream = Stream(connection.makefile("rb"), connection.makefile("wb"))
        stream.write({"type": "request", "command": "initialize", "arguments": {}})
        answer = stream.read()
        assert answer is not None and answer["success"]


def test_it_answers_at_a_port_of_this_computer_only(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = start(tmp_path, "--port", str(port))
    assert process.stderr is not None
    try:
        assert f"127.0.0.1:{port}".encode() in process.stderr.readline()
        _initialize(port)
    finally:
        process.terminate()
        process.communicate(timeout=60)
    assert process.returncode == 0


def test_an_editor_that_breaks_its_connection_does_not_end_the_adapter(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = start(tmp_path, "--port", str(port))
    assert process.stderr is not None
    message = b'{"type": "request", "command": "threads"}'
    try:
        assert process.stderr.readline()
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # closing resets
            for _ in range(5000):
                connection.sendall(b"Content-Length: %d\r\n\r\n" % len(message) + message)
        _initialize(port)
    finally:
        process.terminate()
        process.communicate(timeout=60)


def test_bytes_that_are_no_message_are_said(tmp_path: Path) -> None:
    process = start(tmp_path)
    _, told = process.communicate(b"Content-Length: 5\r\n\r\n{abc}", timeout=60)
    assert b"pinebench: the editor sent data that is not a protocol message" in told


def test_a_port_that_is_taken_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert main(["debug", "--port", str(taken.getsockname()[1])]) == 3
