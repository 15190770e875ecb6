"""TradingView's script service (`pine-facade`), backed by our own checker and store, with the same URLs and data
formats."""

from __future__ import annotations

from pinebench.studio.compile import (
    LARGEST_BODY,
    LONGEST_SOURCE,
    CheckedScript,
    compile_source,
    meta_info,
    translate_light,
)
from pinebench.studio.scripts import SAMPLE, NameTaken, NewerVersion, ScriptStore, StoredScript
from pinebench.studio.web import BadRequest, Response, Routes, StudioRequest, json_response

_LONGEST_NAME = 200


class Facade:
    """The routes of the script service; `store` holds its scripts."""

    def __init__(self, store: ScriptStore, folders: tuple[str, ...] = ()) -> None:
        self._store = store
        self._folders = folders
        """The folders that may hold the source of local libraries."""

    def add_to(self, routes: Routes) -> None:
        """Add the service's addresses to `routes`."""
        root = "/pine-facade/"
        routes.add("POST", root + "translate_light", self._translate_light, open=True, largest=LARGEST_BODY)
        routes.add("POST", root + "parse_title/?", self._parse_title, open=True, largest=LARGEST_BODY)
        routes.add("GET", root + "list/?", self._list)
        routes.add("GET", root + "get/([^/]+)/([^/]+)/?", self._get)
        routes.add("GET", root + "versions/([^/]+)(?:/last)?/?", self._versions)
        routes.add("POST", root + "save/new/?", self._save_new, largest=LARGEST_BODY)
        routes.add("POST", root + "save/next/([^/]+)/?", self._save_next, largest=LARGEST_BODY)
        routes.add("POST", root + "rename/([^/]+)/?", self._rename)
        routes.add("POST", root + "delete/([^/]+)/?", self._delete)

    def _translate_light(self, request: StudioRequest) -> Response:
        source = _source(request)
        if not source.strip():
            return json_response({"success": False, "reason": "Source text is empty"}, 400)
        return json_response(translate_light(compile_source(source, self._folders), request.query.get("v", "")))

    def _parse_title(self, request: StudioRequest) -> Response:
        return json_response({"success": True, "result": compile_source(_source(request)).declaration.title})

    def _list(self, request: StudioRequest) -> Response:
        if request.query.get("filter", "saved") != "saved":
            return json_response([])
        return json_response([_listed(script) for script in self._store.scripts()])

    def _get(self, request: StudioRequest) -> Response:
        script_id, version = request.groups
        number = _version_number(version)
        source = self._store.source(script_id, number)
        script = self._store.find(script_id)
        if source is None or script is None:
            return json_response({"success": False, "reason": "There is no such script or version"}, 404)
        listed = _listed(script)
        return json_response({**listed, "version": f"{number}.0" if number else listed["version"], "source": source})

    def _versions(self, request: StudioRequest) -> Response:
        versions = self._store.versions(request.groups[0])
        if not versions:
            return json_response({"success": False, "reason": "There is no such script"}, 404)
        return json_response(
            [{"version": f"{v.number}.0", "modified": int(v.saved), "lines": v.lines} for v in versions]
        )

    def _save_new(self, request: StudioRequest) -> Response:
        source, name = _source(request), _name(request)
        compiled = compile_source(source, self._folders)
        try:
            script = self._store.create(name, source, compiled.declaration.title or name, compiled.declaration.kind)
        except NameTaken:
            taken = next((s for s in self._store.scripts() if s.name.lower() == name.lower()), None)
            if taken is None or request.query.get("allow_overwrite", "false").lower() != "true":
                return json_response({"success": False, "reason": f'A script called "{name}" already exists'}, 409)
            script = self._store.save(taken.id, source, compiled.declaration.title or name, compiled.declaration.kind)
        return _saved(script, compiled)

    def _save_next(self, request: StudioRequest) -> Response:
        """Save the next version. With `base` in the query, save only if that version is the newest one (else: 409)."""
        source, based = _source(request), request.query.get("base")
        compiled = compile_source(source, self._folders)
        declared = compiled.declaration
        base = None if based is None else _version_number(based)
        try:
            return _saved(self._store.save(request.groups[0], source, declared.title, declared.kind, base), compiled)
        except NewerVersion as overtaken:
            reason = f"version {overtaken.newest.version}.0 was saved since, by another page or program"
            return json_response({"success": False, "reason": reason, "newest": _listed(overtaken.newest)}, 409)

    def _rename(self, request: StudioRequest) -> Response:
        name = _name(request)
        try:
            script = self._store.rename(request.groups[0], name)
        except NameTaken:
            return json_response({"success": False, "reason": f'A script called "{name}" already exists'}, 409)
        if script is None:
            return json_response({"success": False, "reason": "There is no such script"}, 404)
        return json_response(_listed(script))

    def _delete(self, request: StudioRequest) -> Response:
        found = self._store.delete(request.groups[0])
        return json_response({"success": found}, 200 if found else 404)


def _name(request: StudioRequest) -> str:
    name = request.query.get("name", "").strip()
    if not name:
        raise BadRequest("a script needs a name")
    if len(name) > _LONGEST_NAME or not name.isprintable():
        raise BadRequest(f"a script's name is one line of at most {_LONGEST_NAME} characters")
    return name


def _source(request: StudioRequest) -> str:
    source = request.form().get("source", "")
    if len(source) > LONGEST_SOURCE:
        raise BadRequest(f"the source is longer than {LONGEST_SOURCE} characters")
    return source


def _version_number(text: str) -> int | None:
    if text in ("last", "-1"):
        return None
    number = text.partition(".")[0]
    if not number.isdecimal() or len(number) > 9:
        raise BadRequest("a version is a number such as 1.0, or 'last'")
    return int(number)


def _listed(script: StoredScript) -> dict[str, object]:
    return {
        "scriptIdPart": script.id,
        "scriptName": script.name,
        "scriptTitle": script.title or script.name,
        "version": f"{script.version}.0",
        "modified": int(script.modified),
        "kind": script.kind,
        # Our own field: the page opens the user's scripts rather than the sample.
        "sample": script.id == SAMPLE and script.version == 1,
    }


def _saved(script: StoredScript | None, compiled: CheckedScript) -> Response:
    if script is None:
        return json_response({"success": False, "reason": "There is no such script"}, 404)
    info = {**meta_info(compiled.declaration), **_listed(script)}
    return json_response({"success": True, "result": {"metaInfo": info}})
