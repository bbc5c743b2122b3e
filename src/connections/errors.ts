import { type ErrorTable, problemOf } from '#core/problem/error-table.ts';

/** The error codes of this wing. Their pages, `docs/errors`, are generated from here: `npm run capstand -- schema --write`. */
export const CONNECTIONS_ERRORS = {
  'connections.arguments_invalid': {
    kind: 'unprocessable',
    title: "The arguments do not match the tool's input schema.",
    why:
      '`errors` gives a JSON Pointer for each invalid value, beginning with `/arguments`. The server was not ' +
      'called.',
    fix: 'List the tools, read `input_schema`, and call again with valid arguments.',
    example: {
      detail: 'The arguments do not match the input schema of get_forecast.',
      errors: [{ pointer: '/arguments/city', detail: 'is required' }],
    },
    aliases: ['sessions.arguments_unfit'],
  },
  'connections.authorization_required': {
    kind: 'conflict',
    title: 'The connection must be authorized.',
    why: 'The server requires OAuth or credentials, and the connection has no valid ones.',
    fix:
      'If the connection offers OAuth, call `POST /api/sessions/connections/{id}/oauth/start` and open the ' +
      'returned URL. Otherwise store the fields in `auth.required` with `PUT ' +
      '/api/sessions/connections/{id}/credentials`. The connection keeps its id.',
    example: {
      detail:
        'Authorization required for this connection. Start again with POST ' +
        '/api/sessions/connections/{id}/oauth/start.',
      reason: 'auth_required',
    },
    members: {
      sign_in_url: 'Of calls: a page where the owner authorizes the connection, in any browser.',
    },
    reasons: {
      auth_required: {
        why:
          'Authorization required for this connection. The server requires OAuth or credentials, and the ' +
          'connection has no valid ones.',
        fix:
          'If the connection offers OAuth, call `POST /api/sessions/connections/{id}/oauth/start` and open the ' +
          'returned URL. Otherwise store the fields in `auth.required` with `PUT ' +
          '/api/sessions/connections/{id}/credentials`.',
        aliases: ['sessions.auth_required'],
      },
      grant_ended: {
        why:
          'The server no longer accepts this authorization. Shown in `last_error`. The authorization was revoked ' +
          'or expired and could not be refreshed, or the server rejects the token that was just issued.',
        fix:
          'Authorize again with `POST /api/sessions/connections/{id}/oauth/start`. The connection keeps its id ' +
          'and its tools.',
        aliases: ['sessions.oauth_grant_ended'],
      },
      scope_required: {
        why:
          'The server requires additional scopes. Shown in `last_error`. The tool needs scopes that were not ' +
          'granted (`insufficient_scope`).',
        fix:
          '`POST /api/sessions/connections/{id}/oauth/start` requests the granted and the missing scopes. The ' +
          'connection keeps its id.',
        aliases: ['sessions.oauth_scope_needed'],
      },
    },
  },
  'connections.confirmation_required': {
    kind: 'forbidden',
    title: 'The owner of the endpoint did not confirm the call.',
    why: 'The owner chose to be asked before each call of this tool. Nothing was sent to its server.',
    fix: 'Confirm the call in your MCP client, or change the tools of the endpoint on its page or with `ask_except`.',
    example: { detail: 'The owner of this endpoint declined this call.', reason: 'declined' },
    reasons: {
      not_asked: {
        why: 'Nobody could be asked. Clients are asked if they support elicitation, at `/mcp/mine` only in revision 2026-07-28 of MCP.',
        fix: 'Call the tool on the page of its connection, use another client, or change the endpoint.',
      },
      declined: { why: 'The owner declined the call.', fix: 'Ask the owner before you try again.' },
      unanswered: { why: 'Nobody answered within five minutes, or the question was closed.', fix: 'Try again.' },
    },
  },
  'connections.conflict': {
    kind: 'conflict',
    title: 'You already have a connection or endpoint with this name.',
    why: 'Names of connections, and names of endpoints, are unique per account.',
    fix: 'Choose another `name`. For a connection, omit it to have one chosen.',
    example: { detail: 'You have a connection named "weather". Choose another name.' },
    aliases: ['sessions.name_taken'],
  },
  'connections.forbidden': {
    kind: 'forbidden',
    title: 'The server or its authorization server denied access.',
    why: 'You declined the authorization, or the authorized account lacks permission.',
    fix: "Request access from the server's operator, or authorize another account.",
    example: {
      detail: 'Authorization denied. Start again with POST /api/sessions/connections/{id}/oauth/start.',
      reason: 'denied',
    },
    reasons: {
      access: {
        why:
          'The server denied access to this account. The server returned 403 without requesting additional ' +
          'scopes. The authorized account, or the stored credentials, lack permission.',
        fix:
          "Request access from the server's operator, or store credentials of an account that has it. " +
          'Authorizing the same account again does not help. The connection stays authorized; other tools may ' +
          'work.',
        aliases: ['sessions.access_refused'],
      },
      denied: {
        why: 'Authorization denied. You, or an administrator of the server, declined the request.',
        fix: 'To try again, call `POST /api/sessions/connections/{id}/oauth/start`.',
        aliases: ['sessions.oauth_denied'],
      },
    },
  },
  'connections.hosts_required': {
    kind: 'conflict',
    title: 'The server failed after it tried to reach a host that is not granted.',
    why:
      'A server that is started from a package has no network until its owner grants hosts by name. `detail` names ' +
      'the hosts that it tried to reach.',
    fix:
      'If you trust the server with these hosts, grant them with `PUT /api/sessions/connections/{id}/hosts` and retry. ' +
      'A granted host can receive everything that the server knows, including its credentials.',
    example: { detail: 'The server exited after it tried to reach api.example.com, which is not granted.' },
    aliases: ['sessions.wants_network'],
  },
  'connections.invalid': {
    kind: 'unprocessable',
    title: 'No connection can be made with these settings.',
    why:
      'The URL is blocked, does not lead to an MCP server, or the listing has no usable URL; or a variable is ' +
      'not one of the listing.',
    fix: "Use the server's public https URL, and the variables that its listing declares. Nothing was stored.",
    example: { detail: 'The URL must begin with https://.', reason: 'address' },
    reasons: {
      address: {
        why:
          'The server URL is blocked. The URL is loopback, private, link-local or otherwise reserved, resolves ' +
          'or redirects to such an address, or uses plain http. The address is checked when it is parsed, ' +
          'resolved and connected to.',
        fix:
          "Use the server's public https URL. To connect to a server on the same host, run the service in " +
          'development mode.',
        aliases: ['sessions.address_refused'],
      },
      credentials: {
        why:
          "The variables do not match the server's listing. Nothing was stored. Only variables that the listing " +
          'declares for its URL and headers are accepted. A connection created from a URL has none.',
        fix:
          '`GET /api/sessions/connections/{id}` lists the names under `auth.required` and `auth.optional`. For ' +
          'anything else store credentials of type `header`, `bearer` or `basic`.',
        aliases: ['sessions.credentials_unfit'],
      },
      hosts: {
        why:
          'A host cannot be granted. Hosts are granted by name: `api.example.com`, `*.example.com`, or with a port such ' +
          'as `api.example.com:8443`. Addresses cannot be granted, and a server at a URL has no hosts to grant.',
        fix: 'Correct the hosts that `errors` names and retry.',
        aliases: ['sessions.hosts_invalid'],
      },
      no_remote: {
        why:
          'The listing has no usable remote URL. Many servers are packages to install locally. Others list fewer ' +
          'URLs than `remote` specifies, or use an unsupported transport.',
        fix: 'Choose a listing with a remote URL, or pass the URL of your own server as `url`.',
        aliases: ['sessions.listing_without_address'],
      },
      not_mcp: {
        why:
          'The server at this URL does not speak MCP. The URL may be a web page, or the endpoint path may be ' +
          'missing. It often ends in `/mcp` or `/sse`. If you were creating a connection, none was created.',
        fix: "Look up the endpoint URL in the server's documentation.",
        aliases: ['sessions.not_mcp'],
      },
      package: {
        why: 'The package of the listing cannot be run here. `detail` says why.',
        fix: 'Choose another package of the listing with `package`, or a listing with a remote URL.',
      },
      package_secret: {
        why: 'The package takes a secret as an argument, which other programs of the machine could read.',
        fix: 'Choose a server that takes the secret as an environment variable.',
      },
      variables: {
        why:
          'Invalid variable. `errors` gives the reason: the server does not use it, it is a secret, or it ' +
          'contains characters that are not allowed in a header or URL.',
        fix:
          'Omit variables that the server does not use. Store secrets with `PUT …/credentials` after creating ' +
          'the connection.',
        aliases: ['sessions.variable_unfit'],
      },
    },
  },
  'connections.not_found': {
    kind: 'not_found',
    title: 'Connection or tool not found.',
    why: 'The connection was deleted or belongs to another account, or its server does not offer the tool.',
    fix:
      '`GET /api/sessions/connections` lists your connections; list the tools of a connection to find their ' +
      'names.',
    example: { detail: 'Connection not found.', reason: 'connection' },
    reasons: {
      connection: {
        why:
          'Connection not found. The connection was deleted or belongs to another account. Both cases return ' +
          'this error.',
        fix: '`GET /api/sessions/connections` lists your connections.',
        aliases: ['sessions.not_found'],
      },
      endpoint: {
        why: 'Endpoint not found. It was deleted or belongs to another account.',
        fix: '`GET /api/sessions/endpoints` lists your endpoints.',
      },
      tool: {
        why:
          'The server does not offer this tool. Names are case-sensitive, and servers can remove tools. Removed ' +
          'tools that you had accepted are listed in `gone`.',
        fix: 'List the tools, with `refresh` to bypass the cache.',
        aliases: ['sessions.tool_not_found'],
      },
      resource: {
        why: 'The server of this connection offers no resources.',
        fix: 'List its tools and prompts instead.',
      },
      question: {
        why:
          'No open question has this id. It was answered already, its call has ended, nobody answered for ' +
          'five minutes, or the call runs in another process of the service.',
        fix: 'Call the tool again. Its receipt shows how the call ended.',
      },
      prompt: {
        why: 'The server of this connection offers no prompts.',
        fix: 'List its tools and resources instead.',
      },
    },
  },
  'connections.oauth_failed': {
    kind: 'upstream_failed',
    title: 'The sign-in to the server failed at its authorization server.',
    why: 'The authorization server returned an error or something unexpected. Nothing was stored.',
    fix:
      'Start again with `POST /api/sessions/connections/{id}/oauth/start`. If it fails repeatedly, report it to ' +
      'the operator of the server.',
    example: {
      detail:
        'The authorization server returned an error. Start again with POST ' +
        '/api/sessions/connections/{id}/oauth/start.',
      reason: 'server_error',
    },
    reasons: {
      audience: {
        why:
          'The authorization server issued a token for a different server. The token is a JWT whose `aud` names ' +
          'another server. A server that receives such a token could use it there. The token was revoked and ' +
          'nothing was stored.',
        fix:
          "The authorization server may not support resource indicators (RFC 8707). Report this to the server's " +
          'operator.',
        aliases: ['sessions.oauth_audience_mismatch'],
      },
      issuer: {
        why:
          "The response comes from a different issuer than the one requested. The server's configuration is " +
          'wrong, or this is a mix-up attack that tries to redirect a code or token (RFC 8414, RFC 9207). ' +
          'Nothing was stored.',
        fix:
          'Start again. If it fails repeatedly, do not use the server. Tell its operator that `issuer` or `iss` ' +
          'is wrong.',
        aliases: ['sessions.oauth_issuer_mismatch'],
      },
      metadata: {
        why:
          "The server's OAuth metadata is invalid. A metadata document could not be fetched, is malformed, or " +
          'lacks a required feature. `detail` says what is wrong.',
        fix: "Report this to the server's operator. Or store credentials, if the server accepts them.",
        aliases: ['sessions.oauth_metadata_refused'],
      },
      refresh: {
        why:
          'The access token expired and could not be refreshed. The authorization server is unavailable. The ' +
          'authorization itself is still valid.',
        fix: 'Retry in a moment. You do not have to authorize again.',
        aliases: ['sessions.oauth_refresh_failed'],
      },
      resource: {
        why:
          "The server's metadata describes a different resource. Tokens requested with it would be valid at " +
          'another server, so it is rejected (RFC 9728).',
        fix:
          "Check the URL of the connection. If it is correct, tell the server's operator that `resource` is " +
          'wrong.',
        aliases: ['sessions.oauth_resource_mismatch'],
      },
      server_error: {
        why:
          'The authorization server returned an error. It returned an error or an invalid response. The message ' +
          'is not repeated here because callback parameters can be forged.',
        fix:
          "Start again. If it fails repeatedly, the server may have deleted this service's client; the next " +
          'start registers a new one.',
        aliases: ['sessions.oauth_failed'],
      },
    },
  },
  'connections.oauth_state_invalid': {
    kind: 'unauthenticated',
    title: 'The authorization cannot be completed.',
    why: 'It expired, was completed before, or was started by another browser or user.',
    fix: 'Start again with `POST /api/sessions/connections/{id}/oauth/start`, and stay in the same browser.',
    example: {
      detail:
        'This authorization expired after ten minutes. Start again with POST ' +
        '/api/sessions/connections/{id}/oauth/start.',
      reason: 'expired',
    },
    reasons: {
      expired: {
        why:
          'This authorization expired after ten minutes. Unfinished authorizations expire so that their links ' +
          'cannot be used later.',
        fix: 'Start again with `POST /api/sessions/connections/{id}/oauth/start`.',
        aliases: ['sessions.oauth_state_expired'],
      },
      other_browser: {
        why:
          'The authorization was started in another browser. It must be completed in the browser that started ' +
          'it, identified by the cookie `__Host-capstan-connect` (`capstan-connect` over http on loopback). The ' +
          'cookie expires after ten minutes.',
        fix:
          'Start again in this browser. If you did not start an authorization, someone may have sent you the ' +
          'link: close the page.',
        aliases: ['sessions.oauth_other_browser'],
      },
      other_user: {
        why:
          "The authorization was started by another user of this browser. The browser's cookie and the " +
          'authorization belong to different accounts.',
        fix: 'Start again from your own account with `POST /api/sessions/connections/{id}/oauth/start`.',
        aliases: ['sessions.oauth_other_user'],
      },
      unknown: {
        why: 'Unknown state. The link was modified, is more than an hour old, or its connection was deleted.',
        fix: 'Start again with `POST /api/sessions/connections/{id}/oauth/start`.',
        aliases: ['sessions.oauth_state_unknown'],
      },
      used: {
        why:
          'This authorization was already completed. The callback was opened twice, for example by a reload. ' +
          'Each authorization can be completed once, whether it succeeds or fails.',
        fix: 'Check the connection; it may be authorized already. If not, start again.',
        aliases: ['sessions.oauth_state_used'],
      },
    },
  },
  'connections.oauth_unavailable': {
    kind: 'unprocessable',
    title: 'This server cannot be authorized by OAuth.',
    why:
      'It offers no authorization server, lacks a feature that MCP requires, or does not accept this service as ' +
      'a client.',
    fix:
      'Store credentials for the connection with `PUT /api/sessions/connections/{id}/credentials`, if the server ' +
      'accepts them.',
    example: {
      detail: 'No authorization server found for this server. Store credentials for the connection instead.',
      reason: 'not_offered',
    },
    reasons: {
      client: {
        why:
          'The authorization server does not accept this service as a client. It does not support client id ' +
          'metadata documents, and it has no dynamic registration or rejected ours.',
        fix:
          'The operator can register a client manually with the redirect URI `/api/sessions/oauth/callback` of ' +
          'this service, and set `CAPSTAN_OAUTH_CLIENTS`. Or store credentials for the connection, if the server ' +
          'accepts them.',
        aliases: ['sessions.oauth_client_refused'],
      },
      not_offered: {
        why:
          'No authorization server found. The server names no authorization server, and its own origin publishes ' +
          'no metadata (RFC 9728, RFC 8414, OpenID Connect Discovery).',
        fix:
          'Use the connection without authorization, or store credentials with `PUT ' +
          '/api/sessions/connections/{id}/credentials`.',
        aliases: ['sessions.oauth_not_offered'],
      },
      pkce: {
        why:
          'The authorization server does not announce PKCE with S256. Without PKCE an intercepted authorization ' +
          'code can be used by an attacker. MCP requires it.',
        fix:
          "Ask the server's operator to publish `code_challenge_methods_supported`. Or store credentials, if the " +
          'server accepts them.',
        aliases: ['sessions.oauth_pkce_missing'],
      },
      scope: {
        why:
          'The server requires scopes that the operator does not allow for its client. The operator registered a ' +
          'client for this server manually and limited its scopes in `CAPSTAN_OAUTH_CLIENTS`. None of the ' +
          'requested scopes is allowed.',
        fix: 'Ask the operator to add the scopes, or store credentials for the connection instead.',
        aliases: ['sessions.oauth_scope_refused'],
      },
    },
  },
  'connections.server_failed': {
    kind: 'upstream_failed',
    title: 'The server did not answer the call.',
    why:
      'It is unreachable, returned an error, or sent a response that cannot be used. The tool may have had side ' +
      'effects.',
    fix: 'Check what the tool did, and retry if that is safe.',
    example: { detail: 'The server is unreachable (ECONNREFUSED).', reason: 'server_unreachable' },
    members: {
      mcp_code: "The server's JSON-RPC error code (`server_refused`).",
      trace_id: 'Trace of the call.',
    },
    reasons: {
      content_unusable: {
        why: 'The server lists more resources or prompts than can be shown here. The limit is 1,000.',
        fix: "Read a resource by its URI or a prompt by its name, or report this to the server's author.",
      },
      out_of_memory: {
        why:
          'The server was stopped because it used more memory than a package may. Each package runs in a box with a ' +
          'memory limit, `CAPSTAN_RUNTIME_MEMORY_MB`.',
        fix: 'Retry with less data. If the server needs more memory for every call, an operator can raise the limit.',
        aliases: ['sessions.out_of_memory'],
      },
      result_too_large: {
        why:
          "The server's response is too large. A result is limited to 4 MiB, a tool list to 2 MiB, and both to " +
          '200 levels of nesting. The response was discarded.',
        fix:
          'Request less, for example one page. The tool may have had side effects: check before you call it ' +
          'again.',
        aliases: ['sessions.result_too_large'],
      },
      server_refused: {
        why:
          'The server returned a JSON-RPC error. `mcp_code` is the JSON-RPC error code. `detail` contains the ' +
          "beginning of the server's message.",
        fix: "Check the arguments. If they are correct, report the error to the server's author.",
        aliases: ['sessions.server_refused'],
      },
      server_unreachable: {
        why:
          'The server is unreachable. Its host name does not resolve, nothing listens at its address, or it ' +
          'returned a 5xx status.',
        fix: 'Retry later. If it fails repeatedly, the server was shut down or moved.',
        aliases: ['sessions.server_unreachable'],
      },
      session: {
        why:
          'The session with the server failed. The server sent an invalid MCP message or closed the connection. ' +
          'The tool may have had side effects.',
        fix: 'Check what the tool did, and retry if that is safe. If it fails repeatedly, the server is broken.',
        aliases: ['sessions.server_failed'],
      },
      start_failed: {
        why:
          'The server was started from its package and exited before it spoke MCP, often because a required setting is ' +
          'missing or wrong. `detail` has its exit code and its last line.',
        fix:
          'Store the missing values with `PUT /api/sessions/connections/{id}/credentials`. If nothing is missing, the ' +
          'package is broken: choose another version or server.',
        aliases: ['sessions.start_failed'],
      },
      wants_display: {
        why:
          'The server was started from its package and failed because it needs a browser or a display. Packages run in boxes that ' +
          'have neither. `detail` has its last line.',
        fix:
          'Choose a server that connects to a browser elsewhere, or run this one on a machine with a browser: ' +
          '`capstan install` adds it to a client there.',
      },
      tools_unusable: {
        why:
          "The server's tool list cannot be used. It has more than 1,000 tools, or schemas nested deeper than " +
          '200 levels. Or the server has shown more than 1,000 different tools over time.',
        fix:
          "Report this to the server's author. If there were too many tools over time, delete the connection and " +
          'create it again.',
        aliases: ['sessions.tools_unusable'],
      },
    },
  },
  'connections.timeout': {
    kind: 'upstream_timeout',
    title: 'The server did not respond in time.',
    why: 'The call exceeded `timeout_ms` (60 s by default) and was cancelled. The tool may have had side effects.',
    fix: 'Check what the tool did. Retry with a longer `timeout_ms` if that is safe.',
    example: { detail: 'The server did not respond within 60 s.' },
    aliases: ['sessions.server_timed_out'],
  },
  'connections.tool_conflict': {
    kind: 'conflict',
    title: 'The tool differs from the accepted version.',
    why:
      'The first call accepts all tools that the server has at that time, by a hash of their definitions. A ' +
      'malicious server could replace a harmless tool later. The tool was not called.',
    fix:
      'List the tools, review this one, and accept its `hash` with `POST ' +
      '/api/sessions/connections/{id}/tools/accept`.',
    example: {
      detail: 'get_forecast changed since it was accepted. Review the differences, then accept it.',
      reason: 'tool_changed',
    },
    members: {
      tool: 'Name of the tool.',
      hash: 'Hash of its definition now.',
      accepted_hash: 'Hash that was accepted (`tool_changed`).',
      set_hash: 'Hash of all tools now (`hash`, of accept-all).',
      differences: 'What changed (`tool_changed`).',
    },
    reasons: {
      hash: {
        why: 'The tool does not match this hash. The tool changed again after you read it. Nothing was accepted.',
        fix: 'List the tools, review the tool, and accept its current hash.',
        aliases: ['sessions.tool_hash_other'],
      },
      tool_added: {
        why:
          'The server added this tool after your first call. The first call through a connection accepts all ' +
          'tools that the server has at that time. Later tools must be accepted, because a malicious server ' +
          'could replace a harmless tool by renaming it.',
        fix: 'List the tools, review the new one, and accept its `hash` with `…/tools/accept`.',
        aliases: ['sessions.tool_added'],
      },
      tool_changed: {
        why:
          "The tool changed since it was accepted. The first call accepts all current tools. This tool's " +
          'description, schema or annotations changed since then. The change may be harmless or an attack. ' +
          '`differences` lists the changes; it is empty if the connection has too many tools to keep old ' +
          'definitions. The tool was not called.',
        fix: 'Review the differences. To keep using the tool, accept its `hash` with `…/tools/accept`.',
        aliases: ['sessions.tool_changed'],
      },
    },
  },
  'connections.tool_unsupported': {
    kind: 'unprocessable',
    title: 'The tool cannot be called from here.',
    why: 'Its input schema cannot be used, or it asks for input during the call.',
    fix: "Call the tool from another client, or report it to the server's author.",
    example: {
      detail: 'The input schema of get_forecast refers to another document; the tool was not called.',
      reason: 'schema',
    },
    reasons: {
      input_required: {
        why:
          'The server requested input during the call that is unavailable here: an answer of a language model (sampling), the ' +
          'list of folders (roots), or more answers of a person than a call may ask for.',
        fix: 'Pass the requested value as an argument if the tool accepts it.',
        aliases: ['sessions.input_required'],
      },
      schema: {
        why:
          "The tool's input schema cannot be used for validation. It is too large or too deep, has circular " +
          'references, takes too long to validate, or refers to an external schema. `detail` gives the reason. ' +
          'Such tools are not called.',
        fix: "Report this to the server's author.",
        aliases: ['sessions.schema_unusable'],
      },
    },
  },
  'packages.unsupported': {
    kind: 'unprocessable',
    title: 'The package cannot be run here.',
    why:
      'Packages run in boxes with Node or Python on Linux, from files that were verified before, and never run ' +
      'code at installation. Nothing was stored, and nothing was started.',
    fix:
      'Many servers are published in several versions and ecosystems: choose another package of the listing. ' +
      '`reason` says what is wrong with this one; see below.',
    example: {
      detail:
        'npm/server@1.4.2 was published 1 day ago; the minimum is 3 days. Retry later or choose an older version.',
      reason: 'too_new',
    },
    reasons: {
      ecosystem: {
        why:
          'Packages of this ecosystem cannot be run here. npm, PyPI and MCPB packages can; OCI images and NuGet ' +
          'packages cannot.',
        fix: 'Choose another package of the listing.',
        aliases: ['packages.unsupported'],
      },
      entry_not_found: {
        why:
          'The package has no command to start, or several and none with its name. Commands come from `bin` of ' +
          'an npm package or from the console scripts of a Python package.',
        fix:
          'Name one of the commands that the message lists as the entry. If it lists none, the package is a ' +
          'library: look for the server under another name.',
        aliases: ['packages.entry_not_found'],
      },
      hash_mismatch: {
        why:
          'A file does not have the hash that its listing or its registry names. The registry serves other bytes ' +
          'than the publisher declared, or the listing is out of date.',
        fix:
          "Compare the hash in the message with the publisher's release. If a mirror is configured, refresh it " +
          'and retry.',
        aliases: ['packages.hash_mismatch'],
      },
      hash_required: {
        why:
          'The listing of an MCPB bundle has no SHA-256, or it is not 64 hexadecimal digits. Bundles are ' +
          'verified before they are opened.',
        fix:
          'Ask the publisher to add `fileSha256` to the listing. For a private listing, add it yourself: ' +
          '`sha256sum server.mcpb`.',
        aliases: ['packages.hash_required'],
      },
      input_forbidden: {
        why: 'The package passes a secret value as a command-line argument, which other processes can read.',
        fix:
          'Ask the publisher to move the value to `env` in `server.mcp_config`. Until then, use another package ' +
          'of this server.',
        aliases: ['packages.input_forbidden'],
      },
      manifest_invalid: {
        why:
          'The `manifest.json` of an MCPB bundle is missing or invalid. It needs `server.type` (`node`, `python` ' +
          'or `binary`), and a command or an entry point that is in the bundle.',
        fix:
          'Only the publisher can correct the member that the message names: `npx @anthropic-ai/mcpb validate ' +
          'manifest.json` shows the same errors.',
        aliases: ['packages.manifest_invalid'],
      },
      needs_install_script: {
        why:
          'The package must run code during installation: it compiles native code, creates its ' +
          'command in a script, or is a Python package without a wheel.',
        fix:
          'npm: an operator can allow the package by name with `CAPSTAN_PACKAGE_SCRIPTS`; the script then runs ' +
          'in the install box. PyPI: choose a version with a wheel for this Python. Builds cannot be allowed.',
        aliases: ['packages.needs_install_script'],
      },
      source_forbidden: {
        why:
          'A dependency does not come from the registry. Dependencies from Git repositories, URLs, files and ' +
          'folders have no version that can be locked and no release time.',
        fix:
          'Choose a version without the dependency that the message names, or ask the publisher to release the ' +
          'dependency.',
        aliases: ['packages.source_forbidden'],
      },
      too_large: {
        why:
          'The package is larger than `CAPSTAN_PACKAGE_MAX_MB` (default: 1,024 MiB), downloads included. ' +
          'Archives that unpack to more are refused before they are unpacked.',
        fix: 'Choose a smaller package. An operator can raise the setting.',
        aliases: ['packages.too_large'],
      },
      too_many_files: {
        why: 'The package has more files and folders than `CAPSTAN_PACKAGE_MAX_FILES` (default: 200,000).',
        fix: 'Choose a smaller package. An operator can raise the setting.',
        aliases: ['packages.too_many_files'],
      },
      too_new: {
        why:
          'The release is younger than `CAPSTAN_PACKAGE_MIN_AGE` (default: 3 days). Most malicious releases are ' +
          'found and removed within days. Dependencies that are too new are skipped if an older release fits.',
        fix:
          'Choose an older version or retry later. A registry without release times needs ' +
          '`CAPSTAN_PACKAGE_MIN_AGE=0s`.',
        aliases: ['packages.too_new'],
      },
      unsafe_files: {
        why:
          'The package has files that are never stored: absolute paths, paths with `..`, links out of the ' +
          'package, devices, encrypted or damaged archives, duplicate names, or sizes that are not as declared.',
        fix: 'Only the publisher can correct the file that the message names.',
        aliases: ['packages.unsafe_files'],
      },
      wants_node: {
        why:
          'The package requires another version of Node: `engines.node` of the package, or ' +
          "`compatibility.runtimes.node` of the bundle, excludes the service's Node.",
        fix: 'Choose another version of the package, or update the service.',
        aliases: ['packages.wants_node'],
      },
      wants_python: {
        why:
          'The package requires another version of Python: `Requires-Python` of every file, or ' +
          "`compatibility.runtimes.python` of the bundle, excludes the service's Python.",
        fix:
          'Choose another version of the package. An operator can set `CAPSTAN_PYTHON` to another Python with ' +
          'pip.',
        aliases: ['packages.wants_python'],
      },
      wants_runtime: {
        why:
          'The package requires a program or a platform that boxes do not have: `uv`, `npx`, Bun, Deno, Docker, ' +
          'or another operating system. The message names it.',
        fix: 'Choose another package of this server: the same server is often published on npm or PyPI.',
        aliases: ['packages.wants_runtime'],
      },
    },
  },
} as const satisfies ErrorTable;

/** `throw connectionsProblem('connections.arguments_invalid', …)`: a failure with one of these codes. */
export const connectionsProblem = problemOf(CONNECTIONS_ERRORS);
