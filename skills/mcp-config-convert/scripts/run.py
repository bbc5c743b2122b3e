"""Converts MCP server entries between clients' configurations: JSON in, JSON out, exit code 2 for wrong input."""

import json
import re
import sys
import tomllib

# Where each client keeps its servers: member of the configuration, file, format.
CLIENTS = {
    "vscode": ("servers", ".vscode/mcp.json", "json"),
    "cursor": ("mcpServers", ".cursor/mcp.json", "json"),
    "claude-code": ("mcpServers", ".mcp.json", "json"),
    "claude-desktop": ("mcpServers", "claude_desktop_config.json", "json"),
    "codex": ("mcp_servers", "~/.codex/config.toml", "toml"),
    "gemini": ("mcpServers", ".gemini/settings.json", "json"),
    "goose": ("extensions", "~/.config/goose/config.yaml", "yaml"),
    "lmstudio": ("mcpServers", "~/.lmstudio/mcp.json", "json"),
    "kiro": ("mcpServers", ".kiro/settings/mcp.json", "json"),
    "windsurf": ("mcpServers", "~/.codeium/windsurf/mcp_config.json", "json"),
    "zed": ("context_servers", "settings.json", "json"),
}
MEMBERS = {"config", "to", "from", "name"}
MAX_SERVERS = 500
MAX_TEXT = 1_000_000
HTTP_TYPES = {"http", "streamable_http", "streamable-http", "streamableHttp"}
# Members that say the same in other words; they are read, not lost.
UNDERSTOOD = {
    "type", "transport", "url", "httpUrl", "serverUrl", "uri", "headers", "http_headers", "bearer_token_env_var",
    "command", "cmd", "args", "env", "envs", "cwd", "source", "name", "enabled",
}
GOOSE_MEMBERS = {"extensions", "name", "type", "cmd", "args", "envs", "uri", "headers", "enabled"}
SECRET_NAME = re.compile(r"(?i)(?:key|token|secret|password|passwd|authorization|credential|cookie)")
REFERENCE = re.compile(r"\$\{[^}]*\}|\$[A-Z_]+\b|<[^>]*>|%[A-Z_]+%")


def refuse(message):
    print(f"input error: {message}", file=sys.stderr)
    sys.exit(2)


def read_input():
    try:
        data = json.load(sys.stdin)
    except (ValueError, RecursionError) as error:
        refuse(f"standard input is not JSON: {error}")
    if not isinstance(data, dict):
        refuse("the input must be an object with config and to")
    unknown = sorted(set(data) - MEMBERS)
    if unknown:
        refuse(f"{unknown[0]} is not a known member; use config, to, from, name")
    known = ", ".join(CLIENTS)
    if data.get("to") not in CLIENTS:
        refuse(f"to must be one of {known}")
    source = data.get("from", "auto")
    if source != "auto" and source not in CLIENTS:
        refuse(f"from must be auto or one of {known}")
    name = data.get("name", "server")
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", name):
        refuse("name must be 1 to 64 letters, digits, dots, hyphens or underscores")
    return read_config(data.get("config")), data["to"], source, name


def read_config(config):
    if isinstance(config, str):
        if len(config) > MAX_TEXT:
            refuse(f"config must be at most {MAX_TEXT} characters")
        try:
            config = json.loads(config)
        except (ValueError, RecursionError):
            try:
                config = tomllib.loads(config)
            except (ValueError, RecursionError) as error:
                refuse(f"config is neither JSON nor TOML: {error}")
    if not isinstance(config, dict) or not config:
        refuse("config must be an object that is not empty, or a text of one")
    return config


def is_bare(config):
    return isinstance(config.get("command"), str) or any(isinstance(config.get(key), str) for key in ("url", "httpUrl", "serverUrl", "uri"))


def detect(config, entries):
    """The client whose form this is; of those that share one, the first that it is known for."""
    if "mcp_servers" in config:
        return "codex"
    if "context_servers" in config:
        return "zed"
    if "extensions" in config:
        return "goose"
    if "servers" in config:
        return "vscode"
    if any("httpUrl" in entry for entry in entries):
        return "gemini"
    if any("serverUrl" in entry for entry in entries):
        return "windsurf"
    return "claude-code" if any("type" in entry for entry in entries) else "cursor"


