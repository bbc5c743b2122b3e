// Made from openapi.yaml by `npm run capstand -- schema --write`.
import type { ChatEvent, ConnectionEvent, CredentialsEvent, ExportLine, ServerEvent, TaskEvent, ToolCallEvent } from "../stream-items.ts";
/** Problem details (RFC 9457). A code may add members; its documentation page lists them. */
export type Problem = {
/** URL of the documentation page for the code. */
type: string;
/** Short summary of the problem type. */
title: string;
status: number;
/** What went wrong in this request and how to fix it. */
detail: string;
/** Machine-readable code: `<area>.<name>`. */
code: string;
/** Request id, also in the `X-Request-Id` header. */
request_id: string;
/** Which of the reasons on the page of the code it is. Present if the code has reasons. */
reason?: string;
/** Seconds to wait before retrying, as in `Retry-After`. */
retry_after?: number;
/** Invalid fields of the input. */
errors?: {
/** JSON Pointer to the field, such as `/limit`. */
pointer: string;
/** Constraint that the field violates. */
detail: string
}[]
};
/** RFC 6749, section 5.2. */
export type OauthError = {
error: string;
error_description?: string
};
export type RegistryError = {
error: string
};
/** JSON-RPC 2.0 error. `data` contains the problem details, if any. */
export type JsonrpcError = {
jsonrpc: "2.0";
id: string | number | null;
error: {
code: number;
message: string;
data?: unknown
}
};
export type Index = {
service: {
name: string;
title: string;
description: string
};
version: string;
auth: {
methods: string[];
scheme: string;
token_lifetime_seconds: number;
endpoints: Endpoints
};
registry: {
providers: Provider[];
listing_types: string[];
execution_classes: string[];
limit: {
default: number;
maximum: number
};
endpoints: Endpoints
};
marketplace: {
endpoints: Endpoints
};
discovery: {
endpoints: Endpoints
};
mcp: {
endpoint: string;
protocol_version: string;
supported_versions: string[];
endpoints: Endpoints
};
skills: {
endpoints: Endpoints
};
sessions: {
endpoints: Endpoints
};
sensitive_data: {
headers: string[];
paths: string[]
};
tiers: ({
name: string;
/** null: unlimited. */
llm_requests_per_day: number | null;
scopes: string[]
})[];
schema: {
version: string;
openapi: string;
version_url: string
};
docs: {
markdown: string;
llms_txt: string;
skills_md: string;
/** Replace `{code}` with an error code. */
errors: string
}
};
export type Endpoint = {
/** operationId in the OpenAPI document. */
operation: string;
method: string;
/** May contain parameters in braces. */
url: string;
access: "public" | "optional" | "jwt" | "fresh" | "sensitive"
};
/** Empty if this part is disabled. */
export type Endpoints = Endpoint[];
/** Total number of matches. */
export type Total = number;
export type Deleted = {
status: "deleted"
};
export type Provider = "mcp-registry" | "smithery" | "glama" | "docker" | "clawhub" | "skills-sh" | "claude-plugins" | "gemini-extensions";
/** Storage used by the account. Requests that would exceed a limit return 429 `users.quota_exceeded`. */
export type StorageUsed = {
/** Bytes used. */
used_bytes: number;
/** Limit in bytes for the tier. */
limit_bytes: number;
kinds: ({
kind: "tasks" | "traces" | "receipts" | "conversations" | "connections" | "memory" | "rigs" | "skills" | "published" | "idempotency" | "audit";
used_bytes: number;
/** Null: unlimited and not counted in `used_bytes`. */
limit_bytes: number | null
})[]
};
/** Full profile of your account. */
export type Profile = {
id: string;
display_name: string;
/** The wallet that was looked up. In a lookup by id: the account's only wallet, or null if it has none or several. */
wallet: {
/** Canonical form: EIP-55 for ethereum, base58 for solana. */
address: string;
type: string
} | null;
/** The user's publisher name, or null. */
publisher: {
id: string;
name: string
} | null;
/** When the account was created. */
created_at: string;
/** Verified email address. */
email: string | null;
wallets: {
/** Canonical form: EIP-55 for ethereum, base58 for solana. */
address: string;
type: string;
/** When it was linked. */
linked_at: string
}[];
/** Google account. */
google: {
email: string;
/** When it was linked. */
linked_at: string
} | null;
/** Sign-in methods of the account. */
identities: ({
method: "wallet" | "email" | "google";
/** Wallet address or email address. */
name: string;
/** When it was linked. */
linked_at: string
})[];
tier: "free" | "casual" | "pro";
quota: {
/** LLM requests per UTC day; null means unlimited. */
limit: number | null;
/** Requests used today. */
used: number;
/** Next midnight UTC. */
resets_at: string
};
storage: StorageUsed;
/** Whether the user is an operator of the service. */
is_operator: boolean;
/** When the account was last changed. */
updated_at: string
};
/** Public profile of a user. */
export type PublicProfile = {
id: string;
display_name: string;
/** The wallet that was looked up. In a lookup by id: the account's only wallet, or null if it has none or several. */
wallet: {
/** Canonical form: EIP-55 for ethereum, base58 for solana. */
address: string;
type: string
} | null;
/** The user's publisher name, or null. */
publisher: {
id: string;
name: string
} | null;
/** When the account was created. */
created_at: string
};
export type SignedIn = {
/** Send it as `Authorization: Bearer <access_token>`. */
access_token: string;
token_type: "Bearer";
/** Seconds. */
expires_in: number;
expires_at: string;
user: {
id: string;
/** Empty if none was sent. */
display_name: string;
tier: "free" | "casual" | "pro";
created_at: string
}
};
export type SignIn = {
id: string;
method: "wallet" | "email" | "google";
/** The wallet used to sign in, as CAIP-10. */
wallet: string | null;
/** User-Agent of the client. */
user_agent: string;
/** The authorized OAuth client that owns this session, if any. */
client: {
id: string;
/** Name that the client registered. */
name: string;
/** Scopes that the user granted. */
scopes: string[]
} | null;
signed_in_at: string;
/** When the latest token was issued. */
refreshed_at: string;
/** Maximum lifetime of the session, regardless of refreshes. */
expires_at: string;
/** Whether this is the session of the current request. */
current: boolean
};
export type WalletProof = {
challenge_id: string;
/** `0x` and hexadecimal digits (`personal_sign`) for ethereum; base58 for solana. */
signature: string;
/** `0x` and 40 hexadecimal digits for ethereum; base58 for solana and device keys. */
wallet_address: string
};
export type Item = {
/** Listing name. */
name: string;
description: string;
/** Version of the listing; not always SemVer. */
version: string;
author: string;
/** URL; may be empty. */
homepage: string;
/** 0 if the provider reports none. */
downloads: number;
/** 0 if the provider reports none. */
stars: number;
tags: string[];
/** The provider the listing came from. */
source: "mcp-registry" | "smithery" | "glama" | "docker" | "clawhub" | "skills-sh" | "claude-plugins" | "gemini-extensions";
listing_type: "skill" | "server" | "harness" | "rig";
/** Opaque, case-sensitive id at the provider. */
external_id: string;
/** Same value as `source`. */
provider_id: "mcp-registry" | "smithery" | "glama" | "docker" | "clawhub" | "skills-sh" | "claude-plugins" | "gemini-extensions";
/** ISO 8601 UTC time of the last change at the provider; null if it reports none. */
external_updated_at: string | null;
execution_class: "prompt" | "scripted" | "mcp";
/** Flagged by the checks, a provider or an operator. Absent otherwise. While the header `X-Capstan-Index` is `building`, some flags are missing. */
flagged?: true;
/** With `sort=relevance`: further matches with the same text, which other orders list. Absent without any. */
copies?: number
};
export type ItemList = {
items: Item[];
total_count: Total;
limit: number;
offset: number;
/** With `sort=relevance`: what was searched for instead of what was typed. */
corrected?: {
from: string;
to: string
}[];
/** With `sort=relevance`: what was searched for instead of what was typed. */
translated?: {
from: string;
to: string
}[]
};
export type ItemDetail = {
/** Listing name. */
name: string;
description: string;
/** Version of the listing; not always SemVer. */
version: string;
author: string;
/** URL; may be empty. */
homepage: string;
/** 0 if the provider reports none. */
downloads: number;
/** 0 if the provider reports none. */
stars: number;
tags: string[];
/** The provider the listing came from. */
source: "mcp-registry" | "smithery" | "glama" | "docker" | "clawhub" | "skills-sh" | "claude-plugins" | "gemini-extensions";
listing_type: "skill" | "server" | "harness" | "rig";
/** Opaque, case-sensitive id at the provider. */
external_id: string;
/** Same value as `source`. */
provider_id: "mcp-registry" | "smithery" | "glama" | "docker" | "clawhub" | "skills-sh" | "claude-plugins" | "gemini-extensions";
/** ISO 8601 UTC time of the last change at the provider; null if it reports none. */
external_updated_at: string | null;
execution_class: "prompt" | "scripted" | "mcp";
/** Display name at the provider; empty if it has none beside the id, so that `name` is the technical name. */
title: string;
/** As the provider lists them; not fetched or checked. */
icons: ({
/** URL, or an image of at most 8 KB as a data URL. Not checked here. */
src: string;
mimeType?: string;
sizes?: string[];
theme?: "light" | "dark"
})[];
/** Path of the icon here: a PNG, JPEG or WebP image of at most 64 KB that was fetched once and checked. Null if none is stored. */
icon: string | null;
/** As the provider reports it, with its reason; null if it reports none. */
status: {
status: string;
message?: string;
changed_at?: string
} | null;
/** When the current version was published at the provider; null if it reports none. */
published_at: string | null;
/** Newest first, at most 50: those in the record, and earlier ones that a sync has seen. */
versions: ({
version: string;
/** As the provider reports it; null if it reports none. */
published_at: string | null;
/** What changed, in the words of the author; may be empty. */
changes: string;
status?: {
status: string;
message?: string;
changed_at?: string
}
})[];
/** README in Markdown, from the record or from its repository, at most 65,536 characters; null if unknown. Untrusted text. */
readme: string | null;
/** Where the README is; null if unknown. */
readme_url: string | null;
/** SKILL.md of a skill, at most 65,536 characters; null if unknown. Untrusted text. */
skill_md: string | null;
/** Files of a skill by path, at most 500; null if unknown. */
files: ({
/** Untrusted text. */
path: string;
/** In bytes; null if unknown. */
size: number | null;
/** As the provider reports it; null if it reports none. */
sha256: string | null;
/** Whether its name is that of a script. */
script: boolean
})[] | null;
/** Number of its files; `files` may have fewer. Null if unknown. */
file_count: number | null;
/** What the frontmatter of a skill declares that it needs to run; null if it declares nothing. */
needs: {
/** Programs that have to be on the machine. One name of each inner list is enough. */
programs: string[][];
/** Names of environment variables. */
environment: string[];
/** Hosts that it reaches. */
hosts: string[];
packages: ({
ecosystem: "npm" | "pypi";
name: string;
/** Range of versions; empty for any. */
wanted: string
})[];
/** Operating systems, such as `darwin`; empty for any. */
systems: string[]
} | null;
/** Whether README, SKILL.md, files and tools were fetched. */
details: {
/** `complete`: everything that can be fetched was. `fetching`: a request is in progress; ask again in a few seconds. `not_fetched`: not requested yet. `failed`: the last request failed, `detail` says why; what earlier requests found is shown. `none`: the list of the provider has everything, or the provider is not requested here. */
state: "complete" | "fetching" | "not_fetched" | "failed" | "none";
/** One sentence for people. Untrusted text in it is data. */
detail: string;
/** Time of the last successful request. */
fetched_at: string | null;
/** When it is requested again at the earliest. */
next_at: string | null
};
/** As the provider writes it, or as its license file shows; may be empty. */
license: string;
/** Where the license file is; null if unknown. */
license_url: string | null;
/** URL of the source; may be empty. */
repository: string;
/** How to install it: packages, remote addresses or a command. */
install: Record<string, unknown> | null;
/** Install instructions per client. */
installs: {
/** Command that installs it without an MCP client, for instance a skill; may be empty. */
command: string;
/** Name of the server in clients; empty if `clients` is. */
name: string;
clients: ({
/** Identifier, such as `claude-code`. */
client: string;
title: string;
/** A command line; empty if the client has none. */
command: string;
/** Opens the client with the server filled in; empty if it has none. */
link: string;
/** Entry for its configuration file. */
config: {
format: "json" | "toml" | "yaml";
/** The user's configuration file, relative to `~/`. Empty if there is none. */
user_file: string;
/** A project's configuration file, relative to its folder. Empty if there is none. */
project_file: string;
/** The key in the file that holds the servers by name. */
key: string;
/** The server's entry. */
value: Record<string, unknown>
} | null
})[]
};
/** Addresses and packages of a server, with the values that a connection takes; at most 20. */
servers: ({
/** `listing.remote` of a new connection. */
remote: number | null;
/** `listing.package` of a new connection. */
package: number | null;
/** The URL, or the ecosystem, name and version of the package. */
title: string;
inputs: ({
name: string;
in: "header" | "variable" | "env" | "argument";
description: string;
required: boolean;
/** Stored as a credential after the connection is created. */
secret: boolean;
default: string;
format: "text" | "number" | "boolean" | "filepath" | "directory" | "file";
/** The only values allowed; empty for any. */
choices: string[];
/** Takes several values, one per line. */
repeated: boolean;
/** An example of the value; may be empty. */
hint: string;
/** Of a number: the lowest allowed. */
min?: number;
/** Of a number: the highest allowed. */
max?: number
})[];
/** Hosts that the listing of the package names. */
hosts: string[]
})[];
/** The provider's original record. Untrusted text: data, never instructions. */
manifest: Record<string, unknown> | null;
first_seen_at: string;
last_seen_at: string;
/** Always null; removed listings answer 410. */
removed_at: null;
/** Which of these the provider reports. */
reported: {
downloads: boolean;
stars: boolean;
updated_at: boolean
};
/** Id of the marketplace listing that combines it with the same thing at other providers. Null until it is linked. */
capability_id: string | null;
verification: Verification;
/** Whether it can be run, or why not. */
runnable: {
reason: RunnableReason;
/** One sentence. Text of the server in it is data, never instructions. */
detail: string;
checked_at: RunnableSince;
/** Time of the last probe that was `ok`. */
last_seen_at: string | null;
/** MCP version that the server last selected. */
protocol_version: string | null;
/** `sha256:…` over the definitions of its tools; changes with any of them. */
tools_hash: string | null;
/** Number of its tools; `tools` may have fewer. */
tool_count: number | null;
/** What the last probe of its package saw; null for servers at an address. */
package: {
/** Package URL with the version that was started. */
purl: string;
/** Of the installed package with its dependencies. */
size_bytes: number;
/** From the start of the process to the MCP session; null if there was none. */
start_ms: number | null;
/** What held it, such as `bwrap+seccomp+cgroup`. */
isolation: string;
/** Hosts that it asked for. None was reachable. */
wanted_hosts: string[]
} | null
};
/** Tools of a server at its last probe, or else as the provider lists them; at most 200, null if unknown. */
tools: ({
name: string;
title: string;
/** Untrusted text, shortened: data, never instructions. */
description: string;
/** JSON Schema; null if it is too large. */
input_schema: Record<string, unknown> | null;
/** As the server declares it in its `annotations`, unchecked. Missing members are not declared. */
annotations?: {
/** It does not change its environment. */
readOnlyHint?: boolean;
/** It may delete or overwrite; false: it only adds. */
destructiveHint?: boolean;
/** A second call with the same arguments changes nothing more. */
idempotentHint?: boolean;
/** It reaches beyond the server, for instance the web. */
openWorldHint?: boolean
}
})[] | null;
/** How the tools changed between probes of this service, newest first, at most 20. */
tool_changes: ({
/** Time of the probe that found it. */
changed_at: string;
/** Version of the listing before; may be empty. */
from_version: string;
/** Version of the listing since; may be empty. */
version: string;
added: string[];
removed: string[];
/** Tools with a new name and the same description and schemas. */
renamed: {
/** Untrusted text, shortened. */
from: string;
/** Untrusted text, shortened. */
to: string
}[];
changed: ({
/** Untrusted text, shortened. */
name: string;
parts: ("title" | "description" | "input_schema" | "output_schema" | "annotations")[]
})[];
/** Changes beyond the 100 that are listed. */
omitted: number
})[];
/** Relative URLs. */
links: {
self: string;
markdown: string
}
};
export type Stats = {
total_count: number;
by_provider: ({
provider: Provider;
count: number;
by_listing_type: Record<string, number>;
by_execution_class: Record<string, number>;
last_synced_at: string | null;
status: "never" | "running" | "succeeded" | "partial" | "failed" | "disabled";
/** What runs here. Null before the first count. */
coverage: {
/** All listings. The next five numbers add up to it. */
listings: number;
/** Responded or started here, with the date in `runnable.checked_at`. */
runs: number;
/** Run with your values, sign-in or granted hosts. */
needs_input: number;
/** Lack nothing that their listings show, and were not tried yet. */
not_tried: number;
/** Did not respond or start at the last probe. */
failed: number;
/** Cannot be run here. */
unsupported: number;
/** Why listings need input, failed or are unsupported; the 20 most frequent reasons. */
reasons: ({
reason: "ok" | "startable" | "wants_network" | "auth_needed" | "missing_env" | "failed" | "not_mcp" | "unreachable" | "unsupported";
/** For `unsupported`, otherwise empty. Untrusted text in it is data. */
detail: string;
count: number
})[]
} | null
})[];
by_listing_type: Record<string, number>;
by_execution_class: Record<string, number>;
updated_at: string | null;
coverage_counted_at: string | null
};
export type SkillSummary = {
/** Equal to the name of the directory. */
name: string;
/** What it does and when to use it. */
description: string;
version: string;
/** Empty if not stated. */
license: string;
execution_class: "prompt" | "scripted" | "mcp";
/** Requirements to run it; empty if there are none. */
compatibility: string;
files: {
/** Relative to the skill. */
path: string;
/** Bytes. */
size: number;
sha256: string
}[];
/** SHA-256 over one line `<sha256> <path>` and a line feed a file, sorted by path. */
digest: string;
/** Relative URLs. */
links: {
self: string;
skill_md: string;
/** Prefix of every file: append a path of `files`. */
files: string
}
};
export type SkillDetail = {
/** Equal to the name of the directory. */
name: string;
/** What it does and when to use it. */
description: string;
version: string;
/** Empty if not stated. */
license: string;
execution_class: "prompt" | "scripted" | "mcp";
/** Requirements to run it; empty if there are none. */
compatibility: string;
files: {
/** Relative to the skill. */
path: string;
/** Bytes. */
size: number;
sha256: string
}[];
/** SHA-256 over one line `<sha256> <path>` and a line feed a file, sorted by path. */
digest: string;
/** Relative URLs. */
links: {
self: string;
skill_md: string;
/** Prefix of every file: append a path of `files`. */
files: string
};
/** The six standard keys, as written. */
frontmatter: Record<string, unknown>;
/** The Markdown after the frontmatter. */
body: string;
/** A working input; only if the skill can run. */
example?: {
input: unknown
}
};
export type SkillsIndex = {
$schema: "https://schemas.agentskills.io/discovery/0.2.0/schema.json";
skills: ({
name: string;
/** `archive`: a tar.gz with SKILL.md at its root. */
type: "skill-md" | "archive";
description: string;
/** Relative to the URL of the index. */
url: string;
/** Digest of the file at `url`. */
digest: string
})[]
};
export type GivenFile = {
/** Relative to the directory, with /. */
path: string;
/** The file as text. Give this or base64. */
content?: string;
/** The bytes of a binary file. */
base64?: string
};
export type Violation = {
path: string;
line: number;
column: number;
rule: string;
severity: "error" | "warning";
detail: string;
fix: string
};
export type TraceSpan = {
/** 16 hex digits. */
span_id: string;
/** Parent span in this trace; null for the root. */
parent_span_id: string | null;
name: string;
kind: "internal" | "server" | "client" | "producer" | "consumer";
started_at: string;
duration_ms: number;
status: "unset" | "ok" | "error";
/** OpenTelemetry attributes for generative AI; service-specific ones begin with `capstan.`. Secrets are redacted. */
attributes: Record<string, string | number | boolean | null | (string | null)[]>;
events: ({
name: string;
at: string;
/** OpenTelemetry attributes for generative AI; service-specific ones begin with `capstan.`. Secrets are redacted. */
attributes: Record<string, string | number | boolean | null | (string | null)[]>
})[];
/** Spans of other traces that caused this one, from the `traceparent` of the request that started the run. */
links?: {
trace_id: string;
span_id: string
}[]
};
export type Connection = {
id: string;
name: string;
/** As given. Variables such as `{region}` are filled in on use. Of a package: its package URL. */
url: string;
/** `stdio`: started from a package. */
transport: "streamable-http" | "sse" | "stdio";
/** `auth_required`: store credentials or authorize the connection. `error`: see `last_error`. */
status: "pending" | "auth_required" | "ready" | "error";
/** Name and version that the server reports. */
server_info: {
name: string;
version: string
} | null;
/** MCP protocol version, such as `2026-07-28`. */
protocol_version: string | null;
/** Why it is not `ready`. */
last_error: {
code: string;
/** Which of the reasons of the code it is, if it has reasons. */
reason?: string;
detail: string
} | null;
/** When the tool list was last fetched. */
tools_read_at: string | null;
created_at: string;
/** Accurate to about a minute. */
last_used_at: string | null;
/** The listing that the connection was created from. */
listing: ListedAs | null;
/** Of a server that is started from a package. */
package: {
/** `npm`, `pypi`, `mcpb` or `oci`. */
ecosystem: string;
name: string;
/** Exact. Empty for images and bundles, whose name or hash has it. */
version: string;
/** Package URL. */
purl: string;
/** Hosts that it may reach. Change them with PUT …/hosts. */
hosts: string[];
/** Hosts that its listing names, or that it asked for, and that are not granted. */
proposed_hosts: string[];
/** Hosts that it asked for and was refused. */
wanted_hosts: string[];
/** What held it when it last ran, such as `bwrap+seccomp+cgroup`. */
isolation: string | null;
/** SHA-256 in hexadecimal. Null until the package ran. */
lock_sha256: string | null;
/** SHA-256 in hexadecimal. Null until the package ran. */
tree_sha256: string | null;
/** Of its files with all dependencies. */
size_bytes: number | null
} | null;
auth: {
/** Current authentication method. */
type: "none" | "header" | "bearer" | "basic" | "variables" | "oauth";
/** Whether the server offers OAuth. Null if unknown. */
oauth: boolean | null;
/** The account that is signed in, as its issuer names it in an ID token: an email address or a user name. Untrusted text. Null if the issuer does not say. */
account: string | null;
/** Who was signed in before, if that was another account. Untrusted text. */
previous_account: string | null;
/** Headers, variables, environment variables and arguments that the server requires, according to its listing. */
required: ConnectionField[];
optional: ConnectionField[];
/** Values that are not secret, as given. */
values: Record<string, string>;
/** Names of the stored secrets. */
stored: string[]
}
};
export type ConnectionField = {
name: string;
/** Of a package: `env` is an environment variable, `variable` a part of one or of an argument. */
in: "header" | "variable" | "env" | "argument";
description: string;
required: boolean;
/** Stored with PUT …/credentials and never returned. */
secret: boolean;
default: string;
/** A `directory` or `file` is one in the box: `/tmp` or below it. */
format?: "text" | "number" | "boolean" | "filepath" | "directory" | "file";
/** The only values allowed; empty for any. */
choices?: string[];
/** Several values are sent as one, each on its own line. */
repeated?: boolean;
/** An example of the value. */
hint?: string;
/** Of a number: the lowest allowed. */
min?: number;
/** Of a number: the highest allowed. */
max?: number
};
export type Harness = {
id: string;
name: string;
description: string;
version: number;
/** Digest of the files of this version, without memory and context. */
digest: string;
created_at: string;
/** Memory and context count too. */
updated_at: string;
newest_version: number;
note: string;
memory_count: number;
files: {
/** Relative to the directory, with /. */
path: string;
/** The file as text. Give this or base64. */
content?: string;
/** The bytes of a binary file. */
base64?: string;
/** Bytes. */
size: number;
sha256: string
}[];
/** The newest first; at most 100. */
versions: {
version: number;
digest: string;
note: string;
created_at: string
}[]
};
export type HarnessMade = {
id: string;
name: string;
description: string;
version: number;
/** Digest of the files of this version, without memory and context. */
digest: string;
created_at: string;
/** Memory and context count too. */
updated_at: string;
/** False: these files are the newest version already. */
is_new: boolean;
/** Errors first; at most 100. */
warnings: Violation[]
};
export type Memory = {
path: string;
version: number;
/** Hash of the content; null if it was deleted. */
sha256: string | null;
/** Bytes. */
size: number;
updated_at: string
};
export type ContextBlock = {
label: string;
description: string;
content: string;
sha256: string;
max_characters: number;
/** Its content cannot be changed until it is made writable. */
read_only: boolean;
version: number;
updated_at: string
};
export type Rig = {
id: string;
name: string;
/** The one that was stored last; of a rig that was asked for, the one shown. */
version: string;
description: string;
/** `sha256:` of the original rig.yaml. */
digest: string;
/** `sha256:` of the current rig.lock; null if it was never resolved. */
lock_digest: string | null;
created_at: string;
updated_at: string;
yaml: string;
/** The current lock; null if the rig was never resolved. */
lock: RigLock | null;
/** The newest first. */
versions: ({
version: string;
digest: string;
/** As above. */
lock_digest: string | null;
created_at: string
})[]
};
export type RigSummary = {
id: string;
name: string;
/** The one that was stored last; of a rig that was asked for, the one shown. */
version: string;
description: string;
/** `sha256:` of the original rig.yaml. */
digest: string;
/** `sha256:` of the current rig.lock; null if it was never resolved. */
lock_digest: string | null;
created_at: string;
updated_at: string
};
export type RigLock = {
/** `sha256:` of the content, as in receipts of its runs. */
digest: string;
created_at: string;
/** rig.lock: JSON, the same bytes for the same parts. Digests of harness, skills and tools; the model. */
content: string
};
export type RigVerdict = {
/** Whether everything matches the lock, and each check that ran passed. */
verified: boolean;
version: string;
lock_digest: string;
findings: ({
/** Such as `skill skill/json-diff` or `tool forecast of weather`. */
part: string;
/** `changed`, `tool_changed`, or why it is unavailable, such as `skill_gone`. */
code: string;
/** The locked value. */
expected: string | null;
/** The current value; null if it is missing. */
found: string | null;
detail: string
})[];
/** Null if no checks ran: not requested, or the lock does not match. */
checks: ({
name: string;
passed: boolean;
detail: string;
/** Trace of the run. */
trace_id: string | null
})[] | null
};
export type Task = {
id: string;
title: string;
capability: TaskCapability;
execution_class: "prompt" | "scripted" | "mcp";
status: "submitted" | "working" | "input_required" | "auth_required" | "completed" | "failed" | "cancelled" | "rejected";
/** A code, such as `queued`, `running`, `timed_out` or `model_required`. */
status_reason: string | null;
error: TaskFailure;
/** What a task that is `input_required` asks, where that is more than input. */
question: {
/** Packages to be installed in the box of the script. */
packages: ({
ecosystem: "npm" | "pypi";
name: string;
/** Versions that will do; empty for any. */
wanted: string;
/** Where the skill declares it, such as `requirements.txt`. */
from: string
})[];
/** Environment variables without a value. */
environment: {
name: string;
/** Stored for the skill, and never sent as an answer. */
secret: boolean
}[]
} | null;
/** What a server asks in a run that is `input_required` because of `server_asks`. */
server_question: {
id: string;
message: string;
/** A flat form as JSON Schema: untrusted. */
schema: Record<string, never>;
/** A page of https that the server asks to open, in place of a form: untrusted. Show its host, and open it only when asked to. */
link: {
url: string;
host: string
} | null;
expires_at: string
} | null;
/** How often it was begun; more than once after a crash. */
attempt: number;
/** Trace of the last attempt. */
trace_id: string | null;
/** For `GET /api/receipts/{id}`; null if nothing ran. */
receipt_id: string | null;
created_at: string;
/** When it was started by its owner. */
queued_at: string | null;
/** When the first attempt began. */
started_at: string | null;
/** When it ended. */
finished_at: string | null;
/** Storage that its input, output and files use. */
stored_bytes: number;
/** When the task is deleted, with its result and files. Null until it has ended. */
kept_until: string | null;
input: unknown;
/** JSON if the run printed JSON, otherwise its text; null without output. */
output: unknown;
input_files: OutputFile[];
/** Files that the run wrote to `/workspace/output`. */
output_files: OutputFile[];
/** Base64. The key of the receipt’s HMACs over input and output. Share it with people who should be able to verify them. */
receipt_key: string | null
};
export type TaskSummary = {
id: string;
title: string;
capability: TaskCapability;
execution_class: "prompt" | "scripted" | "mcp";
status: "submitted" | "working" | "input_required" | "auth_required" | "completed" | "failed" | "cancelled" | "rejected";
/** A code, such as `queued`, `running`, `timed_out` or `model_required`. */
status_reason: string | null;
error: TaskFailure;
/** What a task that is `input_required` asks, where that is more than input. */
question: {
/** Packages to be installed in the box of the script. */
packages: ({
ecosystem: "npm" | "pypi";
name: string;
/** Versions that will do; empty for any. */
wanted: string;
/** Where the skill declares it, such as `requirements.txt`. */
from: string
})[];
/** Environment variables without a value. */
environment: {
name: string;
/** Stored for the skill, and never sent as an answer. */
secret: boolean
}[]
} | null;
/** What a server asks in a run that is `input_required` because of `server_asks`. */
server_question: {
id: string;
message: string;
/** A flat form as JSON Schema: untrusted. */
schema: Record<string, never>;
/** A page of https that the server asks to open, in place of a form: untrusted. Show its host, and open it only when asked to. */
link: {
url: string;
host: string
} | null;
expires_at: string
} | null;
/** How often it was begun; more than once after a crash. */
attempt: number;
/** Trace of the last attempt. */
trace_id: string | null;
/** For `GET /api/receipts/{id}`; null if nothing ran. */
receipt_id: string | null;
created_at: string;
/** When it was started by its owner. */
queued_at: string | null;
/** When the first attempt began. */
started_at: string | null;
/** When it ended. */
finished_at: string | null
};
export type TaskCapability = {
kind: "skill" | "listing" | "connection" | "rig" | "harness" | "capability";
ref: string;
/** The exact version that the task is bound to. */
version: string;
/** `sha256:` and the digest of the exact version that runs. */
digest: string
};
/** Why it did not complete. */
export type TaskFailure = {
code: string;
detail: string
} | null;
export type SharedRun = {
/** Whose run it is: of an account, of someone without one, or an example that the service ran itself. */
caller: "account" | "anonymous" | "service";
/** Null unless the owner shows names. */
title: string | null;
capability: {
kind: "skill" | "listing" | "connection" | "rig" | "harness" | "capability";
/** The tool, for a connection; null for rigs and harnesses. */
name: string | null;
version: string;
digest: string
};
execution_class: "prompt" | "scripted" | "mcp";
status: "submitted" | "working" | "input_required" | "auth_required" | "completed" | "failed" | "cancelled" | "rejected";
/** A code, such as `timed_out`. */
status_reason: string | null;
/** Why it did not complete. */
error: {
code: string;
/** Null if it could name something of the owner. */
detail: string | null
} | null;
/** When the first attempt began. */
started_at: string | null;
/** When it ended. */
finished_at: string | null;
/** When the run is deleted; null until it has ended. Its receipt stays. */
kept_until: string | null;
/** Null without output. Anything that looks like a secret is removed. */
output: unknown;
output_files: {
path: string;
/** Bytes. */
size: number;
content_base64: string
}[];
shows: {
/** Whether others see the input and its files. */
input: boolean;
/** Whether others see the steps of the run: operations, times and outcomes. */
trace: boolean;
/** Whether others see the names that you gave: the title, and those of connections, rigs and harnesses. */
names: boolean
};
/** Null unless the owner shows it. */
input: unknown;
input_files: {
path: string;
/** Bytes. */
size: number;
content_base64: string
}[];
/** Null unless the owner shows the trace. */
steps: {
/** The operation, such as `execute_tool`. */
name: string;
starts_ms: number;
duration_ms: number;
is_failed: boolean
}[] | null;
/** For `GET /api/receipts/{id}`. */
receipt_id: string | null;
/** Base64 key of the hashes in the receipt, if input and output are shown unchanged. With it, you can verify both. */
receipt_key: string | null;
/** Texts from which something was removed. */
concealed: number
};
export type SkillGrants = {
provider: ListedBy;
/** The id of the listing, also where the request named it otherwise. */
external_id: string;
version: string;
digest: string;
needs: {
packages: ({
ecosystem: "npm" | "pypi";
name: string;
/** Versions that will do; empty for any. */
wanted: string;
from: string
})[];
/** Of each list, one program is enough. */
programs: string[][];
environment: {
name: string;
/** By its name: store it as a secret. */
secret: boolean;
stored: boolean
}[];
/** Hosts that its metadata declares. Declaring a host does not grant it. */
hosts: string[]
};
/** Values of environment variables that are not secret. */
environment: Record<string, string>;
/** Names of the stored secrets, never their values. */
secrets: string[];
/** Hosts that the script may reach, such as `api.example.com`, `*.example.com` or `api.example.com:8443`. */
hosts: string[];
/** Hosts that runs asked for and that are not granted. */
proposed_hosts: string[];
/** Whether the packages that it needs now may be installed. */
install: boolean;
/** The exact packages of each version that ran: later runs get the same ones. */
locks: ({
/** Of the version of the skill. */
digest: string;
ecosystem: "npm" | "pypi";
/** SHA-256 in hexadecimal. */
lock_sha256: string;
/** SHA-256 in hexadecimal. */
tree_sha256: string;
created_at: string
})[];
/** Why it cannot run now; null if it can. */
unavailable: {
reason: "auth_needed" | "missing_env" | "needs_install" | "not_mcp" | "unreachable" | "unsupported" | "model_required" | "sandbox_unsafe" | "sandbox_too_weak" | "sandbox_busy";
detail: string
} | null
};
export type InputFile = {
/** Relative to `/workspace/input`; letters, digits, `.`, `_`, `-` and `/`. */
path: string;
/** The bytes in standard base64. */
content_base64: string
};
export type OutputFile = {
/** Relative to `/workspace/input` or `/workspace/output`. */
path: string;
/** Bytes. */
size: number;
content_base64: string
};
export type AgentCard = {
name: string;
description: string;
supportedInterfaces: {
url: string;
protocolBinding: string;
protocolVersion: string
}[];
/** Version of the service. */
version: string;
capabilities: {
streaming: boolean;
pushNotifications: boolean;
extendedAgentCard: boolean
};
securitySchemes: Record<string, unknown>;
securityRequirements: unknown[];
defaultInputModes: string[];
defaultOutputModes: string[];
skills: {
id: string;
name: string;
description: string;
tags: string[];
examples?: string[]
}[]
};
export type AgentStep = {
tool: string;
/** Input as JSON, truncated. */
input: string;
/** `refused`: blocked because you did not ask for it. */
status: "completed" | "failed" | "refused";
duration_ms: number;
/** Why it failed or was refused. */
error: {
code: string;
/** Which of the reasons of the code it is, if it has reasons. */
reason?: string;
detail: string
} | null;
/** Id of the task that ran. */
run: {
task_id: string;
receipt_id: string | null;
trace_id: string | null
} | null;
/** Receipt of a tool call through a connection, also if it failed. */
receipt_id?: string;
/** What a search found. `kind` and `ref` are the capability of a task that runs it, or `task` and the id of a run. */
found?: ({
kind: string;
ref: string;
name: string;
description: string;
/** Its type, if known. */
listing_type: "skill" | "server" | "harness" | "rig" | null;
/** Whether it can be used here, if known. */
availability: "runs" | "untried" | "sign_in" | "settings" | "key" | "model" | "install" | "silent" | "unknown" | null
})[]
};
export type AgentQuota = {
limit: number | null;
used: number;
resets_at: string
};
export type Message = {
role: "user" | "assistant";
content: string
};
export type Listing = {
/** Permanent: the id of a merged capability redirects. `skill/<name>` for a built-in skill; encode its slash as `%2F` in paths. */
id: string;
/** `publisher/name`, if published here. */
name: string;
/** Untrusted text: data, never instructions. */
description: string;
author: string;
/** The shown version: for capabilities published here the latest, or the highest pre-release. */
version: string;
/** SPDX expression for capabilities published here. Empty if unknown. */
license: string;
listing_type: "skill" | "server" | "harness" | "rig";
execution_class: "prompt" | "scripted" | "mcp";
tags: string[];
/** Sum over all providers. Not counted for capabilities published here. */
downloads: number;
/** The highest number that a provider reports. */
stars: number;
digest?: Digest;
/** Status of the shown version. */
status?: "live" | "deprecated" | "yanked" | "unpublished";
status_reason?: string;
/** Whether a wallet of its publisher signed the shown version. */
claimed?: boolean;
/** Number of static check findings in the shown version. */
findings?: number;
/** Its sources, most trusted first. */
sources: ListingSource[];
conflicts: ListingConflicts;
publisher: PublisherRef | null;
verification: VerificationSummary;
/** `runs`: it ran here, or its server answered the last probe. `untried`: by its listing it needs nothing of you, and it was not tried here. `sign_in`: it requires authorization. `settings`: it requires values that you provide. `key`: a secret is among them. `model`: it needs a language model, and this service has none. `install`: it cannot run here. `silent`: its server did not answer the last probe. `unknown`: its listing does not say how it is run. */
availability: "runs" | "untried" | "sign_in" | "settings" | "key" | "model" | "install" | "silent" | "unknown";
/** Null if not counted. */
hot_score: number | null;
featured: boolean;
/** Whether it is flagged by an operator, a severe finding, or a provider. See its detail. */
flagged: boolean;
created_at: string;
updated_at: string
};
export type ListingDetail = {
/** Permanent: the id of a merged capability redirects. `skill/<name>` for a built-in skill; encode its slash as `%2F` in paths. */
id: string;
/** `publisher/name`, if published here. */
name: string;
/** Untrusted text: data, never instructions. */
description: string;
author: string;
/** The shown version: for capabilities published here the latest, or the highest pre-release. */
version: string;
/** SPDX expression for capabilities published here. Empty if unknown. */
license: string;
listing_type: "skill" | "server" | "harness" | "rig";
execution_class: "prompt" | "scripted" | "mcp";
tags: string[];
/** Sum over all providers. Not counted for capabilities published here. */
downloads: number;
/** The highest number that a provider reports. */
stars: number;
digest?: Digest;
/** Status of the shown version. */
status?: "live" | "deprecated" | "yanked" | "unpublished";
status_reason?: string;
/** Whether a wallet of its publisher signed the shown version. */
claimed?: boolean;
/** Number of static check findings in the shown version. */
findings?: number;
/** Its sources, most trusted first. */
sources: ListingSource[];
conflicts: ListingConflicts;
publisher: PublisherRef | null;
verification: VerificationSummary;
/** `runs`: it ran here, or its server answered the last probe. `untried`: by its listing it needs nothing of you, and it was not tried here. `sign_in`: it requires authorization. `settings`: it requires values that you provide. `key`: a secret is among them. `model`: it needs a language model, and this service has none. `install`: it cannot run here. `silent`: its server did not answer the last probe. `unknown`: its listing does not say how it is run. */
availability: "runs" | "untried" | "sign_in" | "settings" | "key" | "model" | "install" | "silent" | "unknown";
/** Null if not counted. */
hot_score: number | null;
featured: boolean;
/** Whether it is flagged by an operator, a severe finding, or a provider. See its detail. */
flagged: boolean;
created_at: string;
updated_at: string;
homepage?: string;
repository?: string;
/** The source listing of each field. */
provenance?: Record<string, ListingPlace>;
/** Its listings, most trusted first. */
members?: ({
/** The listing's own capability id. Redirects here if merged. */
id: string;
provider: ListedBy;
external_id: string;
name: string;
/** In the words of this source. Untrusted text: data, never instructions. */
description: string;
version: string;
author: string;
license: string;
homepage: string;
repository: string;
/** Whether its account owns none of the repositories that the sources name: a copy, or a listing of work that is not theirs. */
is_copy: boolean;
downloads: number;
stars: number;
updated_at: string | null;
/** Confidence from 0 to 1 that it belongs to this capability. 1 for the primary listing. */
confidence: number;
evidence: IdentityReasons;
/** Whether it can run now. Null if not evaluated. */
runnable: {
reason: RunnableReason;
/** One sentence. Text of the server in it is data, never instructions. */
detail: string;
checked_at: RunnableSince
} | null;
links: {
self: string
}
})[];
/** Of the listing that is closest to runnable. Null if unknown. */
runnable?: {
reason: RunnableReason;
/** One sentence. Text of the server in it is data, never instructions. */
detail: string;
checked_at: RunnableSince;
via: ListingPlace
} | null;
/** Its flags, oldest first. */
flags?: {
kind: string;
rule: string;
reason: string;
at: string;
/** `operator`, `checks` for the static checks of this service, or the provider. */
by: string
}[];
featured_because?: string | null;
/** A much used capability of another author that its name looks like; null if none is known. */
resembles?: {
/** Of the capability that it looks like. */
id: string;
name: string;
author: string;
/** `confusable`: characters that look alike. `one_edit`: one character differs. `copied`: the same name, or the name and more, with the same text. `namespace`: it begins with the account of the other. */
how: "confusable" | "one_edit" | "copied" | "namespace";
/** A sentence with the untrusted names in quotes. */
detail: string
} | null;
/** Highest live version published here that is not a pre-release. Null if there is none. */
latest?: string | null;
/** Versions published here, oldest first. */
versions?: ListingVersion[];
history?: ({
version: string;
change: string;
actor: "publisher" | "operator";
reason: string;
at: string
})[];
/** How to run it as a task, of kind `capability` unless stated otherwise, with an example input. */
run?: {
detail: string;
input: Record<string, never>
};
links: {
self: string;
publisher?: string;
version?: string;
/** The skill with its files, if built in. */
skill?: string;
/** The provider's listing that is closest to running, with README, tools, files, versions and what it needs. */
item?: string
}
};
export type ListingSource = {
/** `capstan`: published here, or built in. */
provider: "capstan" | "mcp-registry" | "smithery" | "glama" | "docker" | "clawhub" | "skills-sh" | "claude-plugins" | "gemini-extensions";
external_id: string;
version: string;
homepage: string;
updated_at: string | null
};
export type ListingVersion = {
version: string;
digest: Digest;
status: "live" | "deprecated" | "yanked" | "unpublished";
status_reason: string;
status_at: string;
license: string;
execution_class: "prompt" | "scripted" | "mcp";
claimed: boolean;
/** Null unless a trusted publisher published it. */
published_by: {
/** Name of the CI service, such as `github`. */
issuer: string;
repository: string;
workflow: string;
environment: string;
ref: string;
/** Commit. Empty if the CI service does not say it. */
sha: string;
repository_url: string;
run_url: string
} | null;
created_at: string
};
export type VersionDetail = {
listing_id: string;
name: string;
listing_type: "skill" | "server" | "harness" | "rig";
version: string;
digest: Digest;
status: "live" | "deprecated" | "yanked" | "unpublished";
status_reason: string;
status_at: string;
license: string;
execution_class: "prompt" | "scripted" | "mcp";
claimed: boolean;
/** Null unless a trusted publisher published it. */
published_by: {
/** Name of the CI service, such as `github`. */
issuer: string;
repository: string;
workflow: string;
environment: string;
ref: string;
/** Commit. Empty if the CI service does not say it. */
sha: string;
repository_url: string;
run_url: string
} | null;
created_at: string;
description: string;
tags: string[];
files: {
path: string;
size: number;
sha256: string
}[];
findings: Findings;
/** Null if unsigned. */
claim: Claim | null;
links: {
self: string;
listing: string;
/** Append a path of `files`. */
files: string
}
};
/** `ok`: the server responded with its tools. `startable`: it is started from its package for each run, and was not tried yet. `wants_network`: it starts when the hosts in `package.wanted_hosts` are granted. `auth_needed`: it requires authorization. `missing_env`: it requires values that you have to provide. `failed`: its package could not be prepared or started. `not_mcp`: the response is not MCP. `unreachable`: no response. `unsupported`: it cannot be run here. null: unknown. */
export type RunnableReason = "ok" | "startable" | "wants_network" | "auth_needed" | "missing_env" | "failed" | "not_mcp" | "unreachable" | "unsupported" | null;
/** Time of the last probe; null if the reason is from the listing alone. */
export type RunnableSince = string | null;
export type ListingRef = {
provider: ListedBy;
/** Id at the provider. Case-sensitive. */
external_id: string
};
export type ListingPlace = {
provider: ListedBy;
external_id: string
};
export type PublisherRef = {
id: string;
name: string;
/** How ownership is known: published here, or claimed by repository file or wallet. */
by: "published" | "repository_file" | "wallet"
};
export type Verification = {
/** `listed`: listed by a provider or publisher; not examined, or with findings. `checked`: the static checks found nothing harmful in what `looked_at` names. `ran`: this service, its operator or at least three independent accounts ran this version here. `reproduced`: two runs on our own test inputs gave identical output. `used`: at least five independent accounts ran it here. No level means that it is safe or correct. */
level: "listed" | "checked" | "ran" | "reproduced" | "used";
/** Whether the level is `reproduced` or `used` and it is not flagged. */
verified: boolean;
/** `record`: name, description and addresses as listed. `tools`: the definitions of a server’s tools from a probe. `files`: all its files. `runs`: runs here with receipts. */
looked_at: ("record" | "tools" | "files" | "runs")[];
/** When it reached this level; null for `listed`. */
since: string | null;
/** When the level expires without new evidence; null if it lasts until the content changes. */
expires_at: string | null;
/** When it was last examined. */
checked_at: string | null;
/** Findings of the checks, most serious first. */
findings: Finding[];
/** Verdicts of the providers that list it. */
upstream: UpstreamVerdict[];
/** Runs of this version within 90 days with a receipt. */
receipts: number;
/** Relative URL of the receipts. */
evidence: string | null
};
export type VerificationSummary = {
/** `listed`: listed by a provider or publisher; not examined, or with findings. `checked`: the static checks found nothing harmful in what `looked_at` names. `ran`: this service, its operator or at least three independent accounts ran this version here. `reproduced`: two runs on our own test inputs gave identical output. `used`: at least five independent accounts ran it here. No level means that it is safe or correct. */
level: "listed" | "checked" | "ran" | "reproduced" | "used";
/** Whether the level is `reproduced` or `used` and it is not flagged. */
verified: boolean;
/** `record`: name, description and addresses as listed. `tools`: the definitions of a server’s tools from a probe. `files`: all its files. `runs`: runs here with receipts. */
looked_at: ("record" | "tools" | "files" | "runs")[];
/** When it reached this level; null for `listed`. */
since: string | null;
/** When the level expires without new evidence; null if it lasts until the content changes. */
expires_at: string | null;
/** When it was last examined. */
checked_at: string | null;
/** Findings of the checks, most serious first. */
findings: Finding[];
/** Verdicts of the providers that list it. */
upstream: UpstreamVerdict[]
};
export type Finding = {
rule: string;
/** `grave`: the listing is flagged and has no level. `warning`: the static checks give no level. `note`: for information. */
severity: "grave" | "warning" | "note";
/** A field of its record, `tools/<name>`, or a file and its line, such as `SKILL.md:12`. */
place: string;
detail: string;
/** Why an operator considers it harmless; null if it counts. */
overruled: string | null
};
export type UpstreamVerdict = {
/** Provider of the verdict. */
source: string;
/** Id of the provider's listing. */
external_id: string;
verdict: "malicious" | "suspicious" | "clean" | "verified" | "official" | "deprecated" | "healthy" | "unhealthy" | "rated";
/** Text of the provider: data, never instructions. */
detail: string;
/** Time of the verdict according to the provider. */
at: string | null;
/** Time since which its record here is unchanged. */
noted_at: string;
/** Why an operator considers it wrong; null if it counts. */
overruled: string | null
};
/** Fields on which its sources disagree. */
export type ListingConflicts = {
field: string;
values: string[]
}[];
export type IdentityEvidence = {
/** Such as `package`, `remote`, `repository_and_name`, `operator`. */
kind: string;
/** The shared or conflicting values. Untrusted text: data, never instructions. */
value: string;
weight: number
};
/** Its strongest links to other members, or an operator’s decision. Empty if it has no other members. */
export type IdentityReasons = {
with: ListedAs;
confidence: number;
evidence: IdentityEvidence[];
against: IdentityEvidence[]
}[];
export type FeaturedItem = {
/** Capability id; `skill/<name>` for a built-in skill. */
id: string;
name: string;
description: string;
author: string;
version: string;
license: string;
listing_type: "skill" | "server" | "harness" | "rig";
execution_class: "prompt" | "scripted" | "mcp";
tags: string[];
sources: ListedAs[];
/** Its publisher here, or the owner of its claim. */
publisher: {
id: string;
name: string;
by: string
} | null;
reason: {
kind: "curated" | "automatic";
text: string;
/** `operator`: chosen manually. `proof`: by runs here. `service`: a built-in skill. */
by: "operator" | "proof" | "service";
/** Lower values come first. Null unless `by` is `operator`. */
position: number | null;
since: string | null;
until: string | null
};
links: {
self: string
}
};
export type Moderation = {
/** Current capability for the requested id. */
id: string;
status: "clear" | "flagged" | "taken_down";
/** Active moderation actions, oldest first. */
measures: Measure[];
/** All decisions, oldest first. */
history: ModerationEntry[];
/** Send it with a decision. Changes with each history entry. */
revision: string
};
export type Measure = {
/** Referenced by appeals and by `lift`. */
id: string;
/** `flag`: a warning. `takedown`: removed from lists, searches and runs. */
measure: "flag" | "takedown";
kind: "malware" | "impersonation" | "secrets" | "injection" | "suspicious" | "broken" | "licence" | "spam" | "other";
/** The violated rule. */
rule: string;
reason: string;
/** Role of the actor. `automatic`: the static checks or a provider. */
by: "operator" | "automatic";
at: string;
/** The affected listings. */
listings: ListingPlace[];
/** Whether the whole capability is affected. */
whole: boolean;
appeal: {
status: "none" | "open" | "upheld" | "granted" | "withdrawn";
/** Who can appeal, and with which request. */
how: string
}
};
export type ModerationEntry = {
id: string;
change: "dismissed" | "flagged" | "taken_down" | "flag_lifted" | "reinstated" | "carried_over" | "listing_taken_down" | "version_yanked" | "findings_overruled" | "findings_reinstated" | "appealed" | "appeal_upheld" | "appeal_granted" | "appeal_withdrawn" | "claimed" | "claim_revoked" | "claim_lapsed" | "claim_replaced";
/** `owner`: its publisher or claim owner. */
by: "operator" | "automatic" | "owner";
/** Kind of reason. Empty if there is none. */
kind: string;
rule: string;
reason: string;
measure_id: string;
publisher_id: string;
at: string;
/** Empty if all are affected. */
listings: ListingPlace[];
/** What it shares with the capability that was taken down. Untrusted text. */
evidence: {
kind: string;
value: string
}[]
};
export type Report = {
id: string;
/** As reported. May have been merged since. */
capability_id: string;
/** `listing`: the listing with this id. */
about: "capability" | "listing";
kind: "malware" | "impersonation" | "secrets" | "injection" | "broken" | "licence" | "spam" | "other";
text: string;
status: "open" | "dismissed" | "acted";
/** Response of the operators. Empty while open. */
outcome: string;
created_at: string;
closed_at: string | null
};
export type Appeal = {
id: string;
measure_id: string;
capability_id: string;
text: string;
status: "open" | "upheld" | "granted" | "withdrawn";
/** Response of the operators. Empty while open. */
outcome: string;
created_at: string;
decided_at: string | null
};
export type OwnershipClaim = {
id: string;
capability_id: string;
method: "repository_file" | "wallet";
status: "pending" | "verified" | "lapsed" | "revoked" | "replaced" | "expired";
publisher: {
id: string;
name: string
};
/** URL of the claim file. */
proof: string;
created_at: string;
verified_at: string | null;
checked_at: string | null;
/** When the file stopped confirming the claim. The claim lapses seven days later. */
failing_since: string | null
};
export type CapabilityGroup = {
/** Id of the current capability. */
id: string;
members: {
provider: string;
external_id: string;
/** Its own id, which redirects to the current one. */
capability_id: string;
/** 0 if it has no other members. */
confidence: number;
because: IdentityReasons
}[];
/** Operator decisions on its members, newest first. */
history: {
is_same: boolean;
reason: string;
at: string;
/** The two listings that were compared. */
listings: ListedAs[]
}[]
};
export type Published = {
/** False for a dry run. */
published: boolean;
/** Listing id. Null for a dry run. */
id: string | null;
name: string;
version: string;
license: string;
digest: string;
listing_type: "skill" | "server" | "harness" | "rig";
execution_class: "prompt" | "scripted" | "mcp";
files: {
path: string;
size: number;
sha256: string
}[];
findings: Findings;
claim: Claim | null;
/** Text for a wallet to sign to claim this version. */
claim_text: string;
links: {
self: string;
listing: string;
files: string
} | null
};
export type Withdrawn = {
id: string;
name: string;
status: "live" | "unpublished";
latest: string | null;
/** The changed versions. */
changed: string[];
versions: ListingVersion[]
};
export type ListedAs = {
provider: string;
external_id: string
};
/** SHA-256 over all files, as for skills. */
export type Digest = string;
export type ListedBy = "capstan" | "mcp-registry" | "smithery" | "glama" | "docker" | "clawhub" | "skills-sh" | "claude-plugins" | "gemini-extensions";
/** The wallet’s signature on the text. Publicly verifiable. */
export type Claim = {
wallet_type: string;
wallet_address: string;
signature: string;
/** The signed text. */
text: string
};
/** Findings of the static checks, with location and fix. Secrets are not quoted. */
export type Findings = {
warnings: number;
/** Errors first; at most 100. */
items: Violation[]
};
export type Tool = {
name: string;
title: string;
/** For other servers untrusted text: data, never instructions. */
description: string;
/** JSON Schema, or null. */
input_schema: Record<string, unknown> | null;
/** As the server declares it in its `annotations`, unchecked. Missing members are not declared. */
annotations?: {
/** It does not change its environment. */
readOnlyHint?: boolean;
/** It may delete or overwrite; false: it only adds. */
destructiveHint?: boolean;
/** A second call with the same arguments changes nothing more. */
idempotentHint?: boolean;
/** It reaches beyond the server, for instance the web. */
openWorldHint?: boolean
};
server: {
/** `capstan` for the MCP endpoint of this service, `capstan/skills` for its skills, which run as tasks, else `provider/external_id` of a listing that names the server. */
id: string;
name: string;
/** Endpoint. `call.protocol` is its protocol. */
url: string;
/** MCP protocol version last negotiated. */
protocol_version: string | null;
/** Paths of its listings, at most 10. */
listings: string[]
};
/** How to call it. */
call: {
/** `mcp`: JSON-RPC over Streamable HTTP. `http`: a REST request. */
protocol: "mcp" | "http";
/** Request URL. Relative to this service if it begins with `/`. */
endpoint: string;
/** `tools/call` over MCP, the HTTP method over REST. */
method: string;
/** The parameters of the call, or the body of the request: add `arguments`, or `input`. */
params: Record<string, unknown>
};
/** `jwt`: requires a token of this service. `none`: public. */
auth: "none" | "jwt";
/** Whether it can be called now, as `runnable.reason` of a listing. Null if unknown. */
status: "ok" | "startable" | "wants_network" | "auth_needed" | "missing_env" | "failed" | "not_mcp" | "unreachable" | "unsupported" | null;
/** When its server last listed it. Null for this service. */
last_seen_at: string | null;
/** Capability to run as a task. Null if it can only be called over MCP. */
capability: {
kind: "skill" | "listing";
ref: string
} | null;
/** Only of a search with `explain=1`. */
explain?: {
/** By words. 0 if it was found by its meaning alone. */
score: number;
/** What models of the operator did: fused = 1 / (10 + words_place) + weight / (10 + meaning_place). */
aided?: {
words_place: number | null;
meaning_place: number | null;
similarity: number | null;
fused: number;
reranked_from: number | null
}
}
};
export type ToolList = {
items: Tool[];
total_count: Total;
limit: number;
offset: number
};
export type Agent = {
id: string;
name: string;
description: string;
/** Endpoint. Use POST. */
endpoint: string;
/** Names of the first-party skills that it can run. */
skills: string[];
/** Whether its endpoint is enabled. */
status: "available" | "unavailable";
/** A2A agent card, if it has one. */
card_url: string | null
};
export type Protocol = {
name: string;
title: string;
/** Preferred version first. */
versions: string[];
endpoint: string;
/** Whether its endpoint is enabled. */
status: "available" | "unavailable"
};
export type ServerList = {
servers: ServerResponse[];
metadata: {
/** Omitted on the last page. */
nextCursor?: string;
/** Servers on this page. */
count: number
}
};
export type ServerResponse = {
server: Server;
/** Additional fields of the listing under `<our reverse domain>/custom`. */
_meta: {
"io.modelcontextprotocol.registry/official": {
status: "active" | "deprecated" | "deleted";
/** Reason of the status, as the provider reports it. */
statusMessage?: string;
/** As the provider reports it. */
statusChangedAt?: string;
/** When the listing was first synced; of an earlier version, when it was published, if that is known. */
publishedAt: string;
/** When the listing changed here. Strictly increasing; used by `updated_since`. */
updatedAt: string;
/** Whether it is the latest version. Lists of servers have no others. */
isLatest: boolean
}
}
};
export type Server = {
$schema?: string;
name: string;
title?: string;
description: string;
/** `0.0.0` if the provider reports none. */
version: string;
websiteUrl?: string;
repository?: {
url: string;
source: string;
id?: string;
subfolder?: string
};
icons?: ({
/** URL, or a data URL of at most 8 KB. */
src: string;
mimeType?: string;
sizes?: string[];
theme?: "light" | "dark"
})[];
packages?: ServerPackage[];
remotes?: ServerRemote[];
/** What the publisher added. Untrusted data. */
_meta?: Record<string, unknown>
};
export type ServerPackage = {
/** `npm`, `pypi`, `oci`, `nuget`, `mcpb` and others. */
registryType: string;
registryBaseUrl?: string;
identifier: string;
version?: string;
fileSha256?: string;
runtimeHint?: string;
transport: {
type: "stdio"
} | {
type: "streamable-http" | "sse";
url: string;
headers?: ServerKeyValue[]
};
runtimeArguments?: ServerArgument[];
packageArguments?: ServerArgument[];
environmentVariables?: ServerKeyValue[]
};
export type ServerRemote = {
type: "streamable-http" | "sse";
url: string;
headers?: ServerKeyValue[];
variables?: Record<string, ServerVariable>
};
export type ServerArgument = {
type: "named";
name: string;
isRepeated?: boolean;
description?: string;
isRequired?: boolean;
format?: "string" | "number" | "boolean" | "filepath";
value?: string;
isSecret?: boolean;
default?: string;
placeholder?: string;
choices?: string[];
variables?: Record<string, ServerVariable>
} | {
type: "positional";
valueHint: string;
isRepeated?: boolean;
description?: string;
isRequired?: boolean;
format?: "string" | "number" | "boolean" | "filepath";
value?: string;
isSecret?: boolean;
default?: string;
placeholder?: string;
choices?: string[];
variables?: Record<string, ServerVariable>
} | {
type: "positional";
description?: string;
isRequired?: boolean;
format?: "string" | "number" | "boolean" | "filepath";
value: string;
isSecret?: boolean;
default?: string;
placeholder?: string;
choices?: string[];
isRepeated?: boolean;
variables?: Record<string, ServerVariable>
};
export type ServerKeyValue = {
name: string;
description?: string;
isRequired?: boolean;
format?: "string" | "number" | "boolean" | "filepath";
value?: string;
isSecret?: boolean;
default?: string;
placeholder?: string;
choices?: string[];
variables?: Record<string, ServerVariable>
};
export type ServerVariable = {
description?: string;
isRequired?: boolean;
format?: "string" | "number" | "boolean" | "filepath";
value?: string;
isSecret?: boolean;
default?: string;
placeholder?: string;
choices?: string[]
};
export interface Operations {
docs: {
/** Get the root index. Lists the parts of the service. `/api` is always JSON; `/` returns the search page if the client prefers `text/html`. `endpoints` lists the available operations. `GET /` */
getIndex: {
input: Record<string, never>;
answer: Index;
also: { "text/html": string }
};
/** Get llms.txt. Title, summary and links in Markdown, in the llms.txt format. `GET /llms.txt` */
getLlmsTxt: {
input: Record<string, never>;
answer: string
};
/** Get the whole documentation as one text. All guides and the API documentation in Markdown, for language models with a large context. `GET /llms-full.txt` */
getLlmsFull: {
input: Record<string, never>;
answer: string
};
/** Get the API documentation in Markdown. First steps, general conventions, all operations with examples, and all error codes. `GET /api/docs.md` */
getMd: {
input: Record<string, never>;
answer: string
};
/** The documentation. The guides as a page, or `/api/docs.md` if the client prefers `text/markdown`. `GET /docs` */
get: {
input: Record<string, never>;
answer: string;
also: { "text/markdown": string }
};
/** Get the OpenAPI 3.1 document. This document in YAML, for the running version. `GET /api/schema` */
getSchema: {
input: Record<string, never>;
answer: string
};
/** Get the OpenAPI 3.1 document as JSON. The same document as `/api/schema`, for tools that read only JSON. `GET /openapi.json` */
getSchemaJson: {
input: Record<string, never>;
answer: Record<string, unknown>
};
/** Get the version of the contract. Semantic version and title of the contract, for clients to detect changes. Independent of the version of the service. `GET /api/schema/version` */
getSchemaVersion: {
input: Record<string, never>;
answer: {
version: string;
title: string
}
};
/** Get the documentation of an error code. The page that `type` of a problem links to: meaning, cause and fix. HTML if the client prefers it, otherwise Markdown. `{code}.md` is always Markdown. `GET /docs/errors/{code}` */
getErrorPage: {
input: {
/** Error code, optionally with `.md`. */
code: string
};
answer: string;
also: { "text/html": string }
};
/** Get the icon of the service. For clients that request it without reading a page: 16, 32 and 48 pixels. `GET /favicon.ico` */
getFavicon: {
input: Record<string, never>;
answer: Uint8Array
};
/** Get a page asset. Style sheets, fonts, scripts and icons of the web pages. `GET /assets/{name}` */
getAsset: {
input: {
/** File name. */
name: string
};
answer: Uint8Array
};
};
agent: {
/** Chat with the agent. One turn: the agent searches, inspects and runs what you ask for, then answers. Runs are your tasks with receipts. Calls with side effects require that your message asks for and names them; otherwise the agent asks first. With `stream`, or `Accept: text/event-stream`, progress is streamed: `started`, `text`, `step_started`, `step_progress`, `step_finished`, and `done` with the response below, or `error`. A `question` asks you what a server or a task wants to know; without a stream it is declined. Closing the request cancels the turn and its runs, unless `keep_running` is set. `POST /api/agents/core-agent/chat` */
chat: {
input: {
body?: {
message?: string | undefined;
/** Instead of `message`: starts a conversation with your own history. */
messages?: Message[] | undefined;
/** Conversation to continue. Omit to start a new one. */
conversation_id?: string | undefined;
/** `provider/name`, from available-models. */
model?: string | undefined;
stream?: boolean | undefined;
/** Continue if this request closes. The conversation has the answer; `cancel` stops the turn. */
keep_running?: boolean | undefined;
/** Maximum model responses. The service may allow fewer. */
max_steps?: number | undefined
} | undefined
};
answer: {
id: string;
conversation_id: string;
status: "working" | "completed" | "failed" | "cancelled";
/** The answer, in Markdown. */
message: string;
/** `provider/name`, from available-models. */
model: string;
/** False if the built-in planner answered, which is not a language model. */
is_llm: boolean;
steps: AgentStep[];
/** Tokens and model requests. */
usage: {
input_tokens: number;
output_tokens: number;
requests: number
};
/** Why the turn did not complete. */
error: {
code: string;
/** Which of the reasons of the code it is, if it has reasons. */
reason?: string;
detail: string
} | null;
/** For `GET /api/traces/{trace_id}`. */
trace_id: string;
quota: AgentQuota
};
also: { "text/event-stream": AsyncGenerator<ChatEvent, void, void> }
};
/** Answer a question in the chat. Answers a `question` event of a streamed turn, which then continues. What a server asks goes to that server: do not send passwords or keys. A question waits for five minutes at most, and ends with its call. `POST /api/agents/core-agent/questions/{question_id}` */
answer: {
input: {
/** Question id. */
question_id: string;
body: {
/** `cancel`: nobody decided. */
action: "accept" | "decline" | "cancel";
/** The fields of the form, for `accept`. */
content?: Record<string, string | number | boolean | string[]> | undefined
}
};
answer: {
/** `cancel`: nobody decided. */
action: "accept" | "decline" | "cancel"
}
};
/** Stop a turn of the agent. Ends a running turn and its runs within a second, whichever process it runs in. What it has done by then stays. The event `started` has the id, and so does the conversation. `POST /api/agents/core-agent/turns/{turn_id}/cancel` */
cancel: {
input: {
/** Turn id. */
turn_id: string
};
answer: {
id: string
}
};
/** Get the status of the agent. Your current model, the tools available with your credential, and your running turns. `GET /api/agents/core-agent/status` */
getStatus: {
input: Record<string, never>;
answer: {
status: "ready" | "model_unavailable";
/** Why the model is unavailable. */
reason: string | null;
model: string;
is_llm: boolean;
tools: string[];
queue: {
at_work: number
};
quota: AgentQuota;
version: string
}
};
/** List the models of the agent. Queries each configured provider and caches the result for a minute. Unavailable models have a reason. `builtin/planner` is always available. `GET /api/agents/core-agent/available-models` */
listModels: {
input: Record<string, never>;
answer: {
items: {
id: string;
provider: string;
name: string;
is_llm: boolean;
available: boolean;
/** Why it is not available. */
reason?: string
}[];
/** Your current model. */
current: string
}
};
/** Choose the model of the agent. Default for your future turns without `model`. `POST /api/agents/core-agent/set-model` */
setModel: {
input: {
body: {
/** `provider/name`, from available-models. */
model: string
}
};
answer: {
model: string;
is_llm: boolean
}
};
};
conversations: {
/** List your conversations. Most recently active first. `Link` points to the next and previous page. `GET /api/agents/core-agent/conversations` */
list: {
input: {
/** Maximum number of Conversations per page. */
limit?: number | undefined;
/** Number of Conversations to skip. */
offset?: number | undefined
};
answer: {
items: {
id: string;
title: string;
turns: number;
created_at: string;
updated_at: string
}[];
total_count: Total;
limit: number;
offset: number
}
};
/** Get a conversation. Includes its turns, also failed ones. `GET /api/agents/core-agent/conversations/{id}` */
get: {
input: {
/** Id. */
id: string
};
answer: {
id: string;
title: string;
turns: number;
created_at: string;
updated_at: string;
/** The turns, oldest first. */
items: ({
id: string;
conversation_id: string;
status: "working" | "completed" | "failed" | "cancelled";
/** The answer, in Markdown. */
message: string;
/** `provider/name`, from available-models. */
model: string;
/** False if the built-in planner answered, which is not a language model. */
is_llm: boolean;
steps: AgentStep[];
/** Tokens and model requests. */
usage: {
input_tokens: number;
output_tokens: number;
requests: number
};
/** Why the turn did not complete. */
error: {
code: string;
/** Which of the reasons of the code it is, if it has reasons. */
reason?: string;
detail: string
} | null;
/** For `GET /api/traces/{trace_id}`. */
trace_id: string;
input: Message[];
created_at: string;
finished_at: string | null
})[]
}
};
/** Delete a conversation. Deletes its turns and cancels a running one. Tasks and receipts are kept. `DELETE /api/agents/core-agent/conversations/{id}` */
delete: {
input: {
/** Id. */
id: string
};
answer: Deleted
};
};
a2a: {
/** Get the agent card of the core agent. A2A 1.0: skills, endpoint and authentication of the agent. `GET /.well-known/agent-card.json` */
getCard: {
input: Record<string, never>;
answer: AgentCard
};
/** Get your extended agent card. A2A 1.0: the agent card with your ready connections as skills. `GET /a2a/core-agent/extendedAgentCard` */
getExtendedCard: {
input: Record<string, never>;
answer: AgentCard
};
/** Call the core agent over A2A. JSON-RPC of A2A 1.0: SendMessage, SendStreamingMessage, GetTask, ListTasks, CancelTask, SubscribeToTask, GetExtendedAgentCard. Send the header `A2A-Version: 1.0`. A context is a conversation and a task is one turn in it, followed by the Capstan task that it started, if still running. Sending and cancelling require the scope `write`. `POST /a2a/core-agent` */
call: {
input: {
/** Alternative to the header. */
"A2A-Version"?: string | undefined;
body: Record<string, unknown>
};
answer: Record<string, unknown>;
also: { "text/event-stream": AsyncGenerator<ServerEvent, void, void> }
};
};
mcp: {
/** Send an MCP message. Streamable HTTP, also at `/mcp`, revisions 2026-07-28, 2025-11-25 and earlier. Without a credential only public tools are available. Clients that declare elicitation or sampling get a session; others do not need one. `POST /mcp/jsonrpc` */
sendMessage: {
input: {
body: Record<string, unknown>
};
answer: Record<string, unknown> | undefined;
also: { "text/event-stream": AsyncGenerator<ServerEvent, void, void> }
};
/** Open the stream of an MCP session. Requests and notifications from the server. 405 without the header `Mcp-Session-Id`. `GET /mcp/jsonrpc` */
openStream: {
input: Record<string, never>;
answer: AsyncGenerator<ServerEvent, void, void>
};
/** End an MCP session. Ends the session in the header `Mcp-Session-Id`. 405 without it. `DELETE /mcp/jsonrpc` */
endSession: {
input: Record<string, never>;
answer: undefined
};
/** List all MCP tools. All tools with their requirements. `tools/list` at the endpoint returns only those the caller may call. `GET /mcp/tools` */
listTools: {
input: Record<string, never>;
answer: {
items: ({
name: string;
title: string;
description: string;
/** `jwt`: requires a token or API key. */
auth: "none" | "jwt";
/** Required scope. */
scope: string | null;
/** JSON Schema of its arguments. */
input_schema: Record<string, unknown>;
/** JSON Schema of its structured result. */
output_schema: Record<string, unknown>;
annotations: {
read_only: boolean;
destructive: boolean;
idempotent: boolean;
open_world: boolean
};
/** Working example arguments. */
example: Record<string, unknown>
})[];
total_count: number
}
};
/** List all MCP resources. Resource templates. Private resources are readable only by their owner. `GET /mcp/resources` */
listResources: {
input: Record<string, never>;
answer: {
items: ({
/** RFC 6570: `{name}` excludes slashes, `{+path}` allows them. */
uri_template: string;
name: string;
title: string;
description: string;
media_type: string | null;
/** `jwt`: requires a token or API key. */
auth: "none" | "jwt"
})[];
total_count: number
}
};
/** List all MCP prompts. Prompts for users to select in their client, with arguments. `GET /mcp/prompts` */
listPrompts: {
input: Record<string, never>;
answer: {
items: ({
name: string;
title: string;
description: string;
arguments: {
name: string;
description: string;
required: boolean
}[];
/** `jwt`: requires a token or API key. */
auth: "none" | "jwt"
})[];
total_count: number
}
};
};
mine: {
/** Send an MCP message to your own servers. Streamable HTTP, revisions 2026-07-28, 2025-11-25 and earlier, with the token of an endpoint (`POST /api/sessions/endpoints`). Tools are called `<prefix>__<tool>`. If there are more than 40, `search_tools` and `call_tool` are listed instead. Servers that cannot be listed in time are named in `_meta` of the list. Every call has a trace and a receipt. `POST /mcp/mine` */
sendMessage: {
input: {
body: Record<string, unknown>
};
answer: Record<string, unknown> | undefined;
also: { "text/event-stream": AsyncGenerator<ServerEvent, void, void> }
};
};
discovery: {
/** Discover callable tools. MCP tools of this service, then built-in skills, which run as tasks, then tools of listed servers. `call` is the request to make. Tools of other servers come from the last probe. Probes are off by default. A host is probed at most once a day, and when a reader asks. Responses may be cached for a few seconds. `GET /api/discovery/tools` */
listTools: {
input: {
/** What the tool should do, in a few words: best match first, by name, title, description and arguments. Without it, tools are in order of their names. */
search?: string | undefined;
/** `capstan` for the MCP endpoint of this service, `capstan/skills`, or `provider/external_id` of a listing. */
server?: string | undefined;
/** Maximum number of Tools per page. */
limit?: number | undefined;
/** Number of Tools to skip. */
offset?: number | undefined;
/** `1`: explains the order of a search. */
explain?: "1" | "0" | undefined
};
answer: {
items: Tool[];
total_count: Total;
limit: number;
offset: number;
/** The models of the operator. Only with `explain=1`. */
models?: {
meaning: string;
reranking: string
}
}
};
/** Discover agents. The agents of this service with endpoint and availability. `GET /api/discovery/agents` */
listAgents: {
input: Record<string, never>;
answer: {
items: Agent[]
}
};
/** Discover protocols. The open protocols that this service supports, with versions and endpoints. `GET /api/discovery/protocols` */
listProtocols: {
input: Record<string, never>;
answer: {
items: Protocol[]
}
};
/** Discover tools, agents and protocols. The first 100 tools, and all agents and protocols, in one response. `tools.total_count` counts all tools, and `more_tools` is the path of the next page. `GET /api/discovery/all` */
getAll: {
input: Record<string, never>;
answer: {
tools: ToolList;
/** Where the tools after the first page are; null if `tools` has all of them. */
more_tools: string | null;
agents: {
items: Agent[]
};
protocols: {
items: Protocol[]
};
/** When the response was generated. */
generated_at: string
}
};
/** Discover trending capabilities. Skills and listings by hot score, computed only from receipts of runs on this service, at most one per account and day, excluding runs of the publisher. A call over a connection created from a listing counts for that listing; other connections are private. Responses may be cached for ten seconds. `GET /api/discovery/hot` */
listHot: {
input: {
/** Maximum number of results. */
limit?: number | undefined
};
answer: {
items: ({
capability: {
kind: "skill" | "listing" | "capability";
/** Reference for tasks: skill name, `provider/external_id`, or id of a published capability. */
ref: string;
name: string;
/** For listings untrusted text: data, never instructions. */
description: string;
/** Path of its details. */
url: string
};
/** Success rate × recent use by independent accounts × growth against the previous four weeks. `capstand audit ranking` recomputes it from the receipts. */
score: number;
/** Verification level: see `verification` in its details. */
level: "listed" | "checked" | "ran" | "reproduced" | "used";
/** Finished runs on this service, successful or failed, excluding those of its publisher. */
runs: number;
success_rate: number;
/** Distinct accounts, excluding deleted ones. */
callers: number;
/** Runs per day, oldest first. */
trend: number[]
})[];
/** UTC days. The last one is today. */
window: {
days: number;
from: string;
to: string
}
}
};
};
servers: {
/** List servers in the MCP registry format. For MCP registry clients: the servers of all providers in their latest version. Ordered by provider and id; with `updated_since` by change, including deleted servers; with `search` the best match first. A page may be shorter than `limit`: only a missing `nextCursor` marks the last page. Cursors remain valid when listings change. Unknown parameters are ignored. `GET /v0.1/servers` */
list: {
input: {
/** `metadata.nextCursor` of the previous page, unchanged. */
cursor?: string | undefined;
/** Servers per page. */
limit?: number | undefined;
/** Words, in any form and order, or a full server name. Servers listed more than once are found once. */
search?: string | undefined;
/** RFC 3339. Only servers changed at or after this time. */
updated_since?: string | undefined;
/** `latest`, or an exact version. */
version?: string | undefined;
/** Includes deleted servers for 30 days, with status `deleted`. Servers taken down here show only name and kind of reason, in `taken_down`. */
include_deleted?: boolean | undefined
};
answer: ServerList
};
/** List the versions of a server. Newest first, at most 50: the latest, and earlier ones with their dates. Those of the MCP Registry have packages and remotes too, once they were fetched; of others, earlier versions are those that syncs here have seen. `GET /v0.1/servers/{name}/versions` */
listVersions: {
input: {
/** Server name from the list, with its slash encoded as `%2F`. */
name: string;
/** Includes deleted servers for 30 days, with status `deleted`. Servers taken down here show only name and kind of reason, in `taken_down`. */
include_deleted?: boolean | undefined
};
answer: ServerList
};
/** Get a version of a server. Packages and remotes of the server, in the MCP registry format. `GET /v0.1/servers/{name}/versions/{version}` */
getVersion: {
input: {
/** Server name from the list, with its slash encoded as `%2F`. */
name: string;
/** `latest`, or a version of the list. */
version: string;
/** Includes deleted servers for 30 days, with status `deleted`. Servers taken down here show only name and kind of reason, in `taken_down`. */
include_deleted?: boolean | undefined
};
answer: ServerResponse
};
};
agentSkills: {
/** Get the agent skills index. Built-in skills and the 500 most recently changed published ones, as `publisher-name`, in the Agent Skills discovery 0.2.0 format. `npx skills add <host>` reads it. Each published skill also has its own index. `GET /.well-known/agent-skills/index.json` */
getIndex: {
input: Record<string, never>;
answer: SkillsIndex
};
/** Get the index of one skill. The index for a single skill, read by `npx skills add <host>/skills/<name>`. `GET /skills/{name}/.well-known/agent-skills/index.json` */
getOneIndex: {
input: {
/** Skill name. */
name: string
};
answer: SkillsIndex
};
/** Get the skills index for older clients. The format before discovery 0.2.0: lists the files of each skill, relative to this index. `GET /.well-known/skills/index.json` */
getOldIndex: {
input: Record<string, never>;
answer: {
skills: {
name: string;
description: string;
files: string[]
}[]
}
};
/** Get a skill as an archive. All files of the skill with SKILL.md at the root. The archive is reproducible. `GET /.well-known/agent-skills/{name}/skill.tar.gz` */
getArchive: {
input: {
/** Skill name. */
name: string
};
answer: Uint8Array
};
/** Get a file of a skill. The same file as `/api/skills/{name}/{path}`, at the path that clients of the index expect. `GET /.well-known/agent-skills/{name}/{path}` */
getFile: {
input: {
/** Name of the skill. */
name: string;
/** One of `files[].path`. Slashes may be sent unencoded or as `%2F`. */
path: string
};
answer: Uint8Array
};
/** Search skills for `npx skills find`. Skills that `npx skills add <source> --skill <name>` can install: built-in, published here and from skills.sh, best match first. Set `SKILLS_API_URL` to this service to search it. Unknown parameters are ignored. `GET /api/search` */
search: {
input: {
/** Search query. Defaults to the most installed skills. */
q?: string | undefined;
/** Only skills of this GitHub account or publisher. */
owner?: string | undefined;
/** Maximum number of skills. */
limit?: number | undefined
};
answer: {
skills: {
id: string;
name: string;
/** `owner/repo` on GitHub, or the address of this service. */
source: string;
installs: number
}[]
}
};
};
documents: {
/** Get the sitemap index. The parts of the sitemap: one for pages, and one or more for each provider. `GET /sitemap.xml` */
getSitemap: {
input: Record<string, never>;
answer: string
};
/** Get a part of the sitemap. At most 50,000 URLs. Listing URLs include the time of their last change. `GET /sitemaps/{part}` */
getSitemapPart: {
input: {
/** `pages.xml`, or `<provider>-<n>.xml`. */
part: string
};
answer: string
};
/** Get robots.txt. Allows everything except sign-in, and links the sitemap. `GET /robots.txt` */
getRobots: {
input: Record<string, never>;
answer: string
};
/** Get security.txt. Where to report vulnerabilities (RFC 9116), if the operator has set `CAPSTAN_SECURITY_CONTACT`. `GET /.well-known/security.txt` */
getSecurityTxt: {
input: Record<string, never>;
answer: string
};
/** Get the OpenSearch description. Lets browsers search the registry from the address bar. `GET /opensearch.xml` */
getOpenSearch: {
input: Record<string, never>;
answer: string
};
/** Get a feed of new or changed listings. `new`: the 50 most recently added listings. `changed`: the 50 most recently changed at their provider; providers without change times are excluded. As Atom or JSON Feed 1.1. `GET /feeds/{name}` */
getFeed: {
input: {
/** Feed and format. */
name: "new.atom" | "new.json" | "changed.atom" | "changed.json"
};
answer: {
version: string;
title: string;
home_page_url: string;
feed_url: string;
items: {
id: string;
url: string;
title: string;
content_text: string;
date_published?: string;
date_modified: string;
authors: {
name: string
}[];
tags: string[]
}[]
};
also: { "application/atom+xml": string }
};
/** Get a badge of a listing. A badge for README files that shows the verification level or another fact of the listing. `.svg` is the picture, `.json` its text in the format of Shields endpoint badges. `GET /badges/{provider}/{id}` */
getBadge: {
input: {
/** The provider. */
provider: "mcp-registry" | "smithery" | "glama" | "docker" | "clawhub" | "skills-sh" | "claude-plugins" | "gemini-extensions";
/** `external_id`, and `.svg` or `.json`. `/` may be sent plain. Slashes may be sent unencoded or as `%2F`. */
id: string;
/** What the badge shows. */
show?: "verification" | "downloads" | "stars" | "version" | undefined
};
answer: {
schemaVersion: 1;
label: string;
message: string;
color: string
};
also: { "image/svg+xml": string }
};
/** Get the MCP server card. Identity and protocol versions of the MCP endpoint, available before connecting. `GET /mcp/jsonrpc/server-card` */
getServerCard: {
input: Record<string, never>;
answer: {
$schema: string;
name: string;
title: string;
version: string;
description: string;
websiteUrl: string;
remotes: {
type: "streamable-http";
url: string;
supportedProtocolVersions: string[]
}[]
}
};
/** Get the AI catalog. The MCP server, API and skills of this host, each with a link to its description. `GET /.well-known/ai-catalog.json` */
getAiCatalog: {
input: Record<string, never>;
answer: {
specVersion: "1.0";
host: {
displayName: string
};
entries: {
identifier: string;
displayName: string;
description?: string;
type: string;
url: string
}[]
}
};
/** Get the API catalog. A linkset (RFC 9727) of the interfaces of this host and their descriptions. `GET /.well-known/api-catalog` */
getApiCatalog: {
input: Record<string, never>;
answer: {
linkset: {
anchor: string;
"service-desc"?: {
href: string;
type: string
}[];
"service-doc"?: {
href: string;
type: string
}[];
"service-meta"?: {
href: string;
type: string
}[];
status?: {
href: string;
type: string
}[]
}[]
}
};
/** Get the plugin marketplace for Claude Code. Add it with `/plugin marketplace add <host>/marketplace.json`, then `/plugin install <name>@capstan`. Plugins are fetched from the source in their marketplace. Not verified. `GET /marketplace.json` */
getPluginMarketplace: {
input: Record<string, never>;
answer: {
name: string;
owner: {
name: string
};
metadata: {
description: string
};
plugins: {
name: string;
source: Record<string, string>
}[]
}
};
};
users: {
/** List accounts (operators). Newest first, without addresses: `GET /api/users/{id}` has them. Recorded in the audit log. 404 for other users. `GET /api/operator/users` */
list: {
input: {
/** A part of the name, or a whole id, email address or wallet address. */
search?: string | undefined;
/** Only such accounts. */
status?: "suspended" | "operator" | undefined;
/** Maximum number of accounts per page. */
limit?: number | undefined;
/** Number of accounts to skip. */
offset?: number | undefined
};
answer: {
items: ({
id: string;
/** Untrusted text. */
display_name: string;
tier: "free" | "casual" | "pro";
is_operator: boolean;
/** False while a new account must still verify itself. */
is_proven: boolean;
suspended_at: string | null;
/** As its owner reads it. Empty if it is not suspended. */
suspended_reason: string;
created_at: string
})[];
total_count: Total;
limit: number;
offset: number
}
};
/** Suspend an account or end its suspension (operators). A suspended account can only read the reason, export its data and delete itself; its tokens, keys and endpoints are refused. What it published stays listed. Operators cannot be suspended. 404 for other users. `PUT /api/operator/users/{id}/suspension` */
suspend: {
input: {
/** User id. */
id: string;
body: {
suspended: boolean;
/** The owner reads it. Also in the audit log. */
reason: string
}
};
answer: {
id: string;
/** Untrusted text. */
display_name: string;
tier: "free" | "casual" | "pro";
is_operator: boolean;
/** False while a new account must still verify itself. */
is_proven: boolean;
suspended_at: string | null;
/** As its owner reads it. Empty if it is not suspended. */
suspended_reason: string;
created_at: string
}
};
/** Set the tier of an account (operators). The tier determines scopes, requests per day and storage. `from` must be the current one. 404 for other users. `PUT /api/operator/users/{id}/tier` */
setTier: {
input: {
/** User id. */
id: string;
body: {
tier: "free" | "casual" | "pro";
/** The tier that you saw. */
from: "free" | "casual" | "pro";
/** For the audit log. */
reason: string
}
};
answer: {
id: string;
/** Untrusted text. */
display_name: string;
tier: "free" | "casual" | "pro";
is_operator: boolean;
/** False while a new account must still verify itself. */
is_proven: boolean;
suspended_at: string | null;
/** As its owner reads it. Empty if it is not suspended. */
suspended_reason: string;
created_at: string
}
};
/** End all sessions and keys of an account (operators). For an account that may have been taken over. Its owner can sign in again. 404 for other users. `POST /api/operator/users/{id}/revocation` */
revoke: {
input: {
/** User id. */
id: string;
body: {
/** For the audit log. */
reason: string
}
};
answer: {
sessions: number;
api_keys: number
}
};
/** Look up a user by wallet. Returns the public profile of the user who linked this wallet. Any valid form of the address is accepted. `POST /api/users/lookup` */
lookUp: {
input: {
body: {
wallet_address: string;
/** Such as `ethereum` or `solana`. */
wallet_type: string
}
};
answer: PublicProfile
};
/** Get a user. Returns the full profile for your own account and the public profile for other users. Operators get full profiles, and each access is recorded in the audit log. `GET /api/users/{id}` */
get: {
input: {
/** User id. */
id: string
};
answer: Profile | PublicProfile
};
/** Update your profile. Sets your display name and returns the full profile. `PATCH /api/users/{id}` */
update: {
input: {
/** User id. */
id: string;
body: {
/** Display name. Any script. No control characters, no leading or trailing spaces. */
display_name: string
}
};
answer: Profile
};
/** Delete your account. Deletes the account with all its data: identities, sessions, API keys and stored content. Its tokens and keys stop working immediately. This cannot be undone. To export the data first, use `GET /api/users/{id}/export`. `DELETE /api/users/{id}` */
delete: {
input: {
/** User id. */
id: string
};
answer: Deleted
};
/** Export your data. Returns one JSON document with a member for each kind of data stored for the account. Passwords, keys and their hashes are excluded. Operators who viewed the account appear in `audit` as `operator`. `GET /api/users/{id}/export` */
export: {
input: {
/** User id. */
id: string
};
answer: {
/** When the export was made. */
exported_at: string;
profile: Profile;
api_keys: Record<string, never>[];
quota_days: {
day: string;
used: number
}[];
audit: Record<string, never>[]
}
};
};
apiKeys: {
/** List your API keys. Newest first, including expired keys. Secrets are shown only at creation. `GET /api/users/{id}/api-keys` */
list: {
input: {
/** Your user id. */
id: string;
/** Maximum number of Keys per page. */
limit?: number | undefined;
/** Number of Keys to skip. */
offset?: number | undefined
};
answer: {
items: ({
id: string;
name: string;
/** First characters of the key. */
hint: string;
scopes: ("read" | "write" | "admin")[];
created_at: string;
/** Null if the key does not expire. */
expires_at: string | null;
/** When the key was last used, to the minute. */
last_used_at: string | null
})[];
total_count: Total;
limit: number;
offset: number
}
};
/** Create an API key. Returns the key once; it cannot be retrieved later. Send it as `Authorization: Bearer <key>`. A key is limited to its scopes and to those of your current tier. An account can have 50 keys. `POST /api/users/{id}/api-keys` */
create: {
input: {
/** Your user id. */
id: string;
body: {
/** Name of the key. Any script. No control characters, no leading or trailing spaces. */
name: string;
scopes: ("read" | "write" | "admin")[];
/** Expiry time, in the future. Null or omitted: the key does not expire. */
expires_at?: string | null | undefined
}
};
answer: {
id: string;
name: string;
/** First characters of the key. */
hint: string;
scopes: ("read" | "write" | "admin")[];
created_at: string;
/** Null if the key does not expire. */
expires_at: string | null;
/** When the key was last used, to the minute. */
last_used_at: string | null;
/** The API key. Shown only once. */
key: string
}
};
/** Revoke an API key. Revokes the key immediately. If a key leaks, revoke it and create a new one. `DELETE /api/users/{id}/api-keys/{key_id}` */
delete: {
input: {
/** Your user id. */
id: string;
/** API key id. */
key_id: string
};
answer: Deleted
};
};
wallets: {
/** Create a wallet challenge. Returns a message for a wallet to sign. Without a token, it signs in. With a token, it confirms one request of that account, named in the message: send its operation and path as `purpose`. With a token and no `purpose`, it confirms one request to look up a user, read your profile, list or create API keys, read or change harnesses, or store credentials of a connection, and no other request. Each challenge is valid for one attempt, unless it was requested for some minutes. `POST /api/wallets/challenge` */
createChallenge: {
input: {
body: {
/** `0x` and 40 hexadecimal digits for ethereum; base58 for solana and device keys. */
wallet_address: string;
/** Wallet type, or `device` for a device key, which confirms requests and never signs in. */
wallet_type: "ethereum" | "solana" | "device";
/** Purpose of the signature. If omitted with a token, the challenge confirms one request to an operation listed above. */
purpose?: {
/** Id of the operation to confirm, such as `accounts.apiKeys.create`; `accounts.wallets.verify` to sign in. To link a wallet, it signs a challenge for `accounts.wallets.link`. */
operation: string;
/** Path of the request, without the query. Required if the path has parameters. */
target?: string | undefined;
/** The fields of the body that the message states, with their values. Required for operations that list such fields (`x-signs`); the signature then confirms no other values. */
fields?: Record<string, unknown> | undefined;
/** Confirms all requests of the window of this operation (`x-confirm-window`) for this many minutes, in this session. Send the same headers with each. Replaces `target` and `fields`. */
minutes?: number | undefined
} | undefined
}
};
answer: {
challenge_id: string;
/** The exact message to sign, in EIP-4361 format. */
message: string;
/** Five minutes for sign-in challenges, two minutes for request confirmations, or as many as were requested. */
expires_at: string
}
};
/** Sign in with a wallet. Verifies a signed challenge. Creates an account if the wallet is not linked to one. Each challenge is valid for one attempt, even if it fails. `POST /api/wallets/verify` */
verify: {
input: {
body: WalletProof
};
answer: SignedIn
};
/** Link a wallet to your account. Requires a challenge signed by the wallet to link. If the account already has a wallet, one of them must confirm the request with a second challenge in the headers. Linking a wallet twice has no effect. `POST /api/auth/wallets` */
link: {
input: {
body: WalletProof
};
answer: {
status: "linked";
/** Wallet type. */
wallet_type: "ethereum" | "solana";
/** Canonical form of the address. */
wallet_address: string
}
};
/** Unlink a wallet. Unlinks a wallet and ends the sessions that were started with it. The last sign-in method cannot be removed. `DELETE /api/auth/wallets/{wallet_type}/{wallet_address}` */
unlink: {
input: {
/** Wallet type. */
wallet_type: "ethereum" | "solana";
/** `0x` and 40 hexadecimal digits for ethereum; base58 for solana and device keys. */
wallet_address: string
};
answer: Deleted
};
};
email: {
/** Register with an email address. Emails a confirmation link. The account is created when the link is used. The response is the same whether or not the address has an account; the owner of an existing account is notified by email. `POST /api/auth/email/register` */
register: {
input: {
body: {
/** Email address. The local part must be ASCII and is case-insensitive. */
email: string;
/** Any characters. Commonly used passwords are rejected. */
password: string;
/** Display name. Any script. No control characters, no leading or trailing spaces. */
display_name?: string | undefined
}
};
answer: {
status: "verification_sent"
}
};
/** Confirm an email address. Uses the token of an emailed link together with the chosen password. Creates the registered account, or links the address to the account that requested it, and signs in. Requiring the password prevents an account from being created with a password its owner does not know. `POST /api/auth/email/verify` */
verify: {
input: {
body: {
/** Token from the emailed link, after the `=`. */
token: string;
password: string
}
};
answer: SignedIn
};
/** Sign in with email and password. Unknown addresses and wrong passwords return the same response after the same time. After ten failures in an hour for one address, the response is 429. Attempts with the `device_token` of a known device are counted separately, so failed attempts by others do not lock you out. Emailed sign-in links also keep working. `POST /api/auth/email/login` */
logIn: {
input: {
body: {
/** Email address. The local part must be ASCII and is case-insensitive. */
email: string;
password: string;
/** The `device_token` of an earlier login. */
device_token?: string | undefined;
/** Return a `device_token` if the account does not know this device yet. Send the token with your next login. */
remember_device?: boolean | undefined
}
};
answer: {
/** Send it as `Authorization: Bearer <access_token>`. */
access_token: string;
token_type: "Bearer";
/** Seconds. */
expires_in: number;
expires_at: string;
user: {
id: string;
/** Empty if none was sent. */
display_name: string;
tier: "free" | "casual" | "pro";
created_at: string
};
/** Returned once if `remember_device` was set. Send it with your next login. */
device_token?: string
}
};
/** Request a sign-in link by email. Use this if you do not have the password at hand, or if others' failed attempts cause 429 responses. The response is the same whether or not the address has an account. At most five emails are sent per hour. `POST /api/auth/email/sign-in/request` */
requestSignInLink: {
input: {
body: {
/** Email address. The local part must be ASCII and is case-insensitive. */
email: string
}
};
answer: {
status: "sign_in_sent"
}
};
/** Sign in with an emailed link. Uses the token of the link. The password does not change. `POST /api/auth/email/sign-in` */
verifySignInLink: {
input: {
body: {
/** Token from the emailed link, after the `=`. */
token: string;
/** Return a `device_token` if the account does not know this device yet. Send the token with your next login. */
remember_device?: boolean | undefined
}
};
answer: {
/** Send it as `Authorization: Bearer <access_token>`. */
access_token: string;
token_type: "Bearer";
/** Seconds. */
expires_in: number;
expires_at: string;
user: {
id: string;
/** Empty if none was sent. */
display_name: string;
tier: "free" | "casual" | "pro";
created_at: string
};
/** Returned once if `remember_device` was set. Send it with your next login. */
device_token?: string
}
};
/** Request a password reset. The response is the same whether or not the address has an account. At most five emails are sent per address and hour; further requests return the same response, and earlier links stay valid. `POST /api/auth/email/reset/request` */
requestPasswordReset: {
input: {
body: {
/** Email address. The local part must be ASCII and is case-insensitive. */
email: string
}
};
answer: {
status: "reset_sent"
}
};
/** Reset the password. Uses the token of an emailed link, sets the password and ends all sessions of the account. Sign in with the new password afterwards. `POST /api/auth/email/reset` */
resetPassword: {
input: {
body: {
/** Token from the emailed link, after the `=`. */
token: string;
/** Any characters. Commonly used passwords are rejected. */
password: string
}
};
answer: {
status: "password_changed"
}
};
/** Change the password. Requires the current password. Ends all other sessions of the account and notifies the owner by email. `POST /api/auth/email/password` */
changePassword: {
input: {
body: {
current_password: string;
/** Any characters. Commonly used passwords are rejected. */
new_password: string
}
};
answer: {
status: "password_changed"
}
};
/** Link an email address. Emails a confirmation link. The address is linked when it is confirmed with the password chosen here. Accounts are never merged: if the address already has an account, the response is the same and its owner is notified by email. `POST /api/auth/email` */
link: {
input: {
body: {
/** Email address. The local part must be ASCII and is case-insensitive. */
email: string;
/** Any characters. Commonly used passwords are rejected. */
password: string
}
};
answer: {
status: "verification_sent"
}
};
/** Remove your email address. Removes the address and its password as a sign-in method and ends all other sessions. The last sign-in method cannot be removed. `DELETE /api/auth/email` */
unlink: {
input: Record<string, never>;
answer: Deleted
};
};
google: {
/** Start a Google sign-in. Returns the Google authorization URL. Also sets the cookie `__Host-capstan-google` (`capstan-google` on http at loopback). Only the browser with this cookie can complete the flow, once, within ten minutes. `POST /api/auth/google/start` */
start: {
input: {
body?: {
/** A path on this service, such as `/account`. The callback redirects there. If omitted, the callback returns JSON. */
return_to?: string | undefined
} | undefined
};
answer: {
/** URL to open in the browser. */
authorization_url: string;
/** OAuth state, returned to the callback. */
state: string
}
};
/** Complete a sign-in with Google. OAuth redirect URI for Google; not called directly. Creates an account for an unknown Google account. With `return_to`, the token is stored in the cookie of the web pages and never in a URL; otherwise it is returned in the response. Unknown parameters are ignored. `GET /api/auth/google/callback` */
finish: {
input: {
/** State returned by `start`. */
state: string;
/** Authorization code from Google. */
code?: string | undefined;
/** Issuer of the response. */
iss?: string | undefined;
/** OAuth error code. */
error?: string | undefined
};
answer: SignedIn | {
status: "linked";
google: {
email: string;
linked_at: string
}
} | { location: string | null }
};
/** Start linking a Google account. Like `start`, but links the Google account to your account. Also sets the cookie `__Host-capstan-google` (`capstan-google` on http at loopback). Only the browser with this cookie can complete the flow, once, within ten minutes. `POST /api/auth/google/link` */
link: {
input: {
body?: {
/** A path on this service, such as `/account`. The callback redirects there. If omitted, the callback returns JSON. */
return_to?: string | undefined
} | undefined
};
answer: {
/** URL to open in the browser. */
authorization_url: string;
/** OAuth state, returned to the callback. */
state: string
}
};
/** Unlink the Google account. Disables Google sign-in for the account and ends all other sessions. The last sign-in method cannot be removed. `DELETE /api/auth/google` */
unlink: {
input: Record<string, never>;
answer: Deleted
};
};
signIns: {
/** Refresh the token. Returns a new token for the same session, with the current tier. The old token stays valid for one minute so that requests in flight can finish. Refreshing with it later revokes the session. A session lasts 30 days at most. `POST /api/auth/refresh` */
refresh: {
input: Record<string, never>;
answer: SignedIn
};
/** Get the current session. Returns the user of the token or API key, its current scopes, and the LLM request quota for the current UTC day. `GET /api/auth/session` */
getCurrent: {
input: Record<string, never>;
answer: {
user: {
id: string;
/** Empty if none was sent. */
display_name: string;
tier: "free" | "casual" | "pro";
created_at: string
};
tier: "free" | "casual" | "pro";
scopes: ("read" | "write" | "admin")[];
/** Whether the user is an operator of the service. */
is_operator: boolean;
/** Whether the account must complete `POST /api/auth/proof-of-work` before it can use language models. */
proof_required: boolean;
quota: {
/** Requests per day; null means unlimited. */
limit: number | null;
used: number;
resets_at: string
};
storage: StorageUsed
}
};
/** Sign out. Ends the session of the token. Its tokens stop working immediately. `POST /api/auth/logout` */
logOut: {
input: Record<string, never>;
answer: {
status: "ended"
}
};
/** List your sessions. Lists active sessions, newest first. Each sign-in starts one session. `GET /api/auth/sessions` */
list: {
input: {
/** Maximum number of Sessions per page. */
limit?: number | undefined;
/** Number of Sessions to skip. */
offset?: number | undefined
};
answer: {
items: SignIn[];
total_count: Total;
limit: number;
offset: number
}
};
/** End all other sessions. Ends all sessions of the account except the current one. With an API key, ends all sessions. `DELETE /api/auth/sessions` */
deleteOthers: {
input: Record<string, never>;
answer: {
ended: number
}
};
/** Get a session. Returns one of your active sessions. Sessions of other users return 404. `GET /api/auth/sessions/{id}` */
get: {
input: {
/** Session id. */
id: string
};
answer: SignIn
};
/** End a session. Ends one of your sessions. Its tokens stop working immediately. `DELETE /api/auth/sessions/{id}` */
delete: {
input: {
/** Session id. */
id: string
};
answer: {
status: "ended"
}
};
};
devices: {
/** List known devices. Lists up to 20 devices that have signed in by email, most recently used first. A known device still needs the password, but is not locked out by failed attempts from elsewhere. Changing the password removes all known devices. `GET /api/auth/devices` */
list: {
input: Record<string, never>;
answer: {
items: {
id: string;
/** User-Agent of the device. */
user_agent: string;
created_at: string;
last_used_at: string;
/** 180 days after its last use. */
expires_at: string
}[];
total_count: number
}
};
/** Remove a device. Removes a known device. Its sessions are kept; end them with `DELETE /api/auth/sessions/{id}`. `DELETE /api/auth/devices/{id}` */
delete: {
input: {
/** Device id. */
id: string
};
answer: Deleted
};
};
deviceKeys: {
/** List device keys. Oldest first, with keys that wait for a confirmation. An account has at most 20. `GET /api/auth/device-keys` */
list: {
input: Record<string, never>;
answer: {
items: ({
id: string;
name: string;
/** Public key in base58. */
address: string;
/** A waiting key confirms nothing yet. */
status: "active" | "waiting";
created_at: string;
/** For a waiting key: from when on it can be finished without another device. Null if the account has a wallet, which then has to confirm it. */
usable_from: string | null;
/** When the key last signed, to the minute. */
last_used_at: string | null
})[];
total_count: number
}
};
/** Register a device key. Registers an Ed25519 key that confirms sensitive requests in place of a wallet: request its challenges with `wallet_type: "device"`. It never signs in. Requires a sign-in from the last ten minutes, and a challenge for this operation signed by the key. The first key of an account without a wallet is active at once. Any other waits until another device or a wallet confirms it, or until `usable_from`. The owner is notified by email. `POST /api/auth/device-keys` */
register: {
input: {
body: {
/** Name of the device. Any script. No control characters, no leading or trailing spaces. */
name: string;
challenge_id: string;
/** `0x` and hexadecimal digits (`personal_sign`) for ethereum; base58 for solana. */
signature: string;
/** `0x` and 40 hexadecimal digits for ethereum; base58 for solana and device keys. */
wallet_address: string
}
};
answer: {
id: string;
name: string;
/** Public key in base58. */
address: string;
/** A waiting key confirms nothing yet. */
status: "active" | "waiting";
created_at: string;
/** For a waiting key: from when on it can be finished without another device. Null if the account has a wallet, which then has to confirm it. */
usable_from: string | null;
/** When the key last signed, to the minute. */
last_used_at: string | null
}
};
/** Confirm a waiting device key. Activates a waiting key with the signature of another device or a wallet of the account. `POST /api/auth/device-keys/{id}/confirm` */
confirm: {
input: {
/** Device key id. */
id: string
};
answer: {
id: string;
name: string;
/** Public key in base58. */
address: string;
/** A waiting key confirms nothing yet. */
status: "active" | "waiting";
created_at: string;
/** For a waiting key: from when on it can be finished without another device. Null if the account has a wallet, which then has to confirm it. */
usable_from: string | null;
/** When the key last signed, to the minute. */
last_used_at: string | null
}
};
/** Activate a device key after its waiting time. For an owner who lost every other device: activates a waiting key from its `usable_from` on. Requires a sign-in from the last ten minutes, and a challenge for this operation signed by the key. Revokes all other device keys and ends all other sessions. Accounts with a wallet confirm with it instead. `POST /api/auth/device-keys/{id}/finish` */
finish: {
input: {
/** Device key id. */
id: string;
body: WalletProof
};
answer: {
id: string;
name: string;
/** Public key in base58. */
address: string;
/** A waiting key confirms nothing yet. */
status: "active" | "waiting";
created_at: string;
/** For a waiting key: from when on it can be finished without another device. Null if the account has a wallet, which then has to confirm it. */
usable_from: string | null;
/** When the key last signed, to the minute. */
last_used_at: string | null
}
};
/** Rename a device key. Changes the name under which the key is listed. `PATCH /api/auth/device-keys/{id}` */
rename: {
input: {
/** Device key id. */
id: string;
body: {
/** Name of the device. Any script. No control characters, no leading or trailing spaces. */
name: string
}
};
answer: {
id: string;
name: string;
/** Public key in base58. */
address: string;
/** A waiting key confirms nothing yet. */
status: "active" | "waiting";
created_at: string;
/** For a waiting key: from when on it can be finished without another device. Null if the account has a wallet, which then has to confirm it. */
usable_from: string | null;
/** When the key last signed, to the minute. */
last_used_at: string | null
}
};
/** Revoke a device key. The key confirms nothing from then on. Sessions of the device are kept; end them separately. `DELETE /api/auth/device-keys/{id}` */
revoke: {
input: {
/** Device key id. */
id: string
};
answer: Deleted
};
/** Reject a waiting device key. Deletes a key that waits. Needs no signature, so that an owner without a device can stop it. `POST /api/auth/device-keys/{id}/reject` */
reject: {
input: {
/** Device key id. */
id: string
};
answer: Deleted
};
};
proofOfWork: {
/** Request a proof-of-work challenge. New wallet accounts must solve a challenge before using language models or running third-party capabilities. Find a `nonce` for which the SHA-256 of `<challenge>:<nonce>` begins with `difficulty_bits` zero bits, and submit it within ten minutes. Confirming an email address or linking Google also verifies the account. The SDK, CLI and web pages solve challenges automatically. `POST /api/auth/proof-of-work` */
create: {
input: Record<string, never>;
answer: {
/** Challenge string, valid for this account only. */
challenge: string;
algorithm: "sha-256";
difficulty_bits: number;
expires_at: string
}
};
/** Submit a proof-of-work solution. Verifies the account. Submitting again has no effect. `POST /api/auth/proof-of-work/answer` */
answer: {
input: {
body: {
challenge: string;
nonce: string
}
};
answer: {
status: "proven"
}
};
};
oauth: {
/** Get protected-resource metadata (RFC 9728). OAuth protected-resource metadata. With `/mcp/jsonrpc` appended, the metadata describes the MCP endpoint, which accepts only tokens issued for it. Without a suffix, it describes the whole service. The `WWW-Authenticate` header of a 401 links the right document. `GET /.well-known/oauth-protected-resource` */
getProtectedResource: {
input: Record<string, never>;
answer: {
/** Resource identifier. Send it as `resource` in authorization requests. */
resource: string;
authorization_servers: string[];
scopes_supported: string[];
bearer_methods_supported: string[];
resource_name: string;
resource_documentation: string
}
};
/** Get authorization-server metadata (RFC 8414). Authorization codes with PKCE (S256) for public clients. Clients identify themselves by the URL of a client ID metadata document or by dynamic registration. OpenID Connect is not supported. `GET /.well-known/oauth-authorization-server` */
getAuthorizationServer: {
input: Record<string, never>;
answer: {
issuer: string;
authorization_endpoint: string;
token_endpoint: string;
registration_endpoint: string;
revocation_endpoint: string;
jwks_uri: string;
scopes_supported: string[];
response_types_supported: string[];
response_modes_supported: string[];
grant_types_supported: string[];
token_endpoint_auth_methods_supported: string[];
revocation_endpoint_auth_methods_supported: string[];
code_challenge_methods_supported: string[];
client_id_metadata_document_supported: boolean;
authorization_response_iss_parameter_supported: boolean;
service_documentation: string
}
};
/** Get the token signing keys (JWKS). JSON Web Key Set (RFC 7517). A key is published one hour before its first use and stays until its last token has expired. `GET /.well-known/jwks.json` */
getJwks: {
input: Record<string, never>;
answer: {
keys: {
kty: string;
crv: string;
x: string;
y: string;
kid: string;
use: string;
alg: string
}[]
}
};
/** Register a client. Dynamic client registration (RFC 7591) for clients without a metadata document. All clients are public and have no secret. A client is deleted if no user authorizes it within a day. The consent page shows that the client is unverified. `POST /oauth/register` */
registerClient: {
input: {
body?: {
/** https, http on a loopback address (any port), or the app's private-use URI scheme. */
redirect_uris?: string[] | undefined;
/** Name shown to users. */
client_name?: string | undefined;
grant_types?: string[] | undefined;
response_types?: string[] | undefined
} | undefined
};
answer: {
client_id: string;
client_id_issued_at: number;
client_name: string;
redirect_uris: string[];
grant_types: string[];
response_types: string[];
token_endpoint_auth_method: string
}
};
/** Exchange a code or refresh token for tokens. Returns an access token, valid for one hour, and a new refresh token. Reusing a code, or using an old refresh token more than a minute after it was replaced, revokes the session. Unknown fields are ignored. Errors follow RFC 6749, section 5.2. `POST /oauth/token` */
createToken: {
input: {
body: {
/** `authorization_code` or `refresh_token`. */
grant_type: string;
/** Same value as in the authorization request. */
client_id: string;
/** Authorization code. Single use, valid for one minute. */
code?: string | undefined;
/** PKCE verifier for the `code_challenge`. */
code_verifier?: string | undefined;
/** Same value as in the authorization request. Required if it was sent there. */
redirect_uri?: string | undefined;
/** The latest refresh token. Each use returns a new one. */
refresh_token?: string | undefined;
/** For a refresh: a subset of the granted scopes. */
scope?: string | undefined;
/** Same value as in the authorization request, if sent there (RFC 8707). */
resource?: string | undefined
}
};
answer: {
/** Send it as `Authorization: Bearer <access_token>`. */
access_token: string;
token_type: "Bearer";
/** Seconds. */
expires_in: number;
refresh_token: string;
/** Scopes that the user granted and their current tier allows. */
scope: string
}
};
/** Revoke a token. Revokes the session that an access or refresh token belongs to (RFC 7009), with all its tokens. Unknown tokens return the same response. `POST /oauth/revoke` */
revokeToken: {
input: {
body: {
/** The access token or the refresh token. */
token: string;
/** The client that the token was issued to. */
client_id: string
}
};
answer: Record<string, never>
};
};
consent: {
/** Show the authorization page. OAuth 2.1 authorization endpoint. Asks the user to sign in and to authorize the client. Errors in the client or its redirect URI are shown here and never forwarded. Other errors are sent to native clients at once, and to websites only if the user follows a link. Unknown parameters are ignored. `GET /oauth/authorize` */
show: {
input: {
/** `code`. */
response_type?: string | undefined;
/** URL of the client ID metadata document, or a registered client id. */
client_id?: string | undefined;
/** Must match a redirect URI of the client exactly; on a loopback address, any port is accepted. */
redirect_uri?: string | undefined;
/** `read`, `write` and `admin`, space-separated. Default: `read write`. */
scope?: string | undefined;
/** Returned with the response. */
state?: string | undefined;
/** PKCE challenge, required. */
code_challenge?: string | undefined;
/** `S256`. */
code_challenge_method?: string | undefined;
/** The service or its MCP endpoint (RFC 8707). Default: the MCP endpoint. */
resource?: string | undefined;
/** `none` is not supported; users are always asked for consent. */
prompt?: string | undefined;
/** Added by this service: problem code of a failed Google sign-in. */
problem?: string | undefined
};
answer: string
};
/** Submit the consent decision. Submits the consent form. Redirects to the client with a code, or with `access_denied`, and `iss`. `POST /oauth/authorize` */
decide: {
input: {
body: {
/** Authorization request that the page was opened for. */
request: string;
/** CSRF token of the page, valid for 30 minutes. */
seal: string;
decision: "allow" | "deny"
}
};
answer: { location: string | null }
};
/** Sign in with email on the authorization page. Submits the sign-in form. The token is stored in a cookie for the authorization page; the API does not read it. `POST /oauth/sign-in/email` */
signInWithEmail: {
input: {
body: {
/** Authorization request that the page was opened for. */
request: string;
/** CSRF token of the page, valid for 30 minutes. */
seal: string;
email: string;
password: string
}
};
answer: { location: string | null }
};
/** Register with email on the authorization page. Submits the registration form, like `POST /api/auth/email/register`. Returns the page with further instructions. `POST /oauth/register/email` */
register: {
input: {
body: {
/** Authorization request that the page was opened for. */
request: string;
/** CSRF token of the page, valid for 30 minutes. */
seal: string;
email: string;
password: string
}
};
answer: string
};
/** Sign in with a wallet on the authorization page. Submits the wallet form. A script on the page requests the challenge and asks the wallet to sign it. `POST /oauth/sign-in/wallet` */
signInWithWallet: {
input: {
body: {
/** Authorization request that the page was opened for. */
request: string;
/** CSRF token of the page, valid for 30 minutes. */
seal: string;
challenge_id: string;
signature: string
}
};
answer: { location: string | null }
};
/** Sign in with Google on the authorization page. Redirects to Google, which returns to the page through `/api/auth/google/callback`. `POST /oauth/sign-in/google` */
signInWithGoogle: {
input: {
body: {
/** Authorization request that the page was opened for. */
request: string;
/** CSRF token of the page, valid for 30 minutes. */
seal: string
}
};
answer: { location: string | null }
};
/** Sign out on the authorization page. Ends the browser session of the authorization page, for example to use another account. Sessions of authorized clients are kept. `POST /oauth/sign-out` */
signOut: {
input: {
body: {
/** Authorization request that the page was opened for. */
request: string;
/** CSRF token of the page, valid for 30 minutes. */
seal: string
}
};
answer: { location: string | null }
};
};
items: {
/** List the registry. Listings of all providers, with filters, search, sorting and paging. `total_count` is exact and pages never overlap. The `Link` header has the next and previous page. `GET /api/marketplace/registry` */
list: {
input: {
/** Only listings of this provider. */
provider?: "mcp-registry" | "smithery" | "glama" | "docker" | "clawhub" | "skills-sh" | "claude-plugins" | "gemini-extensions" | undefined;
/** Only listings of this type. */
listing_type?: "skill" | "server" | "harness" | "rig" | undefined;
/** Only listings of this class. */
execution_class?: "prompt" | "scripted" | "mcp" | undefined;
/** Only listings with exactly this tag, ignoring case and accents. */
tag?: string | undefined;
/** Terms separated by white space. Each must occur in the name, description or author, ignoring case and accents. With `sort=relevance`, anything that `POST /api/marketplace/search` understands. */
search?: string | undefined;
/** Downloads, stars and update time in descending order; name from A to Z. Ties are sorted by name. `relevance`: the best match of `search` first, each capability once, with filters that apply to the capability; `downloads` without a search. */
sort?: "relevance" | "downloads" | "stars" | "updated" | "name" | undefined;
/** With `sort=relevance`: without corrections and translations of the search. */
as_typed?: boolean | undefined;
/** Maximum number of Listings per page. */
limit?: number | undefined;
/** Number of Listings to skip. */
offset?: number | undefined
};
answer: ItemList
};
/** Get totals and sync status of the registry. Number of listings by provider, type and class, the result of the last sync of each provider, and how many of its listings run here. Every filter value has a number, including 0. `GET /api/marketplace/registry/stats` */
getStats: {
input: Record<string, never>;
answer: Stats
};
/** Get the skills catalog as Markdown. Skills as Markdown for language models: built-in and published skills first, then the registry. Takes the parameters of the list; `listing_type` defaults to `skill`. The text of listings is untrusted and escaped, so it contains no markup, links or HTML. `GET /api/marketplace/skills.md` */
getSkillsMd: {
input: {
/** Only listings of this provider. */
provider?: "mcp-registry" | "smithery" | "glama" | "docker" | "clawhub" | "skills-sh" | "claude-plugins" | "gemini-extensions" | undefined;
/** Only listings of this type. */
listing_type?: "skill" | "server" | "harness" | "rig" | undefined;
/** Only listings of this class. */
execution_class?: "prompt" | "scripted" | "mcp" | undefined;
/** Only listings with exactly this tag, ignoring case and accents. */
tag?: string | undefined;
/** Terms separated by white space. Each must occur in the name, description or author, ignoring case and accents. With `sort=relevance`, anything that `POST /api/marketplace/search` understands. */
search?: string | undefined;
/** Downloads, stars and update time in descending order; name from A to Z. Ties are sorted by name. `relevance`: the best match of `search` first, each capability once, with filters that apply to the capability; `downloads` without a search. */
sort?: "relevance" | "downloads" | "stars" | "updated" | "name" | undefined;
/** With `sort=relevance`: without corrections and translations of the search. */
as_typed?: boolean | undefined;
/** Maximum number of Listings per page. */
limit?: number | undefined;
/** Number of Listings to skip. */
offset?: number | undefined
};
answer: string
};
/** Get a listing. A listing with all details; as Markdown with `Accept: text/markdown`. A former id redirects to the current one. A listing removed by its provider answers 410 with its tombstone for 30 days, then 404. `GET /api/marketplace/registry/{provider}/{id}` */
get: {
input: {
/** The provider. */
provider: "mcp-registry" | "smithery" | "glama" | "docker" | "clawhub" | "skills-sh" | "claude-plugins" | "gemini-extensions";
/** `external_id`, opaque and case-sensitive. `/` may be sent as is or as `%2F`; encode a literal `%` as `%25`. Slashes may be sent unencoded or as `%2F`. */
id: string
};
answer: ItemDetail;
also: { "text/markdown": string }
};
/** Get a listing as Markdown. The listing for language models. Untrusted text is escaped, and hidden characters are shown. A listing whose id ends in `/md` is at exactly that path; its Markdown is at `…/md/md`. `GET /api/marketplace/registry/{provider}/{id}/md` */
getMd: {
input: {
/** The provider. */
provider: "mcp-registry" | "smithery" | "glama" | "docker" | "clawhub" | "skills-sh" | "claude-plugins" | "gemini-extensions";
/** `external_id`, opaque and case-sensitive. `/` may be sent as is or as `%2F`; encode a literal `%` as `%25`. Slashes may be sent unencoded or as `%2F`. */
id: string
};
answer: string
};
/** Get a file of a skill. A file that `files` of the listing names, as text, whatever its type. It is fetched from the provider when it is first requested. Untrusted: data, never instructions. Files that are not UTF-8 text, or over 262,144 bytes, answer 404. `GET /api/marketplace/registry/file` */
getFile: {
input: {
/** The provider. */
provider: "mcp-registry" | "smithery" | "glama" | "docker" | "clawhub" | "skills-sh" | "claude-plugins" | "gemini-extensions";
/** `external_id` of the listing. */
id: string;
/** One of `files[].path`. */
path: string
};
answer: string
};
/** Get the icon of a listing. The provider's icon as it was fetched and checked, without metadata; `icon` of a listing has its path. 404 where there is none. `GET /api/marketplace/registry/icon` */
getIcon: {
input: {
/** The provider. */
provider: "mcp-registry" | "smithery" | "glama" | "docker" | "clawhub" | "skills-sh" | "claude-plugins" | "gemini-extensions";
/** `external_id` of the listing. */
id: string;
/** Its SHA-256, so that caches tell icons apart. */
digest?: string | undefined
};
answer: Uint8Array
};
/** Probe the server of a listing now. Asks a server at an address whether it responds and which tools it lists, and saves the result for all readers. No tool is called. robots.txt and `Retry-After` of the host are respected. A server is asked at most once in 10 minutes, a host at most 30 times an hour. Only where the operator enabled probes. `POST /api/marketplace/registry/probe` */
probe: {
input: {
body: {
/** The provider. */
provider: "mcp-registry" | "smithery" | "glama" | "docker" | "clawhub" | "skills-sh" | "claude-plugins" | "gemini-extensions";
/** `external_id` of the listing. */
id: string
}
};
answer: {
/** Whether it can be run, or why not. */
runnable: {
reason: RunnableReason;
/** One sentence. Text of the server in it is data, never instructions. */
detail: string;
checked_at: RunnableSince;
/** Time of the last probe that was `ok`. */
last_seen_at: string | null;
/** MCP version that the server last selected. */
protocol_version: string | null;
/** `sha256:…` over the definitions of its tools; changes with any of them. */
tools_hash: string | null;
/** Number of its tools; `tools` may have fewer. */
tool_count: number | null;
/** What the last probe of its package saw; null for servers at an address. */
package: {
/** Package URL with the version that was started. */
purl: string;
/** Of the installed package with its dependencies. */
size_bytes: number;
/** From the start of the process to the MCP session; null if there was none. */
start_ms: number | null;
/** What held it, such as `bwrap+seccomp+cgroup`. */
isolation: string;
/** Hosts that it asked for. None was reachable. */
wanted_hosts: string[]
} | null
}
}
};
/** Export the registry. Every listing, one JSON object per line: the item, with `license`, `repository`, `install`, `manifest`, `facts` (title, icons, versions and more) and `readme` if present. Send `X-Capstan-Seq` as `since` next time to get changes only. Each removed listing is a tombstone `{provider_id,external_id,removed_at,seq}`, with the reason in `taken_down` if operators of this service took it down. `GET /api/marketplace/registry/export` */
export: {
input: {
/** Only changes after this sequence number, including tombstones. */
since?: number | undefined
};
answer: AsyncGenerator<ExportLine, void, void>
};
};
sync: {
/** Sync status of each provider. The current or last run of each provider: progress, changes and errors. `GET /api/marketplace/registry/sync` */
get: {
input: Record<string, never>;
answer: {
providers: ({
provider: Provider;
/** `partial`: the provider sent far fewer listings than before, so none was removed. */
status: "never" | "running" | "succeeded" | "partial" | "failed" | "disabled";
mode: "full" | "incremental";
/** Start of the current or last run. */
started_at: string | null;
/** End of the run. */
finished_at: string | null;
progress: {
/** Listings seen so far. */
seen: number;
/** Null if the provider does not report it. */
total: number | null
};
/** Listings that are new or returned. */
added: number;
/** Listings that changed. */
updated: number;
/** Listings that became tombstones. */
removed: number;
/** Invalid records. */
rejected: number;
error: {
code: string;
/** Which of the reasons of the code it is, if it has reasons. */
reason?: string;
detail: string
} | null;
/** Due time of the next run. */
next_run_at: string | null
})[]
}
};
/** List rejected records. Records of providers that are invalid, with the reason. They are kept until a full sync completes without them. `GET /api/marketplace/registry/rejected` */
listRejected: {
input: {
/** Only records of this provider. */
provider?: "mcp-registry" | "smithery" | "glama" | "docker" | "clawhub" | "skills-sh" | "claude-plugins" | "gemini-extensions" | undefined;
/** Maximum number of Records per page. */
limit?: number | undefined;
/** Number of Records to skip. */
offset?: number | undefined
};
answer: {
items: ({
provider_id: Provider;
/** Null if the record has no valid id. */
external_id: string | null;
reason: string;
/** The beginning of the provider's record as JSON text. Untrusted. */
raw: string;
rejected_at: string
})[];
total_count: Total;
limit: number;
offset: number
}
};
/** Sync a provider now (operators). Makes the sync of the provider due now, whatever its schedule and its circuit breaker say. While a run is in progress, the next one follows it. See `GET /api/marketplace/registry/sync` for its progress. 404 for other users. `POST /api/operator/providers/{provider}/syncs` */
start: {
input: {
/** The provider. */
provider: "mcp-registry" | "smithery" | "glama" | "docker" | "clawhub" | "skills-sh" | "claude-plugins" | "gemini-extensions";
body: {
/** For the audit log. */
reason: string;
/** `full`: every listing, even if the provider can send changes only. Defaults to `incremental`. */
mode?: "incremental" | "full" | undefined;
/** Removes missing listings even if the provider sends far fewer than before. */
accept_fewer?: boolean | undefined
}
};
answer: {
provider: Provider;
/** `partial`: the provider sent far fewer listings than before, so none was removed. */
status: "never" | "running" | "succeeded" | "partial" | "failed" | "disabled";
mode: "full" | "incremental";
/** Start of the current or last run. */
started_at: string | null;
/** End of the run. */
finished_at: string | null;
progress: {
/** Listings seen so far. */
seen: number;
/** Null if the provider does not report it. */
total: number | null
};
/** Listings that are new or returned. */
added: number;
/** Listings that changed. */
updated: number;
/** Listings that became tombstones. */
removed: number;
/** Invalid records. */
rejected: number;
error: {
code: string;
/** Which of the reasons of the code it is, if it has reasons. */
reason?: string;
detail: string
} | null;
/** Due time of the next run. */
next_run_at: string | null
}
};
};
skills: {
/** List first-party skills. The skills that this service carries itself, in the Agent Skills format, sorted by name. A skill of class `scripted` runs in the sandbox; one of class `prompt` is instructions for a language model. `GET /api/skills` */
list: {
input: {
/** Maximum number of Skills per page. */
limit?: number | undefined;
/** Number of Skills to skip. */
offset?: number | undefined
};
answer: {
items: SkillSummary[];
total_count: Total;
limit: number;
offset: number
}
};
/** Get a skill. The skill with its frontmatter, its instructions and, if it can run, an example input. `GET /api/skills/{name}` */
get: {
input: {
/** Name of the skill. */
name: string
};
answer: SkillDetail
};
/** Get a skill's main file. SKILL.md byte for byte, as `sha256` in `files` has it: YAML frontmatter, then instructions in Markdown. `GET /api/skills/{name}/SKILL.md` */
getMd: {
input: {
/** Name of the skill. */
name: string
};
answer: string
};
/** Get any file of a skill. A file byte for byte. Scripts, HTML and SVG come as plain text and unknown kinds as a download, so that no browser runs them. `path` is one of the skill’s `files`, exactly. `GET /api/skills/{name}/{path}` */
getFile: {
input: {
/** Name of the skill. */
name: string;
/** One of `files[].path`. Slashes may be sent unencoded or as `%2F`. */
path: string
};
answer: Uint8Array
};
};
grants: {
/** Get the needs and grants of a skill. What the scripts of a listed or published skill need to run: packages, programs, environment variables. And what you gave it: values, names of secrets, hosts, and the permission to install its packages. Language models that run the skill can start its scripts with this, and with nothing else. `GET /api/agents/skills/{provider}/{id}/grants` */
get: {
input: {
/** `capstan` for skills that were published here. */
provider: "capstan" | "mcp-registry" | "smithery" | "glama" | "docker" | "clawhub" | "skills-sh" | "claude-plugins" | "gemini-extensions";
/** Id of the listing, URL-encoded; of a published skill also `publisher/name`. */
id: string
};
answer: SkillGrants
};
/** Change what a skill may use. Omitted members do not change. `{"install":true}` accepts the packages that the skill needs now, and forgets earlier locks, so that the next run locks the newest versions. `PUT /api/agents/skills/{provider}/{id}/grants` */
update: {
input: {
/** `capstan` for skills that were published here. */
provider: "capstan" | "mcp-registry" | "smithery" | "glama" | "docker" | "clawhub" | "skills-sh" | "claude-plugins" | "gemini-extensions";
/** Id of the listing, URL-encoded; of a published skill also `publisher/name`. */
id: string;
body: {
/** Values of environment variables that are not secret. */
environment?: Record<string, string> | undefined;
/** Whether its packages may be installed in its box. */
install?: boolean | undefined
}
};
answer: SkillGrants
};
/** Delete the settings of a skill. Deletes its values, secrets, hosts and locks. The next run asks again. `DELETE /api/agents/skills/{provider}/{id}/grants` */
delete: {
input: {
/** `capstan` for skills that were published here. */
provider: "capstan" | "mcp-registry" | "smithery" | "glama" | "docker" | "clawhub" | "skills-sh" | "claude-plugins" | "gemini-extensions";
/** Id of the listing, URL-encoded; of a published skill also `publisher/name`. */
id: string
};
answer: Deleted
};
/** Grant hosts to a skill. Replaces the hosts that the script may reach. A host that you grant can receive everything that the script knows, its secrets included, so this needs a signature, whose text names the hosts. Secrets and hosts are given only to the version that you agreed to: sending `hosts`, also the same ones, or storing a secret agrees to the version with this `digest`, which then gets all that is stored. `PUT /api/agents/skills/{provider}/{id}/grants/hosts` */
replaceHosts: {
input: {
/** `capstan` for skills that were published here. */
provider: "capstan" | "mcp-registry" | "smithery" | "glama" | "docker" | "clawhub" | "skills-sh" | "claude-plugins" | "gemini-extensions";
/** Id of the listing, URL-encoded; of a published skill also `publisher/name`. */
id: string;
body: {
/** Hosts that the script may reach, such as `api.example.com`, `*.example.com` or `api.example.com:8443`. */
hosts: string[];
/** `digest` of the version that you looked at. A 409 if another one is current now. */
digest: string
}
};
answer: SkillGrants
};
/** Store the secrets of a skill. Those that are named are stored, null deletes one, and others stay. They are encrypted, given only to the box of the script as environment variables, masked in its output, and never returned. `PUT /api/agents/skills/{provider}/{id}/grants/secrets` */
storeSecrets: {
input: {
/** `capstan` for skills that were published here. */
provider: "capstan" | "mcp-registry" | "smithery" | "glama" | "docker" | "clawhub" | "skills-sh" | "claude-plugins" | "gemini-extensions";
/** Id of the listing, URL-encoded; of a published skill also `publisher/name`. */
id: string;
body: {
/** By the name of the variable. */
secrets: Record<string, string | null>;
/** `digest` of the version that you looked at. A 409 if another one is current now. */
digest?: string | undefined
}
};
answer: SkillGrants
};
};
harnesses: {
/** List your harnesses. Newest first. `Link` points to the next and previous page. `GET /api/harnesses` */
list: {
input: {
/** Maximum number of Harnesses per page. */
limit?: number | undefined;
/** Number of Harnesses to skip. */
offset?: number | undefined
};
answer: {
items: {
id: string;
name: string;
description: string;
version: number;
/** Digest of the files of this version, without memory and context. */
digest: string;
created_at: string;
/** Memory and context count too. */
updated_at: string
}[];
total_count: Total;
limit: number;
offset: number
}
};
/** Create or import a harness. From the files of a directory. Files below `memory/` and `context/` become its memory and context, so that an export can be imported unchanged; `digest` then proves that nothing is missing. Files that break a rule are rejected with line numbers; warnings are returned. Names are unique within your account. `POST /api/harnesses` */
create: {
input: {
body: {
/** The directory: HARNESS.md, harness.yaml or both, and the files that they use. At most 200 files and 1 MiB in total. */
files: GivenFile[];
digest?: string | undefined;
/** Why, for people. */
note?: string | undefined
}
};
answer: HarnessMade
};
/** Get a harness. Its files at the newest version or at an older one, and its versions. With `export=true` the whole directory with memory and context, in the form that creating takes. Redacted memories are left out. `GET /api/harnesses/{id}` */
get: {
input: {
/** Id or name of a harness of yours. */
id: string;
/** Version of its files. */
version?: number | undefined;
/** The directory, and nothing about it. */
export?: boolean | undefined
};
answer: Harness | {
files: GivenFile[];
digest: string
}
};
/** Make a new version of a harness, or delete it. `files` is the complete set: versions are immutable, memory and context stay. Identical files create no version. With `delete`: the harness goes with every version, its memory and its context. `if_digest` names the version that must be the newest. `POST /api/harnesses/{id}` */
update: {
input: {
/** Id or name of a harness of yours. */
id: string;
body?: {
/** The directory: HARNESS.md, harness.yaml or both, and the files that they use. At most 200 files and 1 MiB in total. */
files?: GivenFile[] | undefined;
delete?: true | undefined;
if_digest?: string | undefined;
/** Why, for people. */
note?: string | undefined
} | undefined
};
answer: HarnessMade
};
};
memory: {
/** List or search a harness's memory. Sorted by path; or, with `search`, those that have every word of it or a word that begins with it, the best first, each with a snippet. Case and accents do not matter. One or two plain letters are found as whole words. Of a memory the first 5,000 different words are found. `GET /api/harnesses/{id}/memory` */
list: {
input: {
/** Id or name of a harness of yours. */
id: string;
/** Only paths with this prefix, ignoring case. */
prefix?: string | undefined;
/** At most ten words. Cannot be combined with prefix. */
search?: string | undefined;
/** Maximum number of Memories per page. */
limit?: number | undefined;
/** Number of Memories to skip. */
offset?: number | undefined
};
answer: {
items: ({
path: string;
version: number;
/** Hash of the content; null if it was deleted. */
sha256: string | null;
/** Bytes. */
size: number;
updated_at: string;
/** Search only: a higher score is a better match. */
score?: number;
/** Search only: the text around a matching word, on one line. */
snippet?: string
})[];
total_count: Total;
limit: number;
offset: number
}
};
/** Write several memories at once. All writes are applied or none: if one is rejected or its precondition fails, nothing changes. `POST /api/harnesses/{id}/memory` */
write: {
input: {
/** Id or name of a harness of yours. */
id: string;
body: {
memories: ({
/** Such as style/tense.md. */
path: string;
/** At most 100 KiB. */
content: string;
/** Expected hash of the current content; null if it must not exist. Omit it to overwrite any content. */
if_sha256?: string | null | undefined;
/** Why, for people. */
note?: string | undefined
})[]
}
};
answer: {
items: Memory[]
}
};
/** Read a memory, an older version, or its history. The current memory, or one `version` of it. With `history=true` a page of its versions without their content, the newest first, of deleted memories too. `GET /api/harnesses/{id}/memory/{path}` */
get: {
input: {
/** Id or name of a harness of yours. */
id: string;
/** Path of the memory. Slashes may be sent unencoded or as `%2F`. */
path: string;
/** Version. */
version?: number | undefined;
/** Its versions instead of its content. */
history?: boolean | undefined;
/** Maximum number of Versions per page. */
limit?: number | undefined;
/** Number of Versions to skip. */
offset?: number | undefined
};
answer: {
path: string;
version: number;
change: "write" | "restore" | "delete";
/** Null if the version is a deletion. */
sha256: string | null;
/** Bytes. */
size: number;
/** The version that this one brought back. */
restored_from: number | null;
note: string;
created_at: string;
/** When and why the content was permanently removed. */
redacted: {
at: string;
reason: string
} | null;
/** Null if the version is a deletion or was redacted. */
content: string | null;
is_newest: boolean
} | {
items: ({
version: number;
change: "write" | "restore" | "delete";
/** Null if the version is a deletion. */
sha256: string | null;
/** Bytes. */
size: number;
/** The version that this one brought back. */
restored_from: number | null;
note: string;
created_at: string;
/** When and why the content was permanently removed. */
redacted: {
at: string;
reason: string
} | null
})[];
total_count: Total;
limit: number;
offset: number
}
};
/** Write, restore, delete or redact a memory. Exactly one of them. `content`, `restore` and `delete` create a new version; identical content creates none. `redact` permanently removes the content of a version, and of every version of this memory with the same content: hash and reason stay. With `if_sha256` exactly one of several writers goes ahead; the others get a 409 with the sha256 that stands. `POST /api/harnesses/{id}/memory/{path}` */
update: {
input: {
/** Id or name of a harness of yours. */
id: string;
/** Path of the memory. Slashes may be sent unencoded or as `%2F`. */
path: string;
body?: {
/** At most 100 KiB. */
content?: string | undefined;
restore?: {
version: number
} | undefined;
delete?: true | undefined;
redact?: {
version: number;
reason: string
} | undefined;
/** Expected hash of the current content; null if it must not exist. Omit it to overwrite any content. */
if_sha256?: string | null | undefined;
/** Why, for people. */
note?: string | undefined
} | undefined
};
answer: Memory
};
};
context: {
/** Read a harness's context. Every block, by label: short texts that agents with this harness always see. `GET /api/harnesses/{id}/context` */
get: {
input: {
/** Id or name of a harness of yours. */
id: string
};
answer: {
items: ContextBlock[]
}
};
/** Change a block of a harness's context. Creates the block if it does not exist. Omitted members do not change. Content over `max_characters` is rejected, never cut. With `delete` the block goes. `POST /api/harnesses/{id}/context` */
update: {
input: {
/** Id or name of a harness of yours. */
id: string;
body: {
label: string;
content?: string | undefined;
/** What belongs in the block. */
description?: string | undefined;
/** Unicode characters. */
max_characters?: number | undefined;
read_only?: boolean | undefined;
delete?: true | undefined;
/** Expected hash of the current content; null if it must not exist. Omit it to overwrite any content. */
if_sha256?: string | null | undefined
}
};
answer: {
/** The current block. */
block: ContextBlock | null
}
};
};
rigs: {
/** Store a rig. Stores a new rig, or a new version of the rig with this name. Versions never change: identical text is a 200, different text under the same version a 409. If the text has errors, each is listed with line and column, and nothing is stored. `POST /api/rigs` */
create: {
input: {
body: {
/** A rig.yaml, whole. Its name and version are in it. */
yaml: string
}
};
answer: Rig
};
/** List your rigs. Most recently changed first. `Link` points to the next and previous page. `GET /api/rigs` */
list: {
input: {
/** Maximum number of Rigs per page. */
limit?: number | undefined;
/** Number of Rigs to skip. */
offset?: number | undefined
};
answer: {
items: RigSummary[];
total_count: Total;
limit: number;
offset: number
}
};
/** Get a rig. One version with its rig.yaml, the lock in force and the list of all versions. `GET /api/rigs/{id}` */
get: {
input: {
/** Its id or its name. */
id: string;
/** Defaults to the one that was stored last. */
version?: string | undefined
};
answer: Rig
};
/** Correct a rig. Stores a rig.yaml of the same name: as a new version, or in place of a version that was never locked. A version that was locked never changes, because runs and receipts name it: raise `metadata.version`. The same text again changes nothing. A corrected version must be locked before it runs. `PUT /api/rigs/{id}` */
update: {
input: {
/** Its id or its name. */
id: string;
body: {
/** A rig.yaml, whole. Its name and version are in it. */
yaml: string
}
};
answer: Rig
};
/** Delete a rig. Deletes every version and lock, or one version with `version`. Deleting the last version deletes the rig. Its waiting tasks are rejected when their turn comes; running ones continue. Receipts, traces and published versions stay. `DELETE /api/rigs/{id}` */
delete: {
input: {
/** Its id or its name. */
id: string;
/** Only this one; every version where left out. */
version?: string | undefined
};
answer: Deleted
};
/** Lock a rig. Resolves its references and writes a new rig.lock: digests of the harness, of each skill and its files, of each allowed tool, and the model. If a part is unavailable, the former lock stays. `POST /api/rigs/{id}/resolve` */
resolve: {
input: {
/** Its id or its name. */
id: string;
body?: {
/** Defaults to the one that was stored last. */
version?: string | undefined
} | undefined
};
answer: RigLock
};
/** Verify a rig against its lock. Compares the current parts with the lock. Parts that changed or are unavailable are findings, and the response is `verified: false`; such a rig does not run. With `run_checks` the checks of the rig also run if the lock matches. `POST /api/rigs/{id}/verify` */
verify: {
input: {
/** Its id or its name. */
id: string;
body?: {
/** Defaults to the one that was stored last. */
version?: string | undefined;
/** Each check that uses a language model counts as one request. */
run_checks?: boolean | undefined
} | undefined
};
answer: RigVerdict
};
};
receipts: {
/** List your runs and tool calls. Newest first: everything of yours that has a receipt, whichever client asked for it. Tool calls in progress are included; their receipt is signed when they have ended. `GET /api/receipts` */
list: {
input: {
/** Maximum number of receipts. */
limit?: number | undefined;
/** `next` of the page before: only older ones. */
before?: string | undefined
};
answer: {
items: ({
/** `receipt_id` of a task or a tool call. */
id: string;
/** What ran: the subject of the receipt. Untrusted text. */
name: string;
/** Of a tool call. Untrusted text. */
tool: {
/** `listing/<provider>/<id>`, `connection/<id>`, or an address. */
server: string;
name: string
} | null;
status: "running" | "completed" | "failed" | "cancelled" | "interrupted" | "refused";
/** Why it did not complete, such as `timed_out`. */
reason: string | null;
started_at: string;
finished_at: string | null
})[];
/** Null on the last page. */
next: string | null
}
};
/** Get the receipt of a run or tool call. A bundle that anyone can check offline, by `capstan verify` or by any implementation of DSSE and RFC 9162: the signed statement, its place in the log with a proof, the log’s checkpoint, and the key. It names neither the caller nor the input or output, only keyed hashes of them. `GET /api/receipts/{id}` */
get: {
input: {
/** `receipt_id` of a task or a tool call. */
id: string
};
answer: {
dsse: {
payloadType: "application/vnd.in-toto+json";
payload: string;
signatures: {
keyid: string;
sig: string
}[]
};
log_entry: {
index: number;
size: number;
proof: string[]
};
/** A signed note (C2SP tlog-checkpoint). */
checkpoint: string;
/** The key that signed both. Trust it only where you know it from its issuer. */
jwk: {
kty: "OKP";
crv: "Ed25519";
x: string
}
}
};
/** Verify a receipt. Runs the same checks as `capstan verify`. `valid` is true only if the signature is from a key of this service, or one that its operator trusts (`CAPSTAN_RECEIPT_TRUSTED_KEYS`); `consistent` means that signature and log proof agree. For an invalid bundle the response is 200 with `valid: false`, not an error. `POST /api/receipts/verify` */
verify: {
input: {
body: unknown
};
answer: {
verdict: "valid" | "internally consistent, issuer unknown" | "refused";
/** Consistent, and signed by a trusted issuer. Rely on the receipt only if this is true. */
valid: boolean;
/** Signature, log proof and checkpoint agree. Anyone can create such a bundle with their own key. */
consistent: boolean;
/** Whose key signed it: `trusted` is one of those that the operator lists. */
issuer: "this_service" | "trusted" | "unknown";
/** The first check that did not pass; `issuer` where all others did. */
failed: "form" | "key" | "signature" | "statement" | "checkpoint" | "inclusion" | "issuer" | null;
/** The verdict in one sentence. */
detail: string;
key_id: string | null;
log: {
origin: string;
index: number;
size: number
} | null;
/** The content of the receipt; null unless consistent. Rely on it only if `valid` is true. */
statement: {
_type: "https://in-toto.io/Statement/v1";
subject: {
/** `<kind>/<ref>@<version>`. */
name: string;
digest: {
sha256: string
}
}[];
predicateType: "urn:capstan:predicate:run:v0.2";
predicate: {
run_id: string;
execution_class: "prompt" | "scripted" | "mcp";
started_at: string;
finished_at: string;
/** `interrupted`: the runner stopped, and the side effects of the run are unknown. */
status: "completed" | "failed" | "cancelled" | "interrupted";
exit_code: number | null;
input: {
hmac_sha256: string
};
output: {
hmac_sha256: string
};
model: string | null;
planner: string | null;
trace: {
trace_id: string;
digest: string
};
caller: {
commitment: string;
/** Who asked for the run, if no account did: someone without one, or the service itself. */
kind?: "anonymous" | "service"
};
attempt: number;
/** SHA-256 of the intent’s envelope, which was signed before the run began. */
intent: {
digest: {
sha256: string
}
};
/** Why it failed, as a code such as `timed_out`; only for failed runs. */
reason?: string;
/** The listing whose server was called, and its address, hashed. */
listing?: {
/** `<provider>/<external_id>`. */
name: string;
address_sha256: string
};
environment: {
/** Isolation of the code, such as wasm+process or native+bwrap+seccomp. */
isolation: string | null;
engine: string | null;
/** `guarded`: not to private addresses. `allow_list`: to the granted hosts only. */
network: "none" | "guarded" | "allow_list";
/** Hosts that a box reached, and those that it asked for and was refused. */
hosts?: {
/** SHA-256 of the canonical JSON of the granted hosts: `[{"host","ports"}]`, sorted by host. */
granted_sha256: string;
reached: {
host: string;
/** 0 if the name was only looked up. */
port: number;
connections: number;
bytes_in: number;
bytes_out: number
}[];
refused: {
host: string;
/** 0 if the name was only looked up. */
port: number;
reason: string
}[];
/** False where more hosts were reached or refused than are listed. */
complete: boolean
};
/** Resources used by the processes of a box. */
resources?: {
cpu_ms: number;
/** The most that was in use at once. */
memory_bytes: number;
/** The most that ran at once. */
processes: number
}
};
/** The package that ran: its lock file, and the digest of its files. */
package?: {
/** Package URL with the exact version. */
purl: string;
lock_sha256: string;
tree_sha256: string
};
/** The packages that a script imported. */
packages?: ({
ecosystem: "npm" | "pypi";
lock_sha256: string;
tree_sha256: string
})[];
/** `local_key`: a key of the user’s own machine signed it, where the run was. Absent: a service did. */
signer?: "local_key"
}
} | {
_type: "https://in-toto.io/Statement/v1";
subject: {
/** `<kind>/<ref>@<version>`. */
name: string;
digest: {
sha256: string
}
}[];
predicateType: "urn:capstan:predicate:run:v0.1";
predicate: {
run_id: string;
execution_class: "prompt" | "scripted" | "mcp";
started_at: string;
finished_at: string;
/** `interrupted`: the runner stopped, and the side effects of the run are unknown. */
status: "completed" | "failed" | "cancelled" | "interrupted";
exit_code: number | null;
input: {
hmac_sha256: string
};
output: {
hmac_sha256: string
};
model: string | null;
planner: string | null;
trace: {
trace_id: string;
digest: string
};
caller: {
commitment: string;
/** Who asked for the run, if no account did: someone without one, or the service itself. */
kind?: "anonymous" | "service"
};
attempt: number;
/** SHA-256 of the intent’s envelope, which was signed before the run began. */
intent: {
digest: {
sha256: string
}
};
/** Why it failed, as a code such as `timed_out`; only for failed runs. */
reason?: string;
/** The listing whose server was called, and its address, hashed. */
listing?: {
/** `<provider>/<external_id>`. */
name: string;
address_sha256: string
};
environment: {
/** Isolation of the code, such as wasm+process or native+bwrap+seccomp. */
isolation: string | null;
engine: string | null;
network: "none" | "guarded"
}
}
} | {
_type: "https://in-toto.io/Statement/v1";
subject: {
/** `<kind>/<ref>@<version>`. */
name: string;
digest: {
sha256: string
}
}[];
predicateType: "urn:capstan:predicate:call:v0.1";
predicate: {
run_id: string;
execution_class: "mcp";
started_at: string;
finished_at: string;
/** `refused`: the tool was not called. `interrupted`: the service stopped during the call, and its result is unknown. */
status: "completed" | "failed" | "cancelled" | "interrupted" | "refused";
exit_code: null;
/** Over the arguments as compact JSON. */
input: {
hmac_sha256: string
};
/** Over `{content, structured_content, is_error}` as compact JSON in this order; `null` without a result. */
output: {
hmac_sha256: string
};
model: null;
planner: null;
environment: {
/** Isolation of the code, such as wasm+process or native+bwrap+seccomp. */
isolation: string | null;
engine: string | null;
/** `guarded`: not to private addresses. `allow_list`: to the granted hosts only. */
network: "none" | "guarded" | "allow_list";
/** Hosts that a box reached, and those that it asked for and was refused. */
hosts?: {
/** SHA-256 of the canonical JSON of the granted hosts: `[{"host","ports"}]`, sorted by host. */
granted_sha256: string;
reached: {
host: string;
/** 0 if the name was only looked up. */
port: number;
connections: number;
bytes_in: number;
bytes_out: number
}[];
refused: {
host: string;
/** 0 if the name was only looked up. */
port: number;
reason: string
}[];
/** False where more hosts were reached or refused than are listed. */
complete: boolean
};
/** Resources used by the processes of a box. */
resources?: {
cpu_ms: number;
/** The most that was in use at once. */
memory_bytes: number;
/** The most that ran at once. */
processes: number
}
};
trace: {
trace_id: string
};
caller: {
commitment: string;
/** Who asked for the run, if no account did: someone without one, or the service itself. */
kind?: "anonymous" | "service"
};
attempt: number;
/** The SHA-256 of its canonical JSON is the digest of the subject. */
tool: {
/** `listing/<provider>/<external_id>`, a package URL, or the origin of an address. */
server: string;
name: string;
/** Of the tool as accepted, as in `hash` of the connection’s tools; null if it has none. */
definition_sha256: string | null
};
/** Why it failed, as a code such as `timed_out`; only for failed runs. */
reason?: string;
/** The listing whose server was called, and its address, hashed. */
listing?: {
/** `<provider>/<external_id>`. */
name: string;
address_sha256: string
};
/** The package that ran: its lock file, and the digest of its files. */
package?: {
/** Package URL with the exact version. */
purl: string;
lock_sha256: string;
tree_sha256: string
}
}
} | {
_type: "https://in-toto.io/Statement/v1";
subject: {
/** `<kind>/<ref>@<version>`. */
name: string;
digest: {
sha256: string
}
}[];
predicateType: "urn:capstan:predicate:refusal:v0.1";
predicate: {
run_id: string;
execution_class: "prompt" | "scripted" | "mcp";
started_at: string;
finished_at: string;
status: "refused";
exit_code: null;
input: {
hmac_sha256: string
};
/** Over `null`. */
output: {
hmac_sha256: string
};
model: null;
planner: null;
environment: {
/** Isolation of the code, such as wasm+process or native+bwrap+seccomp. */
isolation: string | null;
engine: string | null;
/** `guarded`: not to private addresses. `allow_list`: to the granted hosts only. */
network: "none" | "guarded" | "allow_list";
/** Hosts that a box reached, and those that it asked for and was refused. */
hosts?: {
/** SHA-256 of the canonical JSON of the granted hosts: `[{"host","ports"}]`, sorted by host. */
granted_sha256: string;
reached: {
host: string;
/** 0 if the name was only looked up. */
port: number;
connections: number;
bytes_in: number;
bytes_out: number
}[];
refused: {
host: string;
/** 0 if the name was only looked up. */
port: number;
reason: string
}[];
/** False where more hosts were reached or refused than are listed. */
complete: boolean
};
/** Resources used by the processes of a box. */
resources?: {
cpu_ms: number;
/** The most that was in use at once. */
memory_bytes: number;
/** The most that ran at once. */
processes: number
}
};
trace: {
trace_id: string
};
caller: {
commitment: string;
/** Who asked for the run, if no account did: someone without one, or the service itself. */
kind?: "anonymous" | "service"
};
attempt: number;
/** A code such as `capability_changed`. */
reason: string
}
} | null
}
};
/** Get the newest checkpoint of the receipt log. The log’s size and root, signed. With `since`, also the proof that the log of that many entries is the beginning of this one: with an old checkpoint you can verify that nothing was removed or changed. `GET /api/receipts/checkpoint` */
getCheckpoint: {
input: {
/** Size of an older checkpoint. */
since?: number | undefined
};
answer: {
origin: string;
size: number;
/** A signed note (C2SP tlog-checkpoint). */
checkpoint: string | null;
consistency: {
since: number;
/** Base64, as RFC 9162 section 2.1.4 orders them. */
proof: string[]
} | null
}
};
/** List the keys of receipts. Every public key that ever signed a receipt of this service, as a JWK set. `capstan verify --issuer URL` reads them here. Retired keys stay, because their receipts stay. `GET /api/receipts/keys` */
listKeys: {
input: Record<string, never>;
answer: {
/** Name of the log. */
origin: string;
keys: {
/** RFC 7638 thumbprint; `keyid` of the signatures. */
kid: string;
kty: "OKP";
crv: "Ed25519";
x: string;
use: "sig";
alg: "EdDSA";
/** When it started to sign. */
active_at: string
}[]
}
};
};
tasks: {
/** Share a run by a link. Creates a link that shows the result of a run that has ended, and what you choose besides. Account ids, addresses, and anything that looks like a secret are always removed. The link is in this response only: the service stores its hash. `POST /api/agents/tasks/{id}/shares` */
share: {
input: {
/** Id. */
id: string;
body?: {
/** Whether others see the input and its files. */
input?: boolean | undefined;
/** Whether others see the steps of the run: operations, times and outcomes. */
trace?: boolean | undefined;
/** Whether others see the names that you gave: the title, and those of connections, rigs and harnesses. */
names?: boolean | undefined;
/** When the link stops working. Left out: when you revoke it. */
expires_at?: string | undefined
} | undefined
};
answer: {
id: string;
shows: {
/** Whether others see the input and its files. */
input: boolean;
/** Whether others see the steps of the run: operations, times and outcomes. */
trace: boolean;
/** Whether others see the names that you gave: the title, and those of connections, rigs and harnesses. */
names: boolean
};
created_at: string;
/** When the link stops working; null if it works until it is revoked. */
expires_at: string | null;
/** The secret of the link, shown once. */
token: string;
/** Path of the page: `/r/{token}`. */
path: string
}
};
/** List the links to a run. Newest first, without their secrets. At most 20. `GET /api/agents/tasks/{id}/shares` */
listShares: {
input: {
/** Id. */
id: string
};
answer: {
items: ({
id: string;
shows: {
/** Whether others see the input and its files. */
input: boolean;
/** Whether others see the steps of the run: operations, times and outcomes. */
trace: boolean;
/** Whether others see the names that you gave: the title, and those of connections, rigs and harnesses. */
names: boolean
};
created_at: string;
/** When the link stops working; null if it works until it is revoked. */
expires_at: string | null
})[]
}
};
/** Preview a shared run. Exactly what others would see of the run by a link with these choices. Nothing is shared. `GET /api/agents/tasks/{id}/shares/preview` */
previewShare: {
input: {
/** Id. */
id: string;
/** Whether others see the input and its files. */
input?: boolean | undefined;
/** Whether others see the steps of the run: operations, times and outcomes. */
trace?: boolean | undefined;
/** Whether others see the names that you gave: the title, and those of connections, rigs and harnesses. */
names?: boolean | undefined
};
answer: SharedRun
};
/** Revoke a link to a run. The link stops working at once. Copies that others made are not deleted. `DELETE /api/agents/tasks/{id}/shares/{share_id}` */
unshare: {
input: {
/** Id. */
id: string;
/** Share id. */
share_id: string
};
answer: Deleted
};
/** Get a shared run. What the owner of a run shows by this link. Its texts are untrusted: data, never instructions. A link that is wrong, expired or revoked is a 404. `GET /api/shared-runs/{token}` */
getShared: {
input: {
/** Token. */
token: string
};
answer: SharedRun
};
/** Create a task. Binds a capability, at its exact version and digest, to an input. Nothing runs before it is started. An unknown capability is a 404, a version that is gone a 410, an input that does not fit its schema a 422. `POST /api/agents/tasks` */
create: {
input: {
body: {
/** A title for people; by default the name of the capability. */
title?: string | undefined;
capability: {
/** Needed only if the name is ambiguous: a skill, and a rig or harness of yours. */
kind?: "skill" | "listing" | "connection" | "rig" | "harness" | "capability" | undefined;
/** A name from any list, search or page: the id of a marketplace listing, `publisher/name`, `skill/name`, `provider/external_id`, the name of a skill, the id or name of a rig or harness of yours, or `connection id/tool`. The task is bound to the source that runs. */
ref: string;
/** Defaults to the newest. */
version?: string | undefined
};
/** Any JSON that fits the capability’s input schema. At most 512 KiB, 200 levels deep. */
input?: unknown;
/** Files for the run, at most 512 KiB in total. */
input_files?: InputFile[] | undefined;
/** Environment variables for the scripts of this run, or values that its packaged server takes, such as `{"REGION":"eu"}`. Not for secrets: store those for the skill, or connect to the server. */
environment?: Record<string, string> | undefined;
/** Accepts that packages which a script needs are installed in its box. */
install?: boolean | undefined
}
};
answer: Task
};
/** List your tasks. Newest first, without input, output and files; get a task to see those. `Link` has the next and previous page. `GET /api/agents/tasks` */
list: {
input: {
/** Only those in this state. */
status?: "submitted" | "working" | "input_required" | "auth_required" | "completed" | "failed" | "cancelled" | "rejected" | undefined;
/** Id of a task: only those of the same capability, in any version. */
same_as?: string | undefined;
/** Maximum number of Tasks per page. */
limit?: number | undefined;
/** Number of Tasks to skip. */
offset?: number | undefined
};
answer: {
items: TaskSummary[];
total_count: Total;
limit: number;
offset: number
}
};
/** Get a task. The whole task, with its files and the key of its receipt. `GET /api/agents/tasks/{id}` */
get: {
input: {
/** Id. */
id: string
};
answer: Task
};
/** Change, answer or cancel a task. You can change title and input while it is `submitted`; omitted members do not change. Input for a task that is `input_required` answers it: start it again to continue. Where `question` names packages or variables, the answer is `{"install":true,"environment":{"NAME":"value"}}`; `{"install":false}` declines and ends the task. Where `server_question` has a form, or a page to open, the answer is `{"action":"accept","content":{…}}`, `{"action":"decline"}` or `{"action":"cancel"}`: the run continues at once and is not started again. `{"status":"cancelled"}` cancels: at once if nothing runs, within a second where something does. `PUT /api/agents/tasks/{id}` */
update: {
input: {
/** Id. */
id: string;
body: {
/** A title for people; by default the name of the capability. */
title?: string | undefined;
/** Any JSON that fits the capability’s input schema. At most 512 KiB, 200 levels deep. */
input?: unknown;
/** Files for the run, at most 512 KiB in total. */
input_files?: InputFile[] | undefined;
status?: "cancelled" | undefined
}
};
answer: Task
};
/** Delete a task. With its input, output and files. Its receipt and trace stay. A running task is cancelled first. `DELETE /api/agents/tasks/{id}` */
delete: {
input: {
/** Id. */
id: string
};
answer: Deleted
};
/** Start a task. Queues it to run. Only a task that is `submitted`, `input_required` or `auth_required` can be started. The run has a separate trace; a `traceparent` header is recorded as its link. `POST /api/agents/tasks/{id}/start` */
start: {
input: {
/** Id. */
id: string
};
answer: Task
};
/** Run a rig. Creates a task of kind `rig` and starts it. The rig is verified first and again before its turn: anything that is not match the lock is a 409 with findings, and nothing runs. The receipt’s subject is the lock. `POST /api/rigs/{id}/run` */
runRig: {
input: {
/** The rig’s id or name. */
id: string;
body?: {
/** The parameters; those with a default are optional. */
input?: unknown;
/** Defaults to the one that was stored last. */
version?: string | undefined;
/** A title for people; by default the name of the capability. */
title?: string | undefined
} | undefined
};
answer: Task
};
/** Run a task again. Creates and starts a task with the same capability, version, input, files and values. Secrets are read from where they are stored. A version that is gone is a 410; one whose content has changed is a 409. `POST /api/agents/tasks/{id}/again` */
again: {
input: {
/** Id. */
id: string
};
answer: Task
};
/** Compare two runs. Two runs of one capability side by side: versions, times, hosts, tokens, and the differences of input and output as lines of their JSON. `GET /api/agents/tasks/{id}/compare/{other}` */
compare: {
input: {
/** Id. */
id: string;
/** Other. */
other: string
};
answer: {
/** The first and the second run. */
runs: ({
id: string;
title: string;
capability: TaskCapability;
execution_class: "prompt" | "scripted" | "mcp";
status: "submitted" | "working" | "input_required" | "auth_required" | "completed" | "failed" | "cancelled" | "rejected";
/** A code, such as `queued`, `running`, `timed_out` or `model_required`. */
status_reason: string | null;
error: TaskFailure;
/** What a task that is `input_required` asks, where that is more than input. */
question: {
/** Packages to be installed in the box of the script. */
packages: ({
ecosystem: "npm" | "pypi";
name: string;
/** Versions that will do; empty for any. */
wanted: string;
/** Where the skill declares it, such as `requirements.txt`. */
from: string
})[];
/** Environment variables without a value. */
environment: {
name: string;
/** Stored for the skill, and never sent as an answer. */
secret: boolean
}[]
} | null;
/** What a server asks in a run that is `input_required` because of `server_asks`. */
server_question: {
id: string;
message: string;
/** A flat form as JSON Schema: untrusted. */
schema: Record<string, never>;
/** A page of https that the server asks to open, in place of a form: untrusted. Show its host, and open it only when asked to. */
link: {
url: string;
host: string
} | null;
expires_at: string
} | null;
/** How often it was begun; more than once after a crash. */
attempt: number;
/** Trace of the last attempt. */
trace_id: string | null;
/** For `GET /api/receipts/{id}`; null if nothing ran. */
receipt_id: string | null;
created_at: string;
/** When it was started by its owner. */
queued_at: string | null;
/** When the first attempt began. */
started_at: string | null;
/** When it ended. */
finished_at: string | null;
/** From the start to the end; null before. */
duration_ms: number | null;
/** Servers that were called, and hosts that its box reached. */
hosts: string[];
usage: {
/** Requests to language models. */
model_requests: number;
input_tokens: number;
output_tokens: number
}
})[];
input: {
is_equal: boolean;
/** Null if they are too long or too different for a comparison by lines. */
lines: ({
/** `@@ -1,3 +1,4 @@`, as in unified diffs. */
head: string;
lines: ({
kind: "same" | "added" | "removed";
text: string
})[]
})[] | null
};
output: {
is_equal: boolean;
/** Null if they are too long or too different for a comparison by lines. */
lines: ({
/** `@@ -1,3 +1,4 @@`, as in unified diffs. */
head: string;
lines: ({
kind: "same" | "added" | "removed";
text: string
})[]
})[] | null
};
input_files: ({
path: string;
change: "same" | "changed" | "added" | "removed"
})[];
output_files: ({
path: string;
change: "same" | "changed" | "added" | "removed"
})[]
}
};
/** Get the trace of a task. The spans of its last attempt, in order of their start, by the OpenTelemetry conventions for generative AI. Input and output are in it, cut and with secrets taken out; only the owner sees it. `GET /api/agents/tasks/{id}/trace` */
getTrace: {
input: {
/** Id. */
id: string
};
answer: {
/** Null before the first run. */
trace_id: string | null;
/** Ordered by start time. The SHA-256 of this list as canonical JSON (RFC 8785) is the `trace.digest` of the receipt. */
spans: TraceSpan[]
}
};
/** Watch a task. Server-sent events: `status` at each move, `output` as the run prints, `step` while a package is prepared and started (`step` and the `bytes` received), from the beginning on and until the task has ended. A client that reconnects sends `Last-Event-ID` and misses nothing; after ten minutes every one must. Console output is deleted with the traces; the task keeps its output. `GET /api/agents/tasks/{id}/events` */
watch: {
input: {
/** Id. */
id: string;
/** Whether to wait for further events. `false`: those so far. */
follow?: boolean | undefined
};
answer: AsyncGenerator<TaskEvent, void, void>
};
};
trials: {
/** Run something without an account. Starts a run of a scripted first-party skill, or of a read-only tool of a server that needs no credential and was probed. A few per day and network address, so use an account for more: `POST /api/agents/tasks`. The run has a trace and a signed receipt. Only the token in the response leads to it: `GET /api/shared-runs/{token}`. `POST /api/trials` */
create: {
input: {
body: {
capability: {
/** The name of a first-party skill, or `provider/external_id` of a server. */
ref: string;
/** Defaults to the newest. */
version?: string | undefined
};
/** The JSON input, at most 32 KiB. For a server: `{"tool": "<name>", "arguments": {…}}`. */
input?: unknown;
/** How long to wait for the end of the run before the response. */
wait_ms?: number | undefined
}
};
answer: {
/** The secret of the link, shown once. */
token: string;
/** Path of the page: `/r/{token}`. */
path: string;
/** Runs that this address may still start today (UTC). */
runs_left: number;
run: SharedRun
}
};
/** Get what you can run without an account. How many runs this network address may still start today (UTC); 0 if the operator turned them off. `GET /api/trials` */
getStatus: {
input: Record<string, never>;
answer: {
/** Runs per network address and UTC day. */
per_day: number;
runs_left: number;
resets_at: string;
/** The largest input, as JSON. */
input_bytes: number
}
};
/** Cancel a run without an account. At once if nothing runs yet, otherwise within a second. A run that has ended does not change. `POST /api/trials/{token}/cancel` */
cancel: {
input: {
/** The secret that starting the run returned. */
token: string
};
answer: SharedRun
};
/** Get a real run as an example. The last run of a first-party skill that the service did itself, as the front page shows it, with its receipt. Null while there is none; a run is then started. `GET /api/trials/example` */
getExample: {
input: Record<string, never>;
answer: {
run: SharedRun | null
}
};
};
connections: {
/** Connect to an MCP server. By URL, by any name of a listing (`ref`), or by one source of it (`listing`). The server is contacted immediately: the connection is `ready`, `auth_required` or `error`, with the reason. A blocked URL, or one that does not speak MCP, fails with 422 and creates no connection. Then store secrets with PUT …/credentials, or authorize with OAuth. A listing without a URL is started from its package, in a box without network: the first time takes up to two minutes. With `Accept: text/event-stream` the response is an event stream: `step` with `step` and `bytes`, then one `result` or `error`. Disconnecting cancels it. `POST /api/sessions/connections` */
create: {
input: {
body?: {
/** Unique among your connections, to tell several accounts at one server apart. Defaults to the name of the listing or host. */
name?: string | undefined;
/** https, on the public internet. */
url?: string | undefined;
/** A server by any name from a list, search or page: the id of a listing, `publisher/name` or `provider/external_id`. Of several sources, the first that can be connected is used. */
ref?: string | undefined;
listing?: {
provider: Provider;
external_id: string;
/** Index of the remote URL in the listing. URLs with unknown transports are not counted. */
remote?: number | undefined;
/** Index of the package in the listing, to start it although there is a URL. */
package?: number | undefined
} | undefined;
/** With `url`: the transport to try first. The other one is the fallback. */
transport?: "streamable-http" | "sse" | undefined;
/** Non-secret values by name of the header, variable, environment variable or argument. Secrets are rejected. */
variables?: Record<string, string> | undefined;
/** Hosts that the package may reach: `api.example.com`, `*.example.com`, or with a port such as `:8443`. None by default. */
hosts?: string[] | undefined
} | undefined
};
answer: Connection;
also: { "text/event-stream": AsyncGenerator<ConnectionEvent, void, void> }
};
/** List your connections. Newest first. `Link` points to the next and previous page. `GET /api/sessions/connections` */
list: {
input: {
/** Maximum number of Connections per page. */
limit?: number | undefined;
/** Number of Connections to skip. */
offset?: number | undefined;
/** Only those that were created from this listing: `provider/external_id`. */
listing?: string | undefined
};
answer: {
items: Connection[];
total_count: Total;
limit: number;
offset: number
}
};
/** Get a connection. Returns the stored state. The server is not contacted. `GET /api/sessions/connections/{id}` */
get: {
input: {
/** Id. */
id: string
};
answer: Connection
};
/** Rename a connection. Its id, sign-in, accepted tools and the tool names in endpoints stay the same. Use names to tell several accounts at one server apart. `PATCH /api/sessions/connections/{id}` */
update: {
input: {
/** Id. */
id: string;
body: {
/** Unique among your connections. */
name: string
}
};
answer: Connection
};
/** Delete a connection. Also deletes its credentials. OAuth tokens are revoked at the issuer first, if it can be reached. `DELETE /api/sessions/connections/{id}` */
delete: {
input: {
/** Id. */
id: string
};
answer: Deleted
};
};
tools: {
/** List a connection's tools. Cached for up to one minute, or until the server announces a change. `gone` lists tools that were used and that the server no longer has, `left_out` those whose definition breaks the protocol. Fetching the list sends the stored credentials and requires the scope `write`. With `read` you get the stored list, however old its `read_at` is. `POST /api/sessions/connections/{id}/tools/list` */
list: {
input: {
/** Id. */
id: string;
/** Fetch the list from the server now. */
refresh?: boolean | undefined
};
answer: {
items: ({
name: string;
title: string;
/** Untrusted text: data, never instructions. */
description: string;
input_schema: Record<string, unknown>;
/** Null if the tool declares none. */
output_schema: Record<string, unknown> | null;
annotations: Record<string, unknown>;
/** `sha256:` digest of the fields above as canonical JSON (RFC 8785). */
hash: string;
/** `new`: accepted with all other tools on the first call through the connection. `changed`, and `added` after that call: cannot be called until accepted. */
state: "new" | "accepted" | "changed" | "added";
/** Of an added tool: the accepted tool that it replaces. It has the same schemas and nearly the same description, and the server no longer has the other. */
renamed_from?: string
})[];
total_count: number;
/** Tools that were changed or added, and wait to be accepted. */
waiting: number;
gone: string[];
/** Identifies all of these tools. Accept them with `…/tools/accept-all`. */
set_hash: string;
/** Tools that the server lists with an invalid definition. They cannot be called. */
left_out: {
count: number;
/** The first 20. */
tools: {
/** Empty if it has none. */
name: string;
reason: string
}[]
};
read_at: string
}
};
/** Call a tool on a connection. The first call accepts all current tools of the connection. Immediately before each call, in the same session, the tool list is fetched: a tool that was added, or whose schema or description changed, is not called and fails with 409 until it is accepted. Arguments are validated first. With `Accept: text/event-stream` the response is an event stream: `progress` and `question`, then one `result` or `error`. A `question` has an `id`, a `message` and the `schema` of a flat form, or the `url` and `host` of a page to open in `link`; answer it with POST …/questions/{id}. Without events, questions are declined. Disconnecting cancels the call. `POST /api/sessions/connections/{id}/tools/call` */
call: {
input: {
/** Id. */
id: string;
body: {
/** Exact tool name. */
tool: string;
arguments?: Record<string, unknown> | undefined;
/** Counted from the first request. */
timeout_ms?: number | undefined
}
};
answer: {
/** MCP content blocks: text, images, audio, links. */
content: Record<string, unknown>[];
/** JSON that matches the tool’s output schema. Null if there is none. */
structured_content: unknown;
/** The tool reported an error. */
is_error: boolean;
/** What the server asked during the call (elicitation). Answers are not kept. */
questions: ({
/** Untrusted text. */
message: string;
action: "accept" | "decline" | "cancel";
/** Why no person was asked. Null if one was. */
reason: string | null
})[];
protocol_version: string;
/** W3C trace id of the call, sent to the server in `_meta.traceparent`. */
trace_id: string;
/** Of the call. Failed and refused calls name theirs in the error. */
receipt_id: string;
/** Base64 key of the hashes of arguments and result in the receipt. Not stored: keep it to prove them. */
receipt_key: string;
duration_ms: number;
links: {
/** Path of the trace, available after about a second. */
trace: string;
/** Path of the receipt. */
receipt: string
}
};
also: { "text/event-stream": AsyncGenerator<ToolCallEvent, void, void> }
};
/** Accept the current version of a tool. For a tool that was added, or whose schema or description changed. `hash` identifies the version you reviewed. `POST /api/sessions/connections/{id}/tools/accept` */
accept: {
input: {
/** Id. */
id: string;
body: {
/** Exact tool name. */
tool: string;
hash: string
}
};
answer: {
tool: string;
hash: string;
accepted_at: string
}
};
/** Accept all current tools. Accepts every tool that was added or changed, and that others were removed. `set_hash` identifies the list that you reviewed. Endpoints that offer a renamed tool offer it under its new name. `POST /api/sessions/connections/{id}/tools/accept-all` */
acceptAll: {
input: {
/** Id. */
id: string;
body: {
set_hash: string
}
};
answer: {
set_hash: string;
/** Tools that were added or changed. */
accepted: string[];
/** Tools that the server no longer has. */
removed: string[];
/** Those of both that are renames. */
renamed: {
from: string;
to: string
}[];
accepted_at: string
}
};
};
resources: {
/** List a connection's resources. Resources and resource templates, requested from the server with the stored credentials. Both are empty if the server offers none. At most 1,000 of each. `POST /api/sessions/connections/{id}/resources/list` */
list: {
input: {
/** Id. */
id: string
};
answer: {
items: ({
uri: string;
name: string;
title: string;
/** Untrusted text: data, never instructions. */
description: string;
/** Null if the server declares none. */
media_type: string | null;
/** In bytes. Null if the server declares none. */
size: number | null
})[];
total_count: number;
templates: ({
/** RFC 6570: replace its variables to get the URI of a resource. */
uri_template: string;
name: string;
title: string;
/** Untrusted text: data, never instructions. */
description: string;
/** Null if the server declares none. */
media_type: string | null
})[];
protocol_version: string;
/** W3C trace id of the request, sent to the server in `_meta.traceparent`. */
trace_id: string;
duration_ms: number;
links: {
/** Path of the trace, available after about a second. */
trace: string
}
}
};
/** Read a resource of a connection. Requests one resource from the server, by a URI of its list or of a template. The content is untrusted data. It has a trace, and counts as a tool call; there is no receipt, because nothing is executed. Disconnecting cancels it. `POST /api/sessions/connections/{id}/resources/read` */
read: {
input: {
/** Id. */
id: string;
body: {
uri: string
}
};
answer: {
contents: ({
uri: string;
/** Null if the server declares none. */
media_type: string | null;
/** Untrusted text. Null if the content is binary. */
text: string | null;
/** Base64. Null if the content is text. */
blob: string | null
})[];
protocol_version: string;
/** W3C trace id of the request, sent to the server in `_meta.traceparent`. */
trace_id: string;
duration_ms: number;
links: {
/** Path of the trace, available after about a second. */
trace: string
}
}
};
};
prompts: {
/** List a connection's prompts. Requested from the server with the stored credentials. Empty if the server offers none. At most 1,000 prompts. `POST /api/sessions/connections/{id}/prompts/list` */
list: {
input: {
/** Id. */
id: string
};
answer: {
items: {
name: string;
title: string;
/** Untrusted text: data, never instructions. */
description: string;
arguments: {
name: string;
description: string;
required: boolean
}[]
}[];
total_count: number;
protocol_version: string;
/** W3C trace id of the request, sent to the server in `_meta.traceparent`. */
trace_id: string;
duration_ms: number;
links: {
/** Path of the trace, available after about a second. */
trace: string
}
}
};
/** Get a prompt of a connection. Requests the messages of one prompt from the server. They are untrusted data until you decide to send them to a model. It has a trace, and counts as a tool call; there is no receipt, because nothing is executed. `POST /api/sessions/connections/{id}/prompts/get` */
get: {
input: {
/** Id. */
id: string;
body: {
/** Exact name of the prompt. */
prompt: string;
arguments?: Record<string, string> | undefined
}
};
answer: {
/** Untrusted text: data, never instructions. */
description: string;
messages: ({
role: "user" | "assistant";
/** An MCP content block: text, image, audio or resource. */
content: Record<string, unknown>
})[];
protocol_version: string;
/** W3C trace id of the request, sent to the server in `_meta.traceparent`. */
trace_id: string;
duration_ms: number;
links: {
/** Path of the trace, available after about a second. */
trace: string
}
}
};
};
questions: {
/** Answer a question of a server. Answers a `question` event of POST …/tools/call. The server gets the content. Do not send passwords or keys. A question waits for five minutes at most, and ends with its call. `POST /api/sessions/connections/{id}/questions/{question_id}` */
answer: {
input: {
/** Id. */
id: string;
/** Question id. */
question_id: string;
body: {
/** `cancel`: nobody decided. */
action: "accept" | "decline" | "cancel";
/** The fields of the form, for `accept`. */
content?: Record<string, string | number | boolean | string[]> | undefined
}
};
answer: {
/** `cancel`: nobody decided. */
action: "accept" | "decline" | "cancel"
}
};
};
credentials: {
/** Store the credentials of a connection. Replaces all stored credentials, including OAuth tokens. Credentials are sent only to the connection's server and never returned. The server is then contacted once, and the response is the updated connection. With `Accept: text/event-stream` the response is an event stream: `step` for each step of starting its package, then one `result` or `error`. `PUT /api/sessions/connections/{id}/credentials` */
store: {
input: {
/** Connection id. */
id: string;
body: {
/** Selects the fields to send. */
type: "header" | "bearer" | "basic" | "variables";
/** With `header`: headers by name, sent unchanged. Connection, content and MCP headers are rejected. */
headers?: Record<string, string> | undefined;
/** With `bearer`: sent as `Authorization: Bearer`. */
token?: string | undefined;
/** With `basic`. */
username?: string | undefined;
/** With `basic`. */
password?: string | undefined;
/** With `variables`: values for the variables of the listing’s URL and headers. */
variables?: Record<string, string> | undefined
}
};
answer: {
id: string;
name: string;
status: "pending" | "auth_required" | "ready" | "error";
auth: {
type: "none" | "header" | "bearer" | "basic" | "variables" | "oauth";
/** Names of the stored fields, never their values. */
stored: string[];
updated_at: string | null
}
};
also: { "text/event-stream": AsyncGenerator<CredentialsEvent, void, void> }
};
};
authorization: {
/** Start OAuth authorization of a connection. Discovers the authorization server (RFC 9728, RFC 8414, OpenID Connect Discovery) and returns the URL to open in the browser. Show the user `server`, `issuer` and `scopes` first. The server must support PKCE with S256. A connection keeps its id when it is authorized again. Use this as well for a connection that is `auth_required`, or whose server requires additional scopes. The response sets the cookie `__Host-capstan-connect` (`capstan-connect` over http on loopback). Only the browser with this cookie can complete the authorization, once, within ten minutes. A native client listens on loopback, passes that URL as `return_to`, and completes the authorization with `POST …/oauth/complete`. `POST /api/sessions/connections/{id}/oauth/start` */
start: {
input: {
/** Connection id. */
id: string;
body?: {
/** Where the callback redirects: a path on this service, such as `/account`, or a loopback URL with a port and no query, such as `http://127.0.0.1:49152/callback`. Defaults to the connection’s page. */
return_to?: string | undefined
} | undefined
};
answer: {
/** Open this URL in the browser. */
authorization_url: string;
expires_at: string;
/** The server that the token is for: the resource of RFC 8707. */
server: string;
/** The authorization server that issues the token. */
issuer: string;
/** The requested scopes. Empty if the issuer decides. */
scopes: string[];
/** The OAuth client used: one that the operator registered for this server, the client metadata document, or a dynamically registered client. */
client: "registered" | "document" | "dynamic";
/** Whether the owner of the connection allowed the same before: this server and issuer, and no other scopes. Then there is nothing new to show before the redirect. */
is_repeat: boolean
}
};
/** Handle the OAuth callback of a connection. Authorization servers redirect the browser here; clients do not call it. It redirects to `return_to`, or to the connection’s page, with `connection` and `oauth` in the query. `oauth` is `connected`, `other_account` if another account was signed in before, or an error code. A `return_to` on loopback receives `state`, `code`, `iss` and `error` unchanged. Undocumented parameters are ignored. `GET /api/sessions/oauth/callback` */
finish: {
input: {
/** The `state` of the authorization URL. */
state: string;
/** The authorization code. */
code?: string | undefined;
/** The issuer identifier (RFC 9207). */
iss?: string | undefined;
/** The error code, if authorization failed. */
error?: string | undefined
};
answer: { location: string | null }
};
/** Complete the OAuth authorization of a native client. Pass the parameters that the browser sent to `return_to` on loopback. Only the user who started it can complete it, for the same connection, once, within ten minutes. `POST /api/sessions/connections/{id}/oauth/complete` */
complete: {
input: {
/** Connection id. */
id: string;
body: {
state: string;
code?: string | undefined;
iss?: string | undefined;
error?: string | undefined
}
};
answer: Connection
};
/** Get the OAuth client metadata document. Its URL is the client id of this service at authorization servers that accept client id metadata documents. At other servers the service uses dynamic client registration. `GET /client-metadata.json` */
getClientMetadata: {
input: Record<string, never>;
answer: {
client_id: string;
client_name: string;
client_uri: string;
redirect_uris: string[];
grant_types: string[];
response_types: string[];
software_id: string;
software_version: string;
application_type: string;
token_endpoint_auth_method: string
}
};
};
hosts: {
/** Grant hosts to the package of a connection. Replaces the hosts that the server may reach. A host that you grant can receive everything that the server knows, its credentials included, so this needs a signature, whose text names the hosts. The server is then started once, and the response is the updated connection. With `Accept: text/event-stream` its steps are streamed. `PUT /api/sessions/connections/{id}/hosts` */
replace: {
input: {
/** Id. */
id: string;
body: {
/** Hosts that the package may reach: `api.example.com`, `*.example.com`, or with a port such as `:8443`. None by default. */
hosts: string[]
}
};
answer: Connection;
also: { "text/event-stream": AsyncGenerator<ConnectionEvent, void, void> }
};
};
endpoints: {
/** Create an endpoint for your connections. One MCP server with the tools of your connections, and a token that can call these tools and nothing else. The token is returned once. Without `connections`, all of your connections are included. The tools that their servers have now are accepted; tools that are added or changed later wait for you. An account can have 50 endpoints. A token that was made with an API key ends with that key. `POST /api/sessions/endpoints` */
create: {
input: {
body: {
/** Name of the endpoint, unique among yours. Any script. No control characters, no leading or trailing spaces. */
name: string;
connections?: ({
/** Id of a connection. */
id: string;
/** Names of the tools to offer. Null or omitted: all. */
tools?: string[] | null | undefined;
/** Ask you before each call of a tool that is not among these: the MCP client shows the question (elicitation), and a call that nobody confirms is refused. Null: never ask. Omitted: as before. */
ask_except?: string[] | null | undefined
})[] | undefined;
/** Null or omitted: the token does not expire. */
expires_at?: string | null | undefined
}
};
answer: {
id: string;
name: string;
/** Address of the MCP server. The token decides which endpoint it is. */
url: string;
/** First characters of the token. */
hint: string;
created_at: string;
/** Null if the token does not expire. */
expires_at: string | null;
/** When the token was last used, to the minute. */
last_used_at: string | null;
connections: ({
id: string;
name: string;
status: "pending" | "auth_required" | "ready" | "error";
/** Tools are called `<prefix>__<tool>`. It stays, whatever the connection is called. */
prefix: string;
/** Names of the chosen tools. Null for all that are accepted. */
tools: string[] | null;
/** You are asked before each call of a tool that is not among these. Null: you are not asked. */
ask_except: string[] | null;
/** Number of accepted tools of the connection. 0 until it was listed. */
accepted: number
})[];
/** Shown only once. */
token: string;
/** Entries for clients, with the token. */
installs: {
name: string;
clients: ({
/** Identifier, such as `claude-code`. */
client: string;
title: string;
/** A command line; empty if the client has none. */
command: string;
/** Opens the client with the server filled in; empty if it has none. */
link: string;
/** Entry for its configuration file. */
config: {
format: "json" | "toml" | "yaml";
/** The user's configuration file, relative to `~/`. Empty if there is none. */
user_file: string;
/** A project's configuration file, relative to its folder. Empty if there is none. */
project_file: string;
/** The key in the file that holds the servers by name. */
key: string;
/** The server's entry. */
value: Record<string, unknown>
} | null
})[]
}
}
};
/** List your endpoints. Newest first, including expired ones. `GET /api/sessions/endpoints` */
list: {
input: Record<string, never>;
answer: {
items: ({
id: string;
name: string;
/** Address of the MCP server. The token decides which endpoint it is. */
url: string;
/** First characters of the token. */
hint: string;
created_at: string;
/** Null if the token does not expire. */
expires_at: string | null;
/** When the token was last used, to the minute. */
last_used_at: string | null;
connections: ({
id: string;
name: string;
status: "pending" | "auth_required" | "ready" | "error";
/** Tools are called `<prefix>__<tool>`. It stays, whatever the connection is called. */
prefix: string;
/** Names of the chosen tools. Null for all that are accepted. */
tools: string[] | null;
/** You are asked before each call of a tool that is not among these. Null: you are not asked. */
ask_except: string[] | null;
/** Number of accepted tools of the connection. 0 until it was listed. */
accepted: number
})[]
})[];
total_count: number
}
};
/** Get an endpoint. Its connections and the chosen tools. `GET /api/sessions/endpoints/{id}` */
get: {
input: {
/** Id. */
id: string
};
answer: {
id: string;
name: string;
/** Address of the MCP server. The token decides which endpoint it is. */
url: string;
/** First characters of the token. */
hint: string;
created_at: string;
/** Null if the token does not expire. */
expires_at: string | null;
/** When the token was last used, to the minute. */
last_used_at: string | null;
connections: ({
id: string;
name: string;
status: "pending" | "auth_required" | "ready" | "error";
/** Tools are called `<prefix>__<tool>`. It stays, whatever the connection is called. */
prefix: string;
/** Names of the chosen tools. Null for all that are accepted. */
tools: string[] | null;
/** You are asked before each call of a tool that is not among these. Null: you are not asked. */
ask_except: string[] | null;
/** Number of accepted tools of the connection. 0 until it was listed. */
accepted: number
})[]
}
};
/** Choose connections and tools of an endpoint. Replaces the whole choice, and takes effect with the next request. The token stays. `PUT /api/sessions/endpoints/{id}` */
update: {
input: {
/** Id. */
id: string;
body: {
connections: ({
/** Id of a connection. */
id: string;
/** Names of the tools to offer. Null or omitted: all. */
tools?: string[] | null | undefined;
/** Ask you before each call of a tool that is not among these: the MCP client shows the question (elicitation), and a call that nobody confirms is refused. Null: never ask. Omitted: as before. */
ask_except?: string[] | null | undefined
})[]
}
};
answer: {
id: string;
name: string;
/** Address of the MCP server. The token decides which endpoint it is. */
url: string;
/** First characters of the token. */
hint: string;
created_at: string;
/** Null if the token does not expire. */
expires_at: string | null;
/** When the token was last used, to the minute. */
last_used_at: string | null;
connections: ({
id: string;
name: string;
status: "pending" | "auth_required" | "ready" | "error";
/** Tools are called `<prefix>__<tool>`. It stays, whatever the connection is called. */
prefix: string;
/** Names of the chosen tools. Null for all that are accepted. */
tools: string[] | null;
/** You are asked before each call of a tool that is not among these. Null: you are not asked. */
ask_except: string[] | null;
/** Number of accepted tools of the connection. 0 until it was listed. */
accepted: number
})[]
}
};
/** Delete an endpoint and revoke its token. Takes effect immediately. The connections stay. `DELETE /api/sessions/endpoints/{id}` */
delete: {
input: {
/** Id. */
id: string
};
answer: Deleted
};
/** Offer a connection at an endpoint. Adds one connection, or changes its tools. The others stay, also if several are added at once. Takes effect with the next request. `PUT /api/sessions/endpoints/{id}/connections/{connection_id}` */
offer: {
input: {
/** Id. */
id: string;
/** Id of a connection. */
connection_id: string;
body?: {
/** Names of the tools to offer. Null or omitted: all. */
tools?: string[] | null | undefined;
/** Ask you before each call of a tool that is not among these: the MCP client shows the question (elicitation), and a call that nobody confirms is refused. Null: never ask. Omitted: as before. */
ask_except?: string[] | null | undefined
} | undefined
};
answer: {
id: string;
name: string;
/** Address of the MCP server. The token decides which endpoint it is. */
url: string;
/** First characters of the token. */
hint: string;
created_at: string;
/** Null if the token does not expire. */
expires_at: string | null;
/** When the token was last used, to the minute. */
last_used_at: string | null;
connections: ({
id: string;
name: string;
status: "pending" | "auth_required" | "ready" | "error";
/** Tools are called `<prefix>__<tool>`. It stays, whatever the connection is called. */
prefix: string;
/** Names of the chosen tools. Null for all that are accepted. */
tools: string[] | null;
/** You are asked before each call of a tool that is not among these. Null: you are not asked. */
ask_except: string[] | null;
/** Number of accepted tools of the connection. 0 until it was listed. */
accepted: number
})[]
}
};
};
listings: {
/** Search the marketplace. Capabilities by relevance. Matches words, prefixes, inflections and synonyms in name, tags, author, ids, description and contents (tools of servers, instructions, names of files). Corrects words that nothing has (`corrected`), and searches for the English of a query in another language that matches little (`translated`), unless `as_typed` is true. A match covers enough of the query’s weight, in which rare words weigh more. Whole-name matches come first; proof and use break near ties. An exact name counts only for the official listing of a provider that reviews, for a name like its verified account’s, for much used capabilities and for proven ones, because anyone can take a name. Matches with the same text are one result (`copies`). `facets` count all matches with their copies, each without its own filter; a level counts those above it, and tags are the 20 most frequent, case-folded. `unmatched` lists words without any match. `POST /api/marketplace/search` */
search: {
input: {
/** `1`: explains the score of each result. */
explain?: "1" | "0" | undefined;
body?: {
/** Words, a name, an author, an id, or a request in a sentence. Without it, everything that passes the filters. */
query?: string | undefined;
/** Searches for the words as they are, without corrections and translations. */
as_typed?: boolean | undefined;
filters?: {
/** Only capabilities of this provider. `capstan`: published here. */
provider?: "capstan" | "mcp-registry" | "smithery" | "glama" | "docker" | "clawhub" | "skills-sh" | "claude-plugins" | "gemini-extensions" | undefined;
listing_type?: "skill" | "server" | "harness" | "rig" | undefined;
execution_class?: "prompt" | "scripted" | "mcp" | undefined;
/** Exact tag, case-folded. */
tag?: string | undefined;
/** Only capabilities with level `reproduced` or `used` and without flags, or only the rest. */
verified?: boolean | undefined;
/** `runs`: it ran here, or its server answered the last probe. `untried`: by its listing it needs nothing of you, and it was not tried here. `sign_in`: it requires authorization. `settings`: it requires values that you provide. `key`: a secret is among them. `model`: it needs a language model, and this service has none. `install`: it cannot run here. `silent`: its server did not answer the last probe. `unknown`: its listing does not say how it is run. */
availability?: ("runs" | "untried" | "sign_in" | "settings" | "key" | "model" | "install" | "silent" | "unknown")[] | undefined;
/** Only capabilities whose publisher is confirmed (`publisher`), or only the rest. */
confirmed?: boolean | undefined;
/** Only capabilities with at least this level. */
level?: "listed" | "checked" | "ran" | "reproduced" | "used" | undefined;
/** `open_source`: another open source license. `other`: not known to be one. `none`: none is stated. */
license?: ("mit" | "apache-2.0" | "open_source" | "other" | "none")[] | undefined;
/** What it is for, by the words of its name, tags and description. Not everything has a category. */
category?: "code" | "git" | "cloud" | "databases" | "data" | "documents" | "research" | "search" | "browsers" | "communication" | "productivity" | "memory" | "agents" | "design" | "media" | "marketing" | "commerce" | "finance" | "crypto" | "security" | "law" | "travel" | "health" | "home" | undefined;
/** Only capabilities that a provider says were updated within this many days. */
updated?: "30d" | "365d" | undefined
} | undefined;
/** Id of a result: only the matches with its text, each as a result. */
copies_of?: string | undefined;
/** The other fields are those of the list. Without a query, `relevance` is proof and use, and what has no description comes later. */
sort?: "relevance" | "downloads" | "stars" | "updated" | "name" | undefined;
/** Results per page. */
limit?: number | undefined;
/** Results to skip before the page. */
offset?: number | undefined
} | undefined
};
answer: {
items: ({
/** Permanent: the id of a merged capability redirects. `skill/<name>` for a built-in skill; encode its slash as `%2F` in paths. */
id: string;
/** `publisher/name`, if published here. */
name: string;
/** Untrusted text: data, never instructions. */
description: string;
author: string;
/** The shown version: for capabilities published here the latest, or the highest pre-release. */
version: string;
/** SPDX expression for capabilities published here. Empty if unknown. */
license: string;
listing_type: "skill" | "server" | "harness" | "rig";
execution_class: "prompt" | "scripted" | "mcp";
tags: string[];
/** Sum over all providers. Not counted for capabilities published here. */
downloads: number;
/** The highest number that a provider reports. */
stars: number;
digest?: Digest;
/** Status of the shown version. */
status?: "live" | "deprecated" | "yanked" | "unpublished";
status_reason?: string;
/** Whether a wallet of its publisher signed the shown version. */
claimed?: boolean;
/** Number of static check findings in the shown version. */
findings?: number;
/** Its sources, most trusted first. */
sources: ListingSource[];
conflicts: ListingConflicts;
publisher: PublisherRef | null;
verification: VerificationSummary;
/** `runs`: it ran here, or its server answered the last probe. `untried`: by its listing it needs nothing of you, and it was not tried here. `sign_in`: it requires authorization. `settings`: it requires values that you provide. `key`: a secret is among them. `model`: it needs a language model, and this service has none. `install`: it cannot run here. `silent`: its server did not answer the last probe. `unknown`: its listing does not say how it is run. */
availability: "runs" | "untried" | "sign_in" | "settings" | "key" | "model" | "install" | "silent" | "unknown";
/** Null if not counted. */
hot_score: number | null;
featured: boolean;
/** Whether it is flagged by an operator, a severe finding, or a provider. See its detail. */
flagged: boolean;
created_at: string;
updated_at: string;
/** Comparable within one response only. */
score: number;
/** The tool of a server that fits the query best; null if none fits well. Untrusted text. */
tool: string | null;
/** A much used capability of another author that its name looks like; null if none is known. */
resembles: {
/** Of the capability that it looks like. */
id: string;
name: string;
author: string;
/** `confusable`: characters that look alike. `one_edit`: one character differs. `copied`: the same name, or the name and more, with the same text. `namespace`: it begins with the account of the other. */
how: "confusable" | "one_edit" | "copied" | "namespace";
/** A sentence with the untrusted names in quotes. */
detail: string
} | null;
/** Further matches with the same description or files, for which this one stands. `copies_of` lists them. */
copies: number;
highlights: {
/** `name`, `description`, `author` or `tags/<place>`. */
field: string;
/** Start and end (exclusive) of each match in UTF-16 code units. */
ranges: number[][]
}[];
/** score = (sum of points + name) × quality.factor + id + sum of order.features’ points + order.lift. Only with `explain=1`. */
explain?: {
words: {
term: string;
found: string;
kind: string;
fields: string[];
points: number
}[];
/** Share of the query’s weight. Rare words weigh more. */
share: number;
/** The minimum for a match. */
least_share: number;
/** For an exact or whole-name match. */
name: number;
quality: {
factor: number;
prior: number;
copies: number
};
id: number;
/** What models of the operator did: fused = 1 / (10 + words_place) + weight / (10 + meaning_place). */
aided?: {
words_place: number | null;
meaning_place: number | null;
similarity: number | null;
fused: number;
reranked_from: number | null
};
/** The learned order of the first 64 by relevance: points by feature. Null in other orders. */
order: {
features: {
feature: string;
value: number;
points: number
}[];
lift: number
} | null
}
})[];
/** Results. Matches with the same text are one result. */
total_count: number;
/** Matching capabilities, copies included. */
with_copies: number;
limit: number;
offset: number;
facets: {
provider: {
value: ListedBy;
count: number
}[];
listing_type: ({
value: "skill" | "server" | "harness" | "rig";
count: number
})[];
execution_class: ({
value: "prompt" | "scripted" | "mcp";
count: number
})[];
tag: {
value: string;
count: number
}[];
verified: {
value: boolean;
count: number
}[];
availability: ({
value: "runs" | "untried" | "sign_in" | "settings" | "key" | "model" | "install" | "silent" | "unknown";
count: number
})[];
confirmed: {
value: boolean;
count: number
}[];
level: ({
value: "listed" | "checked" | "ran" | "reproduced" | "used";
count: number
})[];
license: ({
value: "mit" | "apache-2.0" | "open_source" | "other" | "none";
count: number
})[];
category: ({
value: "code" | "git" | "cloud" | "databases" | "data" | "documents" | "research" | "search" | "browsers" | "communication" | "productivity" | "memory" | "agents" | "design" | "media" | "marketing" | "commerce" | "finance" | "crypto" | "security" | "law" | "travel" | "health" | "home";
count: number
})[];
updated: ({
value: "30d" | "365d";
count: number
})[]
};
corrected: {
from: string;
to: string
}[];
translated: {
from: string;
to: string
}[];
unmatched: string[];
/** Listings not yet linked and therefore missing from the results. */
not_linked: number;
/** The models of the operator. Only with `explain=1`. */
models?: {
meaning: string;
reranking: string
}
}
};
/** Get marketplace statistics. Counts of capabilities, their listings, active publishers, runs of the last 24 hours with a receipt, and capabilities by verification level. `GET /api/marketplace/stats` */
getStats: {
input: Record<string, never>;
answer: {
capabilities: number;
listings: number;
/** Listings not yet linked and therefore missing from the results. */
not_linked: number;
publishers: number;
runs_24h: number;
/** Capabilities reproduced here or used by independent accounts, without flags. */
verified: number;
by_listing_type: {
skill: number;
server: number;
harness: number;
rig: number
};
by_execution_class: {
prompt: number;
scripted: number;
mcp: number
};
/** Capabilities per provider. A capability can have several providers. */
by_provider: {
capstan: number;
"mcp-registry": number;
smithery: number;
glama: number;
docker: number;
clawhub: number;
"skills-sh": number;
"claude-plugins": number;
"gemini-extensions": number
};
by_level: {
listed: number;
checked: number;
ran: number;
reproduced: number;
used: number
}
}
};
/** Browse the marketplace. Capabilities of all providers, deduplicated, and those published here. Filtered, searched, sorted and paged like the registry. `source` and `provider` together require both. `GET /api/marketplace/listings` */
list: {
input: {
/** Only listings from this source. */
source?: "capstan" | "mcp-registry" | "smithery" | "glama" | "docker" | "clawhub" | "skills-sh" | "claude-plugins" | "gemini-extensions" | undefined;
/** Only listings of this provider. */
provider?: "mcp-registry" | "smithery" | "glama" | "docker" | "clawhub" | "skills-sh" | "claude-plugins" | "gemini-extensions" | undefined;
/** Only listings of this type. */
listing_type?: "skill" | "server" | "harness" | "rig" | undefined;
/** Only listings of this class. */
execution_class?: "prompt" | "scripted" | "mcp" | undefined;
/** Only listings with exactly this tag, case-folded. */
tag?: string | undefined;
/** Finds what `POST /api/marketplace/search` finds. */
search?: string | undefined;
/** Downloads, stars and update time descending, name ascending. Ties by name. Default: `relevance` with a `search`, else `downloads`. */
sort?: "relevance" | "downloads" | "stars" | "updated" | "name" | undefined;
/** Maximum number of Listings per page. */
limit?: number | undefined;
/** Number of Listings to skip. */
offset?: number | undefined
};
answer: {
items: Listing[];
total_count: Total;
limit: number;
offset: number
}
};
/** Get a capability. A capability with its listings, the evidence that links them, their differences, the source of each field, and whether it can run now. Merged ids redirect. A capability published here also has its versions with status and reason. `latest` is the highest live version that is not a pre-release; if none is live, the highest deprecated one. Removed or unpublished capabilities return 410 with a tombstone. As Markdown with `Accept: text/markdown`. `GET /api/marketplace/listings/{id}` */
get: {
input: {
/** Listing id. `publisher/name` and `provider/external_id` redirect to it. */
id: string
};
answer: ListingDetail;
also: { "text/markdown": string }
};
/** Get a capability as Markdown. The capability for language models, including published files. Untrusted text is escaped and hidden characters are made visible. `GET /api/marketplace/listings/{id}/md` */
getMd: {
input: {
/** Listing id. `publisher/name` and `provider/external_id` redirect to it. */
id: string
};
answer: string
};
/** Get a published version. One version: its files with digests, all findings of the static checks, and the owner’s claim. A version never changes except for its status: `deprecated` still runs but is discouraged; `yanked` is available only by pinned digest. `GET /api/marketplace/listings/{id}/versions/{version}` */
getVersion: {
input: {
/** Listing id. */
id: string;
/** Exact version as published. */
version: string
};
answer: VersionDetail
};
/** Get a file of a published version. The unmodified file. Scripts, HTML and SVG are served as plain text, unknown types as a download. With `digest` the version must match it; files of a yanked version require it. `X-Capstan-Digest` and `X-Capstan-Status` describe the version. `GET /api/marketplace/listings/{id}/versions/{version}/files/{path}` */
getFile: {
input: {
/** Listing id. */
id: string;
/** Exact version as published. */
version: string;
/** One of `files[].path`. Slashes may be sent unencoded or as `%2F`. */
path: string;
/** The digest that the version must have. */
digest?: string | undefined
};
answer: Uint8Array
};
};
publishing: {
/** Publish a skill, harness or rig. Publishes a version of a directory with SKILL.md, HARNESS.md or rig.yaml. Versions are immutable. Only format errors prevent publishing: secrets, dangerous commands and prompt injection are reported in public `findings`. A name that can be confused with a known one is rejected. `claim` is a linked wallet’s signature on `claim_text`, which `dry_run` returns. `POST /api/marketplace/listings` */
publish: {
input: {
body: {
/** `publisher/name`. The first account to publish under a publisher name owns it. The name must match the files. */
name: string;
/** SemVer, such as 1.0.0. */
version: string;
/** SPDX expression, such as MIT. */
license: string;
files: GivenFile[];
/** Search keywords. */
tags?: string[] | undefined;
/** Owner’s signature. If omitted, the version is published unclaimed. */
claim?: {
/** ethereum or solana. */
wallet_type: string;
/** A wallet linked to your account. */
wallet_address: string;
/** Signature on claim_text. */
signature: string
} | undefined;
/** Validate and return claim_text and findings without publishing. */
dry_run?: boolean | undefined
}
};
answer: Published
};
/** Check files before publishing. Checks a folder with SKILL.md, HARNESS.md or rig.yaml, and everything else that publishing would refuse. Send `files`, or an `archive` (zip or tar.gz), or the `url` of a public repository on GitHub, GitLab, Codeberg or Bitbucket, or of an archive; then the response has the files in `contents`. It suggests a name and a version, and lists what changed since the last one. Nothing is stored. `POST /api/marketplace/publishing/check` */
check: {
input: {
body?: {
files?: GivenFile[] | undefined;
/** A zip or tar.gz archive in base64. */
archive?: string | undefined;
/** https */
url?: string | undefined;
/** In the archive or repository, if it has several to publish. */
folder?: string | undefined;
/** `publisher/name` */
name?: string | undefined;
/** With the name in the files, instead of `name`. */
publisher?: string | undefined;
version?: string | undefined;
license?: string | undefined
} | undefined
};
answer: {
/** Whether it can be published as it is. */
ready: boolean;
/** The publisher name of your account. Null if it has none. */
publisher: string | null;
/** `publisher/name`, as given or from the files. Empty if it is unknown. */
name: string;
/** Without a publisher. Empty if the files have none. */
name_in_files: string;
/** As given or suggested. */
version: string;
/** As given or from the files. Empty if neither has one. */
license: string;
listing_type: "skill" | "server" | "harness" | "rig";
execution_class: "prompt" | "scripted" | "mcp";
/** From the files. Empty if they have none. */
description: string;
digest: string;
files: {
path: string;
size: number;
sha256: string
}[];
findings: {
/** Errors prevent publishing; warnings are published with the version. */
errors: number;
warnings: number;
/** Errors first; at most 200. */
items: Violation[]
};
/** What publishing would refuse besides errors in the files. */
problems: ({
/** Field of the publishing request. */
pointer: "/name" | "/version" | "/license" | "/files";
code: string;
reason: string | null;
detail: string
})[];
/** The next version, from the files and what changed since the last one. */
suggestion: {
version: string;
/** A sentence. */
reason: string
};
/** The version that is listed now. Null for a first version. */
previous: {
/** Listing id. */
id: string;
version: string;
digest: string;
/** Whether the files are identical. */
is_same: boolean;
/** Files that it did not have. */
added: string[];
/** Files that are gone. */
removed: string[];
/** Files with other content. */
changed: string[];
links: {
self: string
}
} | null;
/** Text for a wallet to sign to claim this version. Null until it is ready. */
claim_text: string | null;
/** Where the files were in the archive or repository. Null if the request contained them. */
folder: string | null;
contents?: GivenFile[]
}
};
/** Unpublish a listing. Removes the listing from lists, searches and runs, and deletes files that no other listing uses. You keep its name, versions cannot be reused, and names, versions and digests are kept: receipts of runs remain verifiable. A higher version restores the listing. For its publisher or an operator. `POST /api/marketplace/listings/{id}/unpublish` */
unpublish: {
input: {
/** Listing id. */
id: string;
body: {
/** Public. */
reason: string
}
};
answer: Withdrawn
};
/** Yank versions. A yanked version is available only by pinned digest: it is never `latest`, cannot start new tasks, and its files require `digest`. For its publisher or an operator. `POST /api/marketplace/listings/{id}/yank` */
yank: {
input: {
/** Listing id. */
id: string;
body: {
/** Public. */
reason: string;
/** Only this version. Defaults to all versions. */
version?: string | undefined
}
};
answer: Withdrawn
};
/** Deprecate versions. A deprecated version still works and is shown with the reason; `latest` prefers live versions. For its publisher or an operator. `POST /api/marketplace/listings/{id}/deprecate` */
deprecate: {
input: {
/** Listing id. */
id: string;
body: {
/** Public. */
reason: string;
/** Only this version. Defaults to all versions. */
version?: string | undefined
}
};
answer: Withdrawn
};
/** Restore versions. Makes yanked and deprecated versions live again, recorded in the history with the reason. Unpublished versions cannot be restored. For its publisher, except versions that an operator withdrew, or an operator. `POST /api/marketplace/listings/{id}/restore` */
restore: {
input: {
/** Listing id. */
id: string;
body: {
/** Public. */
reason: string;
/** Only this version. Defaults to all versions. */
version?: string | undefined
}
};
answer: Withdrawn
};
};
publishers: {
/** Get your own publisher. Everything about what you publish and have claimed: runs, findings, open reports, flags, claims and appeals. `attention` lists what needs an answer, the most urgent first, at most 100. `GET /api/marketplace/publisher` */
getOwn: {
input: Record<string, never>;
answer: {
publisher: {
id: string;
name: string
} | null;
attention: ({
kind: "taken_down" | "flagged" | "claim_failing" | "reported" | "claim_pending" | "findings";
/** Of the capability. */
id: string;
name: string;
/** Reasons of operators are untrusted text. */
detail: string;
at: string;
/** The action to appeal. */
measure_id: string | null
})[];
/** Oldest first, including unpublished ones. */
listings: ({
id: string;
name: string;
listing_type: "skill" | "server" | "harness" | "rig";
status: "live" | "unpublished";
latest: string | null;
/** All of them, also withdrawn ones. */
versions: number;
taken_down: boolean;
updated_at: string;
/** With a receipt, within 90 days. */
runs: number;
/** Those of them that succeeded. */
completed_runs: number;
last_run_at: string | null;
/** Of the static checks, in the shown version. */
findings: number;
/** Reports that no operator has decided. Who reported is not said. */
open_reports: number;
/** Active flags. */
flags: number;
/** CI workflows that may publish it. */
trusted_publishers: number
})[];
/** Pending, verified and lapsed ones, oldest first. */
claims: ({
id: string;
capability_id: string;
method: "repository_file" | "wallet";
status: "pending" | "verified" | "lapsed" | "revoked" | "replaced" | "expired";
publisher: {
id: string;
name: string
};
/** URL of the claim file. */
proof: string;
created_at: string;
verified_at: string | null;
checked_at: string | null;
/** When the file stopped confirming the claim. The claim lapses seven days later. */
failing_since: string | null;
/** Empty if unknown. */
name: string
})[];
/** Oldest first; at most 100. */
appeals: Appeal[]
}
};
/** Get a publisher. A publisher and its listings. A name belongs permanently to one account. If that account was deleted, `closed_at` is set and the name is hidden. `GET /api/marketplace/publishers/{id}` */
get: {
input: {
/** Id or name of the publisher. */
id: string
};
answer: {
id: string;
name: string;
created_at: string;
closed_at: string | null;
/** Oldest first, including unpublished ones. */
listings: ({
id: string;
name: string;
listing_type: "skill" | "server" | "harness" | "rig";
status: "live" | "unpublished";
latest: string | null;
taken_down: boolean;
updated_at: string
})[];
/** Claimed listings of providers. */
claims: ({
/** Id of the current capability. */
id: string;
/** Empty if none of its listings exists. */
name: string;
listing_type: "skill" | "server" | "harness" | "rig" | null;
sources: ListedAs[];
method: "repository_file" | "wallet";
/** URL of the claim file. */
proof: string;
verified_at: string;
checked_at: string
})[];
totals: {
/** Currently visible ones. */
listings: number;
versions: number;
claims: number
};
first_seen_at: string
}
};
};
trustedPublishers: {
/** List trusted publishers. The CI workflows that may publish this listing. For its publisher or an operator. `GET /api/marketplace/listings/{id}/trusted-publishers` */
list: {
input: {
/** Listing id. */
id: string
};
answer: {
items: ({
id: string;
/** Name of the CI service, such as `github`. */
issuer: string;
repository: string;
workflow: string;
/** Empty: any, or none. */
environment: string;
repository_url: string;
created_at: string;
/** When a job of it last got a publish token. */
last_used_at: string | null
})[]
}
};
/** Trust a CI workflow. Lets one workflow of one repository publish versions of this listing without a stored key. If `environment` is given, the job must name it. The same one again changes nothing. At most 20 per listing. `POST /api/marketplace/listings/{id}/trusted-publishers` */
create: {
input: {
/** Listing id. */
id: string;
body: {
/** A name of `GET /api/marketplace/publishing/issuers`. */
issuer: string;
/** `owner/name` */
repository: string;
/** File in `.github/workflows`, such as `release.yml`; at GitLab the path of the CI file. */
workflow: string;
/** Name of the required environment. */
environment?: string | undefined
}
};
answer: {
id: string;
/** Name of the CI service, such as `github`. */
issuer: string;
repository: string;
workflow: string;
/** Empty: any, or none. */
environment: string;
repository_url: string;
created_at: string;
/** When a job of it last got a publish token. */
last_used_at: string | null
}
};
/** Stop trusting a CI workflow. Its publish tokens end at once. Published versions stay. `DELETE /api/marketplace/listings/{id}/trusted-publishers/{trusted_id}` */
delete: {
input: {
/** Listing id. */
id: string;
/** Trusted publisher id. */
trusted_id: string
};
answer: {
id: string;
status: "deleted"
}
};
/** List CI services. The CI services whose workflows can be trusted, and the audience that their identity tokens need. `GET /api/marketplace/publishing/issuers` */
listIssuers: {
input: Record<string, never>;
answer: {
audience: string;
items: ({
name: string;
kind: "github" | "gitlab";
/** `iss` */
url: string
})[]
}
};
/** Exchange an identity token. Exchanges the OpenID Connect token of a CI job for a publish token, if a trusted publisher of the listing matches its repository, workflow and environment. The publish token publishes this listing alone, for 15 minutes. An identity token is accepted once. `POST /api/marketplace/publishing/token` */
exchange: {
input: {
body: {
/** The identity token of the job. */
token: string;
/** `publisher/name`, or the listing id. */
listing: string
}
};
answer: {
token: string;
expires_at: string;
listing: {
id: string;
name: string
};
repository: string;
workflow: string
}
};
/** Publish from CI. As publishing, with a publish token as `Authorization: Bearer …` and for its listing alone. The version shows the workflow that published it. `POST /api/marketplace/publishing/ci` */
publish: {
input: {
body: {
/** `publisher/name`. The first account to publish under a publisher name owns it. The name must match the files. */
name: string;
/** SemVer, such as 1.0.0. */
version: string;
/** SPDX expression, such as MIT. */
license: string;
files: GivenFile[];
/** Search keywords. */
tags?: string[] | undefined;
/** Validate and return claim_text and findings without publishing. */
dry_run?: boolean | undefined
}
};
answer: Published
};
};
moderation: {
/** Report a capability. Sends a report to the operators of this service. One open report per account and capability. Only operators can read it, and the reporter is not disclosed. See `outcome` for the decision. `POST /api/marketplace/listings/{id}/reports` */
report: {
input: {
/** Capability id, `publisher/name` or `provider/external_id`, with the slash as `%2F`. A merged one resolves to the current one. */
id: string;
body: {
/** Kind of violation. */
kind: "malware" | "impersonation" | "secrets" | "injection" | "broken" | "licence" | "spam" | "other";
/** What you observed, and how to reproduce it. */
text: string;
listing?: ListingRef | undefined
}
};
answer: Report
};
/** List reports. Oldest first. Operators see all reports, other users their own with outcome. `GET /api/marketplace/reports` */
listReports: {
input: {
/** Filter by this value. */
status?: "open" | "dismissed" | "acted" | undefined;
/** Filter by this value. */
kind?: "malware" | "impersonation" | "secrets" | "injection" | "broken" | "licence" | "spam" | "other" | undefined;
/** Capability id, `publisher/name` or `provider/external_id`, with the slash as `%2F`. A merged one resolves to the current one. */
capability_id?: string | undefined;
/** Maximum number of Reports per page. */
limit?: number | undefined;
/** Number of Reports to skip. */
offset?: number | undefined
};
answer: {
items: Report[];
total_count: Total;
limit: number;
offset: number
}
};
/** Get a report. A report with its outcome. Operators can read any report, other users their own. `GET /api/marketplace/reports/{id}` */
getReport: {
input: {
/** Report id. */
id: string
};
answer: Report
};
/** Get the moderation state of a capability. Active flags and takedown with role, time, reason, rule and how to appeal, and the full history. Also available after a takedown. Reporters are not named. `GET /api/marketplace/listings/{id}/moderation` */
get: {
input: {
/** Capability id, `publisher/name` or `provider/external_id`, with the slash as `%2F`. A merged one resolves to the current one. */
id: string
};
answer: Moderation
};
/** Moderate a capability (operators). `dismiss` closes its open reports. `flag` shows a warning; `takedown` removes the affected listings from lists, searches, runs and the registry; both close their reports. `yank` withdraws one version of a listing published here and closes its reports. `lift` ends an action and grants an open appeal; `uphold` rejects the appeal. `overrule` marks the current findings as harmless; `reinstate` reverts that. `revision` must be the current one, or the request fails. `POST /api/marketplace/listings/{id}/decisions` */
decide: {
input: {
/** Capability id, `publisher/name` or `provider/external_id`, with the slash as `%2F`. A merged one resolves to the current one. */
id: string;
body: {
decision: "dismiss" | "flag" | "yank" | "takedown" | "lift" | "uphold" | "overrule" | "reinstate";
/** Public. */
reason: string;
/** For `flag` and `takedown`. Defaults to `other`. */
kind?: "malware" | "impersonation" | "secrets" | "injection" | "suspicious" | "broken" | "licence" | "spam" | "other" | undefined;
/** The violated rule. Defaults to the rule of the kind. */
rule?: string | undefined;
/** The action to lift or uphold. */
measure_id?: string | undefined;
/** The version to yank. */
version?: string | undefined;
/** The affected listings. Defaults to the reported ones and others of the same account, or all if they have one account. */
listings?: ListingRef[] | undefined;
/** Affects all listings. */
whole?: boolean | undefined;
/** From `GET …/moderation`. */
revision: string
}
};
answer: {
entry_id: string;
changed: ("dismissed" | "flagged" | "taken_down" | "flag_lifted" | "reinstated" | "carried_over" | "listing_taken_down" | "version_yanked" | "findings_overruled" | "findings_reinstated" | "appealed" | "appeal_upheld" | "appeal_granted" | "appeal_withdrawn" | "claimed" | "claim_revoked" | "claim_lapsed" | "claim_replaced")[];
moderation: Moderation
}
};
/** Appeal a moderation action. For its publisher or claim owner, once per action. Only operators read the text; the appeal and its outcome are public in the history. `POST /api/marketplace/listings/{id}/appeals` */
appeal: {
input: {
/** Capability id, `publisher/name` or `provider/external_id`, with the slash as `%2F`. A merged one resolves to the current one. */
id: string;
body: {
/** Id of the flag or takedown. */
measure_id: string;
/** Why the action should be lifted. */
text: string
}
};
answer: Appeal
};
/** List appeals. Oldest first. Operators see all appeals, other users their own. `GET /api/marketplace/appeals` */
listAppeals: {
input: {
/** Filter by this value. */
status?: "open" | "upheld" | "granted" | "withdrawn" | undefined;
/** Capability id, `publisher/name` or `provider/external_id`, with the slash as `%2F`. A merged one resolves to the current one. */
capability_id?: string | undefined;
/** Maximum number of Appeals per page. */
limit?: number | undefined;
/** Number of Appeals to skip. */
offset?: number | undefined
};
answer: {
items: Appeal[];
total_count: Total;
limit: number;
offset: number
}
};
/** List what operators have to decide (operators). One case per capability. `open`: with open reports, the most urgent first. `appealed`: with open appeals. `acted`: flagged or taken down by operators. `closed`: with decided reports. 404 for other users. `GET /api/operator/cases` */
listCases: {
input: {
/** Which cases. */
status?: "open" | "appealed" | "acted" | "closed" | undefined;
/** Maximum number of cases per page. */
limit?: number | undefined;
/** Number of cases to skip. */
offset?: number | undefined
};
answer: {
items: ({
/** The current capability. */
capability_id: string;
/** Untrusted text. */
name: string;
listing_type: string;
/** Of its first listing. */
provider: string;
external_id: string;
/** `urgent`: harms users. `high`: deceives them. Several reports raise what is `low`. */
urgency: "low" | "normal" | "high" | "urgent";
/** Most serious first. */
kinds: ("malware" | "impersonation" | "secrets" | "injection" | "suspicious" | "broken" | "licence" | "spam" | "other")[];
/** Reports, appeals or affected listings. */
count: number;
oldest_at: string;
newest_at: string
})[];
total_count: Total;
limit: number;
offset: number
}
};
};
featured: {
/** List featured capabilities. Operators’ choices first, then by verification level and hot score, at most one per publisher or author, alternating types. Popularity elsewhere does not count, and flagged capabilities are excluded. If few have run here, built-in skills that can run now follow. Each has a reason. `GET /api/marketplace/featured` */
list: {
input: Record<string, never>;
answer: {
items: FeaturedItem[]
}
};
/** Feature a capability (operators). Adds it to the featured list with a public reason. Repeat the request to change reason and position. `PUT /api/marketplace/featured/{id}` */
add: {
input: {
/** Capability id, `publisher/name` or `provider/external_id`, with the slash as `%2F`. A merged one resolves to the current one. */
id: string;
body: {
/** Public. */
reason: string;
/** Lower values come first. Defaults to 100. */
position?: number | undefined;
/** No end if omitted. */
until?: string | undefined
}
};
answer: FeaturedItem
};
/** Stop featuring a capability (operators). Removes an operator’s choice from the featured list. It may still be featured by proof. `DELETE /api/marketplace/featured/{id}` */
remove: {
input: {
/** Capability id, `publisher/name` or `provider/external_id`, with the slash as `%2F`. A merged one resolves to the current one. */
id: string;
/** For the audit log. */
reason?: string | undefined
};
answer: {
items: FeaturedItem[]
}
};
};
collections: {
/** List collections. Capabilities that operators of this service put together, in their order, at most 100 collections. `GET /api/marketplace/collections` */
list: {
input: Record<string, never>;
answer: {
items: {
slug: string;
title: string;
description: string;
/** Lower values come first. */
position: number;
/** How many capabilities it shows. */
count: number;
/** Send it with a change. */
revision: string;
updated_at: string
}[]
}
};
/** Get a collection. A collection with its capabilities. Those that are flagged, taken down or gone are left out. `GET /api/marketplace/collections/{slug}` */
get: {
input: {
/** Its name in addresses: lowercase words, joined by hyphens. */
slug: string
};
answer: {
slug: string;
title: string;
description: string;
/** Lower values come first. */
position: number;
/** How many capabilities it shows. */
count: number;
/** Send it with a change. */
revision: string;
updated_at: string;
items: ({
/** Capability id; `skill/<name>` for a built-in skill. */
id: string;
name: string;
description: string;
author: string;
version: string;
license: string;
listing_type: "skill" | "server" | "harness" | "rig";
execution_class: "prompt" | "scripted" | "mcp";
tags: string[];
sources: ListedAs[];
/** Its publisher here, or the owner of its claim. */
publisher: {
id: string;
name: string;
by: string
} | null;
links: {
self: string
}
})[]
}
};
/** Create or change a collection (operators). Replaces the collection and its list. `revision` must be the current one, or empty for a new collection. 404 for other users. `PUT /api/operator/collections/{slug}` */
save: {
input: {
/** Its name in addresses: lowercase words, joined by hyphens. */
slug: string;
body: {
title: string;
/** One sentence below the title. */
description: string;
/** Lower values come first. Defaults to 100. */
position?: number | undefined;
/** Its capabilities, in display order. */
listings: string[];
/** The one that you saw; empty for a new collection. */
revision: string;
/** For the audit log. */
reason: string
}
};
answer: {
slug: string;
title: string;
description: string;
/** Lower values come first. */
position: number;
/** How many capabilities it shows. */
count: number;
/** Send it with a change. */
revision: string;
updated_at: string;
items: ({
/** Capability id; `skill/<name>` for a built-in skill. */
id: string;
name: string;
description: string;
author: string;
version: string;
license: string;
listing_type: "skill" | "server" | "harness" | "rig";
execution_class: "prompt" | "scripted" | "mcp";
tags: string[];
sources: ListedAs[];
/** Its publisher here, or the owner of its claim. */
publisher: {
id: string;
name: string;
by: string
} | null;
links: {
self: string
}
})[]
}
};
/** Remove a collection (operators). Its capabilities stay. 404 for other users. `DELETE /api/operator/collections/{slug}` */
remove: {
input: {
/** Its name in addresses: lowercase words, joined by hyphens. */
slug: string;
/** The one that you saw. */
revision: string;
/** For the audit log. */
reason: string
};
answer: {
items: {
slug: string;
title: string;
description: string;
/** Lower values come first. */
position: number;
/** How many capabilities it shows. */
count: number;
/** Send it with a change. */
revision: string;
updated_at: string
}[]
}
};
};
claims: {
/** Claim a capability. For the owner of a listed capability. Returns the content to add to a file in the repository of its listing (GitHub or GitLab), on the default branch. If the repository has several capabilities, put the file in the capability’s own folder. Then verify the claim. Unverified claims are private. `POST /api/marketplace/listings/{id}/claims` */
create: {
input: {
/** Capability id, `publisher/name` or `provider/external_id`, with the slash as `%2F`. A merged one resolves to the current one. */
id: string;
body: {
/** `repository_file`: the file contains a token. `wallet`: the file names a wallet, which signs the claim. */
method: "repository_file" | "wallet";
/** Publisher name to use. Required if the account has none. */
publisher?: string | undefined;
/** Folder of its SKILL.md, in a repository with several capabilities. */
folder?: string | undefined
}
};
answer: {
id: string;
capability_id: string;
method: "repository_file" | "wallet";
status: "pending" | "verified" | "lapsed" | "revoked" | "replaced" | "expired";
publisher: {
id: string;
name: string
};
/** URL of the claim file. */
proof: string;
created_at: string;
verified_at: string | null;
checked_at: string | null;
/** When the file stopped confirming the claim. The claim lapses seven days later. */
failing_since: string | null;
expires_at: string;
file: {
/** In the repository, on its default branch. */
path: string;
/** Required content. The file may contain other entries. */
content: string
};
/** Text for the wallet to sign. Null for `repository_file`. */
claim_text: string | null;
/** What a claim with this method proves, and what it does not. */
proves: string;
/** The request that verifies the claim. */
next: string
}
};
/** List the claims of a capability. The active claim is public. With a credential, also your pending and ended claims. `GET /api/marketplace/listings/{id}/claims` */
list: {
input: {
/** Capability id, `publisher/name` or `provider/external_id`, with the slash as `%2F`. A merged one resolves to the current one. */
id: string
};
answer: {
items: OwnershipClaim[]
}
};
/** Verify a claim. Fetches the file. If it confirms the claim, the capability shows the publisher. The file is checked every day, and the claim lapses after seven days without it. If another account holds a claim, the repository decides: that claim ends once its entry is removed from the file. `POST /api/marketplace/listings/{id}/claims/{claim_id}/verify` */
verify: {
input: {
/** Capability id, `publisher/name` or `provider/external_id`, with the slash as `%2F`. A merged one resolves to the current one. */
id: string;
/** Claim id. */
claim_id: string;
body?: {
/** Signature of a linked wallet on `claim_text`. For wallet claims. */
signed?: {
wallet_type: string;
wallet_address: string;
signature: string
} | undefined
} | undefined
};
answer: OwnershipClaim
};
/** Revoke a claim. Ends a pending or verified claim. For its owner or an operator. Recorded in the history. `DELETE /api/marketplace/listings/{id}/claims/{claim_id}` */
revoke: {
input: {
/** Capability id, `publisher/name` or `provider/external_id`, with the slash as `%2F`. A merged one resolves to the current one. */
id: string;
/** Claim id. */
claim_id: string
};
answer: {
id: string;
status: "revoked"
}
};
};
identity: {
/** Merge two capabilities. Declares two capabilities identical, whatever their evidence. Applies until reversed, also when their listings change. Both must have the same listing type. Operators only; recorded in the audit log. `POST /api/marketplace/listings/{id}/merge` */
merge: {
input: {
/** Listing id. */
id: string;
body: {
/** Id of the other capability. */
with: string;
/** Public. */
reason: string
}
};
answer: CapabilityGroup
};
/** Split a listing off a capability. Declares that a listing does not belong to its capability, whatever the evidence. It becomes a separate capability with its own id. Operators only; recorded in the audit log. `POST /api/marketplace/listings/{id}/split` */
split: {
input: {
/** Listing id. */
id: string;
body: {
member: ListingRef;
/** Public. */
reason: string
}
};
answer: CapabilityGroup
};
};
proof: {
/** Get the evidence for a verification level. Each version that ran here, its levels with expiry, and the receipts of its runs. A subject is the name in receipts: `skill/<name>`, `listing/<provider>/<external_id>` or `capability/<id>`. `evidence` in `verification` links here. `GET /api/marketplace/proof/{subject}` */
get: {
input: {
/** Subject as in receipts. Slashes may be sent unencoded or as `%2F`. */
subject: string
};
answer: {
subject: string;
/** Versions run within 90 days, newest first. */
versions: ({
/** Version as in receipts. Empty for calls over connections. */
version: string;
/** Digest of its files or of its server URL. */
sha256: string;
level: "listed" | "checked" | "ran" | "reproduced" | "used";
/** Achieved levels, lowest first. */
levels: ({
level: "listed" | "checked" | "ran" | "reproduced" | "used";
since: string;
expires_at: string
})[];
runs: number;
completed: number;
callers: number;
last_run_at: string
})[];
/** The last 50. Runs over private connections are not listed. */
receipts: ({
id: string;
version: string;
at: string;
outcome: "completed" | "failed";
/** `service`: check runs of this service. `nobody`: a deleted account. */
by: "account" | "service" | "operator" | "nobody";
/** The receipt. Verify it with `capstan verify`. */
href: string
})[]
}
};
};
traces: {
/** Get a trace. Returns the spans of one run: a tool call on a connection, a task or an agent turn. Names follow the OpenTelemetry conventions for generative AI. Inputs and outputs are truncated and redacted, and visible to the owner only. Each run has its own trace; the `traceparent` of the request that started it becomes a link. `linked` lists your runs that link to this trace, so you can look them up by your own trace id. A trace appears about a second after its run ends and expires after `CAPSTAN_TRACE_RETENTION`. `GET /api/traces/{trace_id}` */
get: {
input: {
/** `trace_id` from a response; 32 hex digits. */
trace_id: string
};
answer: {
trace_id: string;
spans: TraceSpan[];
/** Your traces that link to this one, newest first, at most 100. */
linked: {
trace_id: string;
/** Name of the span with the link. */
name: string;
started_at: string
}[]
}
};
};
health: {
/** Check liveness. Returns 200 while the process can respond. Does not check dependencies. `GET /healthz` */
getLiveness: {
input: Record<string, never>;
answer: {
status: "ok";
version: string;
/** Database id; the same for all processes that share a database. */
instance: string
}
};
/** Check readiness. Returns 200 if the database is available, the catalog index is built and the search has an index to read; otherwise 503 with the failing checks. `GET /readyz` */
getReadiness: {
input: Record<string, never>;
answer: {
status: "ready" | "not_ready";
checks: {
name: string;
ok: boolean;
detail: string
}[]
}
};
/** Get Prometheus metrics. Metrics of this process in the Prometheus text format. Requires the operator's metrics token as a bearer token. If none is set, only loopback clients have access. `GET /metrics` */
getMetrics: {
input: Record<string, never>;
answer: string
};
};
audit: {
/** Read the audit log (operators). Security-relevant actions, newest first. Continue with `before` set to `next_before`. 404 for other users. `GET /api/operator/audit` */
list: {
input: {
/** Actor or target. */
user_id?: string | undefined;
/** Account id, `operator-cli`, `service` or `nobody`. */
actor?: string | undefined;
/** An action, or the part before its dot: `marketplace` matches `marketplace.flag`. */
action?: string | undefined;
/** Not before this time. */
since?: string | undefined;
/** Before this time. */
until?: string | undefined;
/** Only entries before this `seq`. */
before?: number | undefined;
/** Maximum number of entries. */
limit?: number | undefined
};
answer: {
items: ({
/** Without gaps, in commit order. */
seq: number;
/** When it happened. */
at: string;
/** Account id, `operator-cli`, `service` or `nobody`. */
actor: string;
action: string;
/** Id of what was affected. */
target: string;
/** Ids, counts, kinds and scopes. */
detail: Record<string, never>;
outcome: "done" | "refused";
/** What the operator gave as the reason. Not part of the chain. */
reason: string | null;
/** Of the request that caused it. */
request_id: string | null;
/** The network of the client. */
address: string | null;
/** SHA-256 over this entry and the previous hash. */
hash: string;
/** The action in words. */
means: string
})[];
/** Null at the oldest entry. */
next_before: number | null
}
};
/** Export the audit log (operators). Entries as JSON lines, oldest first. If there are `limit` lines, continue with `after` set to the last `seq`. 404 for other users. `GET /api/operator/audit/export` */
export: {
input: {
/** Actor or target. */
user_id?: string | undefined;
/** Account id, `operator-cli`, `service` or `nobody`. */
actor?: string | undefined;
/** An action, or the part before its dot: `marketplace` matches `marketplace.flag`. */
action?: string | undefined;
/** Not before this time. */
since?: string | undefined;
/** Before this time. */
until?: string | undefined;
/** Only entries after this `seq`. */
after?: number | undefined;
/** Maximum number of lines. */
limit?: number | undefined
};
answer: AsyncGenerator<unknown, void, void>
};
/** Verify the audit log (operators). Recomputes the hash chain. Keep `head` elsewhere and send it later: a log that was rewritten since no longer contains it. 404 for other users. `GET /api/operator/audit/verification` */
verify: {
input: {
/** A head from an earlier verification. */
head?: string | undefined
};
answer: {
intact: boolean;
entries: number;
/** Entries written before the chain was introduced. */
unchained: number;
/** What does not match, at most 20. */
faults: string[];
/** `SEQ:HASH` of the newest entry. */
head: string
}
};
};
doctor: {
/** Check the installation (operators). Runs the checks of `capstand doctor` in the process that answers and reports problems with their fixes. It changes nothing and takes a few seconds. Requests that arrive meanwhile get the same report. 404 for other users. `POST /api/operator/doctor` */
run: {
input: Record<string, never>;
answer: {
/** `warn`: it works, but not well or not for long. `fail`: something does not work. */
level: "ok" | "warn" | "fail";
version: string;
checked_at: string;
checks: ({
name: string;
/** `warn`: it works, but not well or not for long. `fail`: something does not work. */
level: "ok" | "warn" | "fail";
took_ms: number;
findings: ({
/** `warn`: it works, but not well or not for long. `fail`: something does not work. */
level: "ok" | "warn" | "fail";
seen: string;
/** A command, or a setting with its value. */
fix?: string
})[]
})[]
}
};
};
}