def entries_of(config, source, name):
    """The client and its entries by name."""
    if is_bare(config):
        return ("bare" if source == "auto" else source), {name: config}
    members = [CLIENTS[source][0]] if source != "auto" else ["mcpServers", "servers", "mcp_servers", "context_servers", "extensions"]
    member = next((key for key in members if isinstance(config.get(key), dict)), None)
    if member is None:
        refuse(f"config has none of {', '.join(members)} with servers in it, and is no bare entry")
    entries = config[member]
    if len(entries) > MAX_SERVERS:
        refuse(f"config/{member} must hold at most {MAX_SERVERS} servers")
    for key, entry in entries.items():
        if not isinstance(entry, dict):
            refuse(f"config/{member}/{key} must be an object")
    return (detect(config, entries.values()) if source == "auto" else source), entries


def texts(entry, keys, where):
    """An object of texts under the first of these members that is there."""
    for key in keys:
        value = entry.get(key)
        if value is None:
            continue
        if not isinstance(value, dict) or not all(isinstance(it, (str, int, float, bool)) for it in value.values()):
            refuse(f"config/{where}/{key} must be an object of texts")
        return {name: it if isinstance(it, str) else json.dumps(it) for name, it in value.items()}
    return {}


def read_entry(name, entry):
    """The one form in between: transport, url and headers, or command, args, env and cwd."""
    kind = entry.get("type", entry.get("transport"))
    command = entry.get("command", entry.get("cmd"))
    # Older forms of Zed keep the command in an object of its own.
    if isinstance(command, dict):
        entry = {**entry, "args": command.get("args", []), "env": command.get("env", {})}
        command = command.get("path")
    if isinstance(command, str) and command:
        args = entry.get("args", [])
        if not isinstance(args, list) or not all(isinstance(it, str) for it in args):
            refuse(f"config/{name}/args must be a list of texts")
        server = {"transport": "stdio", "command": command, "args": args, "env": texts(entry, ("env", "envs"), name)}
        if isinstance(entry.get("cwd"), str):
            server["cwd"] = entry["cwd"]
        return server
    url = next((entry[key] for key in ("httpUrl", "serverUrl", "url", "uri") if isinstance(entry.get(key), str)), None)
    if url is None:
        return None
    if not re.match(r"(?i)https?://|\$\{", url):
        refuse(f"config/{name} must have an http(s) address, not {url[:80]}")
    return {"transport": "sse" if kind == "sse" else "http", "url": url, "headers": headers_of(name, entry)}


def headers_of(name, entry):
    headers = texts(entry, ("headers", "http_headers"), name)
    variable = entry.get("bearer_token_env_var")
    if isinstance(variable, str):
        headers = {**headers, "Authorization": f"Bearer ${{{variable}}}"}
    return headers


def some(**members):
    """Without what is empty."""
    return {key: value for key, value in members.items() if value not in (None, {}, [])}


def write_entry(client, name, server):
    """The entry in the client's form, or the reason why there is none."""
    stdio = server["transport"] == "stdio"
    if client == "claude-desktop" and not stdio:
        return None, "Claude Desktop takes remote servers as connectors in its settings, not in this file."
    if client == "codex" and server["transport"] == "sse":
        return None, "Codex speaks streamable HTTP only."
    if stdio:
        return write_command(client, name, server), None
    url, headers, kind = server["url"], server["headers"], server["transport"]
    if client in ("vscode", "claude-code"):
        return some(type=kind, url=url, headers=headers), None
    if client == "gemini":
        return some(**{"httpUrl" if kind == "http" else "url": url}, headers=headers), None
    if client == "windsurf":
        return some(serverUrl=url, headers=headers), None
    if client == "zed":
        return some(source="custom", url=url, headers=headers), None
    if client == "goose":
        kind = "streamable_http" if kind == "http" else "sse"
        return some(name=name, type=kind, uri=url, headers=headers, enabled=True), None
    if client == "codex":
        bearer = re.fullmatch(r"Bearer \$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)\}", headers.get("Authorization", ""))
        rest = {key: value for key, value in headers.items() if not (bearer and key == "Authorization")}
        return some(url=url, bearer_token_env_var=bearer[1] if bearer else None, http_headers=rest), None
    return some(url=url, headers=headers), None


def write_command(client, name, server):
    command, args, env, cwd = server["command"], server["args"], server["env"], server.get("cwd")
    if client == "goose":
        return some(name=name, type="stdio", cmd=command, args=args, envs=env, enabled=True)
    kind = {"type": "stdio"} if client in ("vscode", "claude-code") else {"source": "custom"} if client == "zed" else {}
    takes_cwd = client in ("vscode", "gemini", "codex")
    return {**kind, **some(command=command, args=args, env=env, cwd=cwd if takes_cwd else None)}


def lost_members(client, name, entry, server):
    lost = sorted(set(entry) - UNDERSTOOD)
    if entry.get("enabled") is False:
        lost.append("enabled")
    if "cwd" in server and client not in ("vscode", "gemini", "codex"):
        lost.append("cwd")
    return [{"name": name, "member": member} for member in lost]


def secrets_in(name, server):
    found = [
        {"name": name, "member": f"{group}/{key}"}
        for group in ("headers", "env")
        for key, value in server.get(group, {}).items()
        if SECRET_NAME.search(key) and value and not REFERENCE.search(value)
    ]
    if re.search(r"(?i)[?&][\w-]*(?:key|token|secret|password)=(?![$<%{])[^&]", server.get("url", "")):
        found.append({"name": name, "member": "url"})
    return found


def quoted(text):
    return json.dumps(text, ensure_ascii=False)


def toml_key(key):
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else quoted(key)


def toml_value(value):
    if isinstance(value, list):
        return f"[{', '.join(toml_value(it) for it in value)}]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{toml_key(key)} = {toml_value(it)}" for key, it in value.items()) + " }"
    # TOML's basic strings are JSON's, but for the one control character that JSON lets stand.
    return quoted(value).replace("\x7f", "\\u007F")


def to_toml(config):
    tables = []
    for name, entry in config["mcp_servers"].items():
        lines = [f"[mcp_servers.{toml_key(name)}]", *(f"{key} = {toml_value(value)}" for key, value in entry.items())]
        tables.append("\n".join(lines) + "\n")
    return "\n".join(tables)


def to_yaml(value, indent=""):
    """Texts in double quotes, which JSON and YAML read alike; keys too, unless they are ours: `no` and `on` are no names."""
    if isinstance(value, dict):
        lines = []
        for key, it in value.items():
            plain = key if key in GOOSE_MEMBERS else quoted(key)
            nested = isinstance(it, (dict, list)) and it
            lines.append(f"{indent}{plain}:" + (f"\n{to_yaml(it, indent + '  ')}" if nested else f" {quoted(it)}\n"))
        return "".join(lines)
    return "".join(f"{indent}- {quoted(it)}\n" for it in value)


def text_of(config, form):
    if form == "toml":
        return to_toml(config)
    if form == "yaml":
        return to_yaml(config)
    return json.dumps(config, indent=2, ensure_ascii=False) + "\n"


def main():
    config, client, asked, bare_name = read_input()
    source, entries = entries_of(config, asked, bare_name)
    member, path, form = CLIENTS[client]
    result = {"servers": [], "skipped": [], "lost": [], "secrets": []}
    written = {}
    for name, entry in entries.items():
        server = read_entry(name, entry)
        entry_out, reason = (None, "It has neither an address nor a command.") if server is None else write_entry(client, name, server)
        if entry_out is None:
            result["skipped"].append({"name": name, "reason": reason})
            continue
        written[name] = entry_out
        result["servers"].append({"name": name, "transport": server["transport"]})
        result["lost"] += lost_members(client, name, entry, server)
        result["secrets"] += secrets_in(name, server)
    out = {member: written}
    head = {"from": source, "to": client, "format": form, "file": path}
    print(json.dumps({**head, "config": out, "text": text_of(out, form), **result}, ensure_ascii=False))


# A lone surrogate in the input is written as the escape that it came as.
sys.stdout.reconfigure(errors="backslashreplace")
main()
