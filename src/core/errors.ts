import { type ErrorTable, problemOf } from '#core/problem/error-table.ts';

/** The error codes of this wing. Their pages, `docs/errors`, are generated from here: `npm run capstand -- schema --write`. */
export const CORE_ERRORS = {
  'command.file_unavailable': {
    kind: 'unprocessable',
    title: 'A file that the command needs cannot be read or written.',
    why:
      'It does not exist, permission is denied, the disk is full, or its content is not what the command reads. ' +
      '`detail` names the file and the reason.',
    fix: 'Correct the path or the permissions, and run the command again.',
    example: { detail: 'Cannot read backup.zst (ENOENT).', reason: 'backup_read' },
    reasons: {
      backup_read: {
        why: 'The backup or the passphrase file cannot be read.',
        fix:
          "Check the path and the permissions. The system's error code is in parentheses: `ENOENT` if the file " +
          'does not exist, `EACCES` if permission is denied.',
        aliases: ['backup.unreadable'],
      },
      backup_write: {
        why:
          'The backup cannot be written. The directory does not exist or is not writable, the disk is full, or ' +
          'the file exists and is not a backup.',
        fix: 'Choose another location. An existing file is unchanged, and no partial file was left behind.',
        aliases: ['backup.unwritable'],
      },
      export_write: {
        why:
          'The export file cannot be written. Its directory does not exist or is not writable, or the disk is ' +
          'full.',
        fix: 'Choose another file, or `-` for standard output. An existing file of this name was not changed.',
        aliases: ['registry.export_unwritable'],
      },
      import_read: {
        why:
          'The import cannot be read completely. The file does not exist or is a directory, the URL did not ' +
          'return the file, or a gzip file is truncated or corrupt.',
        fix: 'Check the name. Listings read before the error were imported. Importing the whole file again is safe.',
        aliases: ['registry.import_unreadable'],
      },
      issuer_read: {
        why: 'The URL given as `--issuer` did not return its receipt keys.',
        fix:
          'Check the URL and that the service runs; `capstand verify` reads `<URL>/api/receipts/keys`. Offline, ' +
          'give the keys with `--key FILE`.',
        aliases: ['receipts.issuer_unreadable'],
      },
      receipt_read: {
        why: 'A file given to `capstand verify` cannot be read, is not JSON, or holds no key.',
        fix:
          'A bundle is the unchanged JSON of `GET /api/receipts/{id}`. A key file holds an Ed25519 public key as ' +
          'JWK or PEM, or the JWK set of `GET /api/receipts/keys`.',
        aliases: ['receipts.unreadable'],
      },
      receipt_write: {
        why: 'The file named by `--receipt` of `capstand run` cannot be written.',
        fix:
          'The run is complete and its receipt is stored; only the copy is missing. Correct the path, and fetch ' +
          'the receipt with `GET /api/receipts/{id}`.',
        aliases: ['execution.receipt_unwritable'],
      },
    },
  },
  'command.invalid': {
    kind: 'invalid_request',
    title: 'The command line is invalid.',
    why:
      'An argument is missing, unknown or has the wrong form, or a file that it names does not hold what the ' +
      'command needs.',
    fix:
      'Run the command with `--help` to see its arguments, and correct the one that `detail` names. Nothing was ' +
      'changed.',
    example: { detail: 'Unknown option --tiemout. See capstand run --help.', reason: 'usage' },
    reasons: {
      directory: {
        why: 'No directory or more than one was named, or the directory cannot be read.',
        fix: 'Name one directory that holds a `SKILL.md` or a `HARNESS.md`: `capstand validate skills/json-diff`.',
        aliases: ['harnesses.unreadable'],
      },
      input: {
        why: 'The input is not JSON, its file cannot be read, or it was given in two ways.',
        fix:
          'Give exactly one of `--input`, `--input-file` and `--example`. In a shell, put JSON in single quotes. ' +
          '`--input-file -` reads standard input.',
        aliases: ['execution.input_invalid'],
      },
      input_required: {
        why: 'The skill needs an input.',
        fix:
          'Give JSON with `--input \'{"text":"hello"}\'`, a file with `--input-file input.json`, or the skill\'s ' +
          "own example with `--example`. The skill's `SKILL.md` describes its input.",
        aliases: ['execution.input_missing'],
      },
      probe_excluded: {
        why:
          'The server was not probed because its host is excluded. The host sent `Retry-After` on an earlier ' +
          'probe, or `CAPSTAN_PROBE_SKIP` contains it. Both also apply to `capstand probe`.',
        fix: 'Wait until the time in the message, or remove the host from `CAPSTAN_PROBE_SKIP`.',
        aliases: ['probes.left_alone'],
      },
      provider: {
        why: 'Unknown provider. Names are lower case with hyphens, such as `mcp-registry`, and must match exactly.',
        fix:
          'Take a name from the message, or from `registry.providers` of `GET /api`. Without a name, `capstand ' +
          'sync` syncs all providers in `CAPSTAN_PROVIDERS`.',
        aliases: ['registry.unknown_provider'],
      },
      tier: {
        why: 'Unknown tier.',
        fix: 'Use `free`, `casual` or `pro`; `dev` is an alias of `pro`.',
        aliases: ['users.unknown_tier'],
      },
      usage: {
        why: 'An argument is missing or unknown, or a value has the wrong form.',
        fix: 'See `--help` of the command. Times are whole numbers with a unit: `500ms`, `30s`, `2m`.',
        aliases: ['execution.usage', 'receipts.usage'],
      },
      user: {
        why: 'Several accounts match the name given to `capstand users`.',
        fix:
          'Run the command again with one of the ids in the message. `capstand users list --search TEXT` shows ' +
          'their owners.',
        aliases: ['users.ambiguous'],
      },
    },
  },
  'config.invalid': {
    kind: 'invalid_request',
    title: 'Invalid configuration; the program did not start.',
    why: 'A value has the wrong format, a `CAPSTAN_` name is unknown, or a file named by a setting cannot be read.',
    fix:
      'The message names the setting and the expected format. `.env.example` lists all settings with their ' +
      'defaults; none is required.',
    example: { detail: 'PORT must be a whole number from 0 to 65535.' },
  },
  'crypto.corrupt': {
    kind: 'internal',
    title: 'A stored secret failed its integrity check: its bytes or its row were changed.',
    why: 'The database was modified outside the service, or its disk is failing.',
    fix: 'Inform the operator, who can restore the row from a backup. Otherwise store the secret again.',
    example: { detail: 'A stored secret failed its integrity check.' },
    aliases: ['crypto.not_intact'],
  },
  'crypto.key_required': {
    kind: 'unavailable',
    title: 'A stored secret is encrypted with a key that is not configured. No changes were made.',
    why: '`CAPSTAN_SECRET_KEY` was replaced, or the database was moved without its key.',
    fix:
      'Add the former key to `CAPSTAN_SECRET_KEY` after the current one, separated by a comma, and restart. ' +
      '`capstand vault status` lists the required keys; `capstand vault rotate` re-encrypts all secrets with the ' +
      'current key.',
    example: {
      detail:
        'A stored secret is encrypted with key k2f1, which is missing from CAPSTAN_SECRET_KEY. Add that key ' +
        'after the current one.',
    },
    aliases: ['crypto.key_not_held'],
  },
  'database.conflict': {
    kind: 'conflict',
    title: 'The parent resource, such as the account, was deleted during the request.',
    why: 'Another request deleted it at the same time. Nothing was stored.',
    fix:
      'If the account was not deleted, sign in again and repeat the request. Otherwise the next request returns ' +
      '401 or 404.',
    example: { detail: 'The parent resource was deleted during the request. Nothing was stored.' },
    aliases: ['database.owner_gone'],
  },
  'database.unavailable': {
    kind: 'unavailable',
    title: 'The database is unavailable, so nothing was stored.',
    why:
      'It cannot be reached, its disk is full, or it belongs to a newer version of this program. Search and ' +
      'lists are still served from memory.',
    fix: 'Retry after `Retry-After` seconds. Operators: `GET /readyz` names the failing check.',
    example: { detail: 'Database unavailable. Retry in a few seconds.', reason: 'unreachable', retry_after: 2 },
    reasons: {
      disk_full: {
        why: 'The disk of the database is full. Existing data can still be read.',
        fix:
          'Retry after `Retry-After` seconds. Operators: free up disk space; the service recovers automatically. ' +
          '`capstand doctor` shows free and used space. Retention is controlled by the ' +
          '[settings](../guides/configuration.md) whose names end in `_RETENTION`.',
        aliases: ['database.full'],
      },
      newer_schema: {
        why: 'The database was migrated by a newer version of this program.',
        fix:
          'Start the newer version, or restore the backup made before the upgrade. Running the older version ' +
          'could damage the data.',
        aliases: ['database.newer_than_program'],
      },
      unreachable: {
        why: 'The database does not answer.',
        fix:
          'Retry after `Retry-After` seconds. Operators: check that PostgreSQL is running and `DATABASE_URL` is ' +
          'correct; with SQLite, check that no other program has `DATA_DIR/capstan.db` open.',
        aliases: ['database.unavailable'],
      },
    },
  },
  'http.content_too_large': {
    kind: 'too_large',
    title: 'The request body is too large or too complex.',
    why: 'Bodies are limited in bytes and in the number of values, because many small values take long to parse.',
    fix: 'Send less data, or split it into several requests.',
    example: { detail: 'Request body too large (limit: 1048576 bytes).', reason: 'bytes' },
    reasons: {
      bytes: {
        why: "The request body is too large. The limit is 1 MiB, unless the operation's description names another.",
        fix: 'Send less data, or split it into several requests.',
        aliases: ['http.body_too_large'],
      },
      complexity: {
        why:
          'The body is too complex: more than 1,000 form fields, or JSON with more than 10,000 fields, 50,000 ' +
          'values or 64 nested levels. Many small values take much longer to parse than the same number of bytes ' +
          'in one string.',
        fix: 'Split the request, or send large data as one string.',
        aliases: ['http.body_too_complex'],
      },
    },
  },
  'http.forbidden': {
    kind: 'forbidden',
    title: 'The request is not allowed from here.',
    why: 'It concerns another account, or did not come from an allowed page or host. No credential changes that.',
    fix: '`reason` says what is wrong; see below.',
    example: { detail: 'The user id in the path must be your own.', reason: 'other_account' },
    reasons: {
      form: {
        why:
          'The form was not submitted from the page shown to this browser. The page is older than 30 minutes, ' +
          'cookies are disabled, you signed in to another account in the meantime, or another site submitted the ' +
          'form (CSRF). No changes were made.',
        fix: 'Start again from the client. Allow cookies for this service, and open it at its `PUBLIC_URL`.',
        aliases: ['auth.form_refused'],
      },
      metrics: {
        why:
          'Without a token, metrics are available to loopback clients only. The request came from another host, ' +
          'through a proxy or from a web page.',
        fix: 'The operator sets `CAPSTAN_METRICS_TOKEN`, and the client sends it as a bearer token.',
        aliases: ['health.metrics_elsewhere'],
      },
      origin: {
        why:
          "The request's origin is not allowed: a browser page of another site called this endpoint, or the " +
          'endpoint is reserved for the pages of this service (CSRF).',
        fix:
          'In a browser, open the page of this service. In a program, call `/api/…` or `/mcp/…` with a token and ' +
          'without `Origin`. Operators: add the origin to `CAPSTAN_ALLOWED_ORIGINS`; behind a proxy, forward ' +
          '`Host`, `Origin` and `Sec-Fetch-Site` unchanged and set `PUBLIC_URL`.',
        aliases: ['mcp.origin_refused', 'web.origin_refused'],
      },
      other_account: {
        why:
          'The user id in the path is not your own. This operation works on your own account only, regardless of ' +
          'scopes.',
        fix: 'Use your own id: `user.id` in the response of `GET /api/auth/session`.',
        aliases: ['auth.not_yours'],
      },
    },
  },
  'http.headers_too_large': {
    kind: 'headers_too_large',
    title: 'The request line and headers exceed 16 KiB.',
    why: 'The usual causes are a very long query string or many cookies. The API does not use cookies.',
    fix: 'Shorten the query, and send no cookies to the API.',
    example: { detail: 'Request headers too large (limit: 16 KiB).' },
  },
  'http.idempotency_conflict': {
    kind: 'conflict',
    title: 'The request with this `Idempotency-Key` was not executed again.',
    why: 'The first request with the key is still in progress, or was executed and its response was not stored.',
    fix: '`reason` says which; see below.',
    example: {
      detail: 'The first request with this Idempotency-Key is still in progress. Retry later.',
      reason: 'in_flight',
      retry_after: 1,
    },
    members: {
      first_status: 'Status of the first response (`answer_not_kept`).',
      location: 'URL of the created resource, or null (`answer_not_kept`).',
      sha256: "Digest of the first response's body (`answer_not_kept`).",
    },
    reasons: {
      answer_not_kept: {
        why:
          'The request with this `Idempotency-Key` was executed, but its response was not stored. Responses are ' +
          'stored up to 64 KiB, and all stored responses of an account may use 2.5 % of its storage. The request ' +
          'is not repeated, because it could create a duplicate.',
        fix:
          'Read the created resource: `location` is its URL, if the first response had one. `first_status` is ' +
          'the status of the first response, and `sha256` the digest of its body.',
        aliases: ['http.idempotency_answer_not_kept'],
      },
      in_flight: {
        why:
          'The first request with this `Idempotency-Key` is still in progress. Two requests with the same key ' +
          'arrived concurrently, and only the first is executed. If the service crashes, the key is released ' +
          'after 20 seconds.',
        fix: 'Repeat the request after `Retry-After` seconds to receive the first response.',
        aliases: ['http.idempotency_in_flight'],
      },
    },
  },
  'http.idempotency_key_reused': {
    kind: 'unprocessable',
    title: 'The `Idempotency-Key` was already used for another request.',
    why:
      'For 24 hours, a key belongs to one request: the same operation, path and body, byte for byte. This ' +
      'request was not executed.',
    fix: 'Use a new key for a new request. To repeat the first one, send its body unchanged.',
    example: { detail: 'The Idempotency-Key 6f1c… was used for another request. Use a new key for this request.' },
  },
  'http.internal': {
    kind: 'internal',
    title: 'Internal error: the service has a bug. Your request is not the cause.',
    why:
      "Details are written to the service's log only, because they may contain private data. The response " +
      'contains the `request_id`.',
    fix:
      'GET requests can be repeated safely. After other methods, check the state first. If the error persists, ' +
      'send the `request_id` to the operator: the log has an entry for it at level `error`.',
    example: { detail: 'Internal error. Include the request_id when you report it.' },
    aliases: ['registry.adapter_broken'],
  },
  'http.invalid': {
    kind: 'invalid_request',
    title: 'The request is invalid.',
    why:
      'A value has the wrong type or is out of range, a required value is missing, a name is unknown, or the ' +
      'request is malformed. Unknown parameters and fields are rejected, so that a misspelled filter is not ' +
      'ignored.',
    fix:
      '`errors` lists each invalid field with a JSON Pointer and the constraint; `detail` says what is wrong ' +
      'with the request as a whole. `/api/docs.md` lists the parameters of every operation.',
    example: {
      detail: 'limit must be at most 200.',
      reason: 'input',
      errors: [{ pointer: '/limit', detail: 'must be at most 200' }],
    },
    reasons: {
      idempotency_key: {
        why:
          'Invalid `Idempotency-Key` header. A key is 1 to 255 visible ASCII characters, optionally in double ' +
          'quotes. Spaces are not allowed, and the header must be sent once.',
        fix: 'Use a unique key for each request, such as a random UUID, and repeat it in retries of that request.',
        aliases: ['http.idempotency_key_malformed'],
      },
      input: {
        why: 'A parameter, a field of the body or an argument of a tool breaks its schema or its rule.',
        fix: 'Correct the fields that `errors` names and send the request again. Nothing was stored.',
        aliases: [
          'agents.input_unfit',
          'agents.message_unclear',
          'auth.email_malformed',
          'auth.password_weak',
          'auth.purpose_invalid',
          'auth.return_to_refused',
          'auth.wallet_address_malformed',
          'harnesses.author_refused',
          'harnesses.change_unclear',
          'harnesses.memory_path_refused',
          'http.invalid_input',
          'interop.invalid_cursor',
          'marketplace.license_malformed',
          'marketplace.name_malformed',
          'marketplace.publisher_needed',
          'marketplace.rule_missing',
          'marketplace.until_past',
          'marketplace.version_malformed',
          'mcp.argument_unfit',
          'mcp.input_unfit',
          'packages.name_invalid',
          'packages.version_invalid',
          'receipts.checkpoint_ahead',
          'runtime.box_order_invalid',
          'runtime.egress_invalid',
          'sessions.credentials_malformed',
          'sessions.place_unclear',
          'skills.author_refused',
          'skills.files_unfit',
          'skills.which_unclear',
          'tasks.event_id_unfit',
        ],
      },
      json: {
        why:
          'The body is not valid JSON. Common causes: the body is empty or truncated, has a trailing comma or ' +
          'single quotes, or the shell removed its quotes.',
        fix:
          'Validate it with a JSON parser. With curl, put the body in single quotes or in a file: `-d ' +
          '@body.json`.',
        aliases: ['http.malformed_json'],
      },
      message: {
        why:
          'Malformed HTTP/1.1 request. Common causes: TLS sent to a plain port, HTTP/2 without an upgrade, or a ' +
          'body whose length differs from `Content-Length`.',
        fix:
          'Use `http://` or `https://` as configured for the service, and let the client compute ' +
          '`Content-Length`.',
        aliases: ['http.malformed_request'],
      },
      nul: {
        why: 'Text must not contain NUL characters (`U+0000`). They usually appear when binary data is sent as text.',
        fix:
          'Remove the character. Send binary data as a task file, in base64. A SQLite backup with such a text ' +
          'cannot be restored into PostgreSQL; restore it into SQLite and correct it there. No changes were made.',
        aliases: ['database.nul_refused'],
      },
      parameters: {
        why: 'The query string has more than 100 parameters.',
        fix: 'Send only the parameters that the operation documents.',
        aliases: ['http.too_many_parameters'],
      },
      path: {
        why:
          'Malformed percent-encoding in the path. Paths are decoded once. A `%` must be followed by two ' +
          'hexadecimal digits, and the result must be valid UTF-8.',
        fix: 'Encode each segment once, as `encodeURIComponent` does. Encode a literal `%` as `%25`.',
        aliases: ['http.malformed_path'],
      },
    },
  },
  'http.limit_exceeded': {
    kind: 'rate_limited',
    title: 'Too many requests.',
    why:
      'Requests are limited in number, in concurrency and in processor time, per account or network. The request ' +
      'was not executed.',
    fix:
      'Retry after `Retry-After` seconds. `RateLimit-Policy` contains the limit and `RateLimit` the remaining ' +
      'requests, where the limit counts requests.',
    example: { detail: 'Rate limit exceeded: 60 requests per 60 s. Retry in 12 s.', reason: 'rate', retry_after: 12 },
    reasons: {
      checks: {
        why:
          'Your recent requests used up the processor time for slow checks of your account or network address. ' +
          'Schemas, and values checked against them, are validated in worker threads. A check that takes longer ' +
          'than 50 ms of processor time counts against its sender, up to 6 seconds per minute. Quick checks are ' +
          'free. The usual cause is a schema that takes exponential time, such as a `pattern` with a lookahead ' +
          'and nested repetition, or nested alternatives.',
        fix:
          '- Wait `Retry-After` seconds.\n' +
          '- Simplify the schema. Patterns without lookaheads and backreferences are checked in linear time.',
        aliases: ['workers.limit_exceeded'],
      },
      concurrency: {
        why:
          'Too many responses or tool calls of your network or account are in progress. Each counts until it has ' +
          'finished.',
        fix: 'Finish one, then retry after `Retry-After` seconds. Nothing was executed.',
        aliases: ['http.too_many_at_once', 'sessions.too_many_calls'],
      },
      idempotency_keys: {
        why:
          'Your account has used too many `Idempotency-Key`s in 24 hours. Keys are stored for a day, and keys ' +
          "with their responses may use 5 % of your account's storage.",
        fix:
          'Keys used before still work. Send new requests without a key, or wait: each key expires 24 hours ' +
          'after its first use. `GET /api/auth/session` shows the usage under `idempotency`.',
        aliases: ['http.idempotency_limit_exceeded'],
      },
      rate: {
        why:
          'Rate limit exceeded. Requests of this kind are limited per network address; IPv6 addresses count by ' +
          'their /64. Rejected requests do not count.',
        fix:
          'Retry after `Retry-After` seconds. `RateLimit-Policy` contains the limit and `RateLimit` the ' +
          'remaining requests. Operators configure the limits; behind a proxy, `CAPSTAN_TRUSTED_PROXIES` must ' +
          'list it, or all clients count as one.',
        aliases: ['http.rate_limited'],
      },
      streams: {
        why:
          'Too many event streams are open for your account or network. Each open stream (`text/event-stream`: ' +
          'task events, a chat turn, a tool call, an MCP session) uses a connection and memory. The limit is 64 ' +
          'per account and process (`CAPSTAN_STREAMS_PER_USER`), and 512 per network with all of its accounts ' +
          '(`CAPSTAN_STREAMS_PER_NETWORK`). A network is one IPv4 address or one IPv6 /64.',
        fix:
          '- Close streams that you no longer read, then retry after `Retry-After` seconds.\n' +
          '- To follow many tasks, list them (`GET /api/agents/tasks`) instead of opening one stream each.',
        aliases: ['http.too_many_streams'],
      },
    },
  },
  'http.method_not_allowed': {
    kind: 'method_not_allowed',
    title: 'Method not allowed for this path.',
    why: 'Each operation has one method; `HEAD` works wherever `GET` does.',
    fix: 'Use a method listed in the `Allow` header of the response.',
    example: { detail: 'Method not allowed for this path. Allowed: GET.' },
  },
  'http.misdirected_request': {
    kind: 'misdirected_request',
    title: 'Unknown host in the `Host` header.',
    why:
      'Unknown host names are rejected to prevent DNS rebinding attacks. IP addresses and `localhost` are always ' +
      'accepted, and so are `/healthz`, `/readyz` and `/metrics` on any host.',
    fix:
      'Use the address in `PUBLIC_URL`. The operator adds further names to `CAPSTAN_ALLOWED_HOSTS`, ' +
      'comma-separated; each name includes its subdomains. Proxies must forward the original `Host`.',
    example: {
      detail: 'Unknown host: example.test. To accept it, set PUBLIC_URL or add the host to CAPSTAN_ALLOWED_HOSTS.',
    },
  },
  'http.not_found': {
    kind: 'not_found',
    title: 'Path not found.',
    why:
      'Paths are case-sensitive and have no trailing slash. Most begin with `/api`. Pages under `/docs/errors/` ' +
      'are named after error codes; a sitemap has as many parts as its listings need.',
    fix:
      '`GET /api` lists the available endpoints, `/api/docs.md` every operation and error code, and ' +
      '`/sitemap.xml` its parts.',
    example: { detail: 'Path not found. GET / lists the available endpoints.' },
    aliases: ['docs.not_found', 'http.no_such_path', 'interop.no_such_part'],
  },
  'http.request_timeout': {
    kind: 'request_timeout',
    title: 'The request timed out before it was complete.',
    why: 'Headers must arrive within 10 seconds, the whole request within 30.',
    fix: 'Send it again. If it keeps failing, check the connection and any proxies.',
    example: { detail: 'The request timed out before it was complete.' },
  },
  'http.unavailable': {
    kind: 'unavailable',
    title: 'The service is busy or still starting.',
    why:
      'The work that the request needs is queued in bounded queues, or an index is being built. Nothing was ' +
      'executed or stored.',
    fix: 'Retry after `Retry-After` seconds, with fewer requests at once.',
    example: { detail: 'Too many schema checks are queued. Retry in 2 s.', reason: 'checks', retry_after: 2 },
    reasons: {
      checks: {
        why:
          'Too many checks of schemas, inputs or files are queued. They run in a few worker threads, and each ' +
          'account or network has its own queue of at most 64.',
        fix: 'Retry after `Retry-After` seconds, with fewer requests at once.',
        aliases: ['execution.check_busy', 'rigs.check_busy', 'sessions.check_busy', 'skills.check_busy'],
      },
      fetching: {
        why:
          'A file is being fetched from the provider of a listing, which takes longer than a response may wait, or ' +
          'too many files are being fetched.',
        fix: 'Retry after `Retry-After` seconds. The file is stored when it arrives.',
      },
      index: {
        why:
          'The index of the catalog or the marketplace is being built. After a start this takes under a second ' +
          'with an index snapshot, otherwise a few seconds per 100,000 listings.',
        fix:
          'Retry after `Retry-After` seconds. `GET /readyz` returns 200 when the index is ready. If it persists, ' +
          'run `capstand doctor`.',
        aliases: ['marketplace.warming_up', 'registry.warming_up'],
      },
      passwords: {
        why:
          'Too many password checks are queued. Password hashing is slow by design. A few checks run at once and ' +
          'a few dozen wait; further ones are rejected to limit memory.',
        fix: 'Retry after `Retry-After`. If it persists, the service is under attack or needs more instances.',
        aliases: ['crypto.busy'],
      },
      responses: {
        why: 'Too many long responses are in progress.',
        fix: 'Retry after `Retry-After` seconds.',
        aliases: ['http.busy'],
      },
      tool_calls: {
        why: 'Too many tool calls are in progress, or wait until their receipts are stored.',
        fix: 'Retry after `Retry-After` seconds. The tool was not called.',
      },
    },
  },
  'http.unsupported_media_type': {
    kind: 'unsupported_media_type',
    title: 'Unsupported or missing media type.',
    why: 'The operation reads one media type, usually `application/json`.',
    fix: 'Send a JSON body with the header `Content-Type: application/json`.',
    example: { detail: 'Missing Content-Type header. Send the body as application/json.' },
  },
  'http.url_too_long': {
    kind: 'uri_too_long',
    title: 'The path and query string exceed 8,192 characters.',
    why: 'Long URLs are cut off by proxies, and slow to parse.',
    fix: "Shorten the query. For long search texts, use the operation's `POST` variant if it has one.",
    example: { detail: 'The path and query string are too long (limit: 8192 characters).' },
  },
  'llm.failed': {
    kind: 'upstream_failed',
    title: 'The language model did not return a usable response.',
    why: 'The provider rejected the request, or its response was incomplete or invalid.',
    fix:
      'Try again, or choose another model. Operators: check the API key, the URL and the model names in the ' +
      'settings.',
    example: { detail: 'Invalid response from openai: it ended early.', reason: 'broken_answer' },
    reasons: {
      broken_answer: {
        why:
          "The language model's response was incomplete or invalid. The provider's stream ended early, had an " +
          'invalid format, was too large, or ended with an error. The response is discarded, and the request is ' +
          'not retried because the provider has already processed it.',
        fix:
          "Try again. If it keeps failing, check the provider's status page, or the server at `CAPSTAN_LLM_URL`: " +
          'it must stream chat completions.',
        aliases: ['llm.broken_answer'],
      },
      refused: {
        why:
          'The LLM provider rejected the request. The API key is wrong or has no access to this model, the model ' +
          "is unknown, or the request is too long. `detail` contains the provider's message, with secrets " +
          'removed.',
        fix:
          'Operators: check the API key, URL and model names in the settings. Callers: choose another model, or ' +
          'shorten the input.',
        aliases: ['llm.refused'],
      },
    },
  },
  'llm.filtered': {
    kind: 'unprocessable',
    title: 'The provider declined to respond to this input.',
    why: 'Its content filter blocked the response, or the model refused.',
    fix:
      'Check the input, including text from third parties, for content that providers block. Another model may ' +
      'accept it.',
    example: { detail: 'openai declined to respond to this input.' },
  },
  'llm.limit_exceeded': {
    kind: 'unprocessable',
    title: 'The run would exceed its step or token limit.',
    why:
      'Runs are limited by `CAPSTAN_LLM_MAX_STEPS`, `CAPSTAN_LLM_MAX_TOKENS` and, per response, by ' +
      '`CAPSTAN_LLM_MAX_OUTPUT_TOKENS`. Repeated tool calls, long inputs or long responses can reach a limit.',
    fix: 'Shorten the input, or ask for a shorter response. The operator can raise the limit named in `detail`.',
    example: { detail: 'The run reached its limit of 20 steps (CAPSTAN_LLM_MAX_STEPS).' },
    aliases: ['llm.budget'],
  },
  'llm.timeout': {
    kind: 'upstream_timeout',
    title: 'The language model timed out.',
    why: "The run's time limit or `CAPSTAN_LLM_TIMEOUT` expired before the response was complete.",
    fix: 'Try again with a higher time limit, if you can set one. The operator can raise `CAPSTAN_LLM_TIMEOUT`.',
    example: { detail: 'Request to openai timed out.' },
  },
  'llm.unavailable': {
    kind: 'unavailable',
    title: 'The LLM provider is unavailable.',
    why:
      'It is unreachable, returned errors, or limits the requests of this service. The request was not started, ' +
      'so it does not count against your quota.',
    fix: 'Retry after `Retry-After` seconds if the header is present, otherwise later.',
    example: { detail: 'Request to openai failed: status 503.', reason: 'unreachable' },
    reasons: {
      rate_limited: {
        why:
          "The LLM provider's rate limit was exceeded. The limit applies to the operator's account at the " +
          'provider. Retries within the configured limits failed. The request was not started, so it does not ' +
          'count against your quota.',
        fix: 'Retry after `Retry-After` seconds if the header is present, otherwise later.',
        aliases: ['llm.rate_limited'],
      },
      unreachable: {
        why:
          'The LLM provider is unavailable. The provider is unreachable or returned errors, and retries failed. ' +
          'The request was not started, so it does not count against your quota.',
        fix:
          "Try again later. Operators: check the provider's status page, the URL in the settings, and the " +
          'outbound network.',
        aliases: ['llm.unavailable'],
      },
    },
  },
  'metrics.token_required': {
    kind: 'unauthenticated',
    title: 'Missing or wrong metrics token.',
    why: 'The operator has set `CAPSTAN_METRICS_TOKEN`. User tokens and API keys give no access to metrics.',
    fix:
      'Send `Authorization: Bearer <token>`. In Prometheus, set `authorization: {credentials_file: …}` in the ' +
      'scrape configuration.',
    example: { detail: 'Metrics require a bearer token.' },
    aliases: ['health.metrics_token_wrong'],
  },
  'outbound.failed': {
    kind: 'upstream_failed',
    title: 'A request of this service to another host failed.',
    why: 'The host is unreachable or forbidden, or its response cannot be used.',
    fix: 'Check the URL. Try again later if the host is unavailable.',
    example: { detail: 'mcp.example.com is unreachable (ENOTFOUND).', reason: 'unreachable' },
    reasons: {
      blocked: {
        why:
          'The outbound request was blocked. User-supplied URLs must use https and resolve to public internet ' +
          'addresses. The URL, all DNS results, the connected socket and every redirect are checked. Loopback is ' +
          'allowed in development only.',
        fix: 'Use an https URL with a public host name. In development, `http:` works for loopback addresses.',
        aliases: ['outbound.blocked'],
      },
      cut_off: {
        why:
          'The connection was closed before the response was complete. The server or a proxy closed it, or the ' +
          "response's encoding is invalid.",
        fix: 'Try again. If it keeps failing, the server sends broken responses.',
        aliases: ['outbound.cut_off'],
      },
      redirect: {
        why:
          'The server sent a redirect that is not followed. There were more than five redirects, the target is ' +
          'not a valid URL, or the redirect would forward a request body to another origin.',
        fix: 'Use the final URL directly.',
        aliases: ['outbound.redirect_refused'],
      },
      status: {
        why: "The host of a skill's files responded with an error.",
        fix: 'Try again later. Files that were fetched before, and are still fresh, are used from the cache.',
        aliases: ['execution.source_failed'],
      },
      too_large: {
        why:
          "The server's response is too large. The limit applies to decoded bytes, so a small compressed " +
          'response can exceed it. Responses with more than one content encoding are rejected.',
        fix: 'Request less data, such as a smaller page, or check the URL.',
        aliases: ['outbound.too_large'],
      },
      unreachable: {
        why:
          'The host is unreachable: its name does not resolve, its port is closed, its certificate is invalid, ' +
          'or this host has no outbound network access.',
        fix:
          "Check the URL and the network. `detail` contains the system's error code. Nothing was changed; retry " +
          'later.',
        aliases: ['marketplace.claim_file_unreachable', 'outbound.unreachable'],
      },
    },
  },
  'outbound.timeout': {
    kind: 'upstream_timeout',
    title: 'The server timed out.',
    why: 'It is slow, overloaded or unreachable. The timeout covers redirects and the whole body.',
    fix: "Try again later. If it keeps failing, check the server's status page.",
    example: { detail: 'mcp.example.com timed out.' },
  },
  'startup.unavailable': {
    kind: 'unavailable',
    title: 'The program cannot start with this host and configuration.',
    why: 'Its data directory, its port or its secret key cannot be used. Nothing was changed.',
    fix: 'Correct the setting that the message names, and start again. `capstand doctor` checks all of them.',
    example: {
      detail: 'Port 8080 on 127.0.0.1 is already in use. Stop the other process, or set PORT to another port.',
      reason: 'port_taken',
    },
    reasons: {
      data_dir_unreadable: {
        why:
          'The current user cannot access the data directory. No changes were made. The directory belongs to ' +
          "another user, usually that of the service. The message contains the system's error code.",
        fix:
          'Run the command as the user of the service, such as `sudo -u capstan capstand doctor`, or correct ' +
          '`DATA_DIR`.',
        aliases: ['startup.data_dir_unreadable'],
      },
      data_dir_unwritable: {
        why:
          'The data directory is not writable, so the program did not start. It belongs to another user, is ' +
          "mounted read-only, or its disk is full. The message contains the system's error code.",
        fix: "Grant the program's user write access, or set `DATA_DIR` to another directory.",
        aliases: ['startup.data_dir_unwritable'],
      },
      host_unknown: {
        why: '`HOST` is not an address of this host.',
        fix:
          '`HOST=127.0.0.1` listens on loopback only, `HOST=0.0.0.0` on all interfaces. To set the public name ' +
          'of the service, use `PUBLIC_URL`.',
        aliases: ['startup.host_unknown'],
      },
      port_not_shared: {
        why:
          '`CAPSTAN_THREADS` is above 1, but this system cannot share a port among sockets. Each thread listens ' +
          'on its own socket, and the kernel distributes connections. Linux, FreeBSD and a few others support ' +
          'this; macOS and Windows do not.',
        fix:
          'Set `CAPSTAN_THREADS` to 1. To scale, run several processes on separate ports with a load balancer ' +
          'and one PostgreSQL database.',
        aliases: ['startup.port_not_shared'],
      },
      port_refused: {
        why: 'Permission denied for the port. Ports below 1024 are often reserved for the administrator.',
        fix: 'Set `PORT` to a port above 1023 behind a proxy, or grant the program permission to open the port.',
        aliases: ['startup.port_refused'],
      },
      port_taken: {
        why: 'The port is already in use. Often another Capstan process is still running.',
        fix: 'Stop it, or set `PORT` to another port. `PORT=0` selects a free port and prints it.',
        aliases: ['startup.port_taken'],
      },
      secret_key_malformed: {
        why:
          'Invalid secret key. `CAPSTAN_SECRET_KEY`, or the key file in `DATA_DIR`, must contain 32 random bytes ' +
          'in base64.',
        fix:
          'Generate a key with `openssl rand -base64 32`. Separate several keys with commas; the first one ' +
          'encrypts, the others only decrypt. Keys with repeating bytes are rejected.',
        aliases: ['startup.secret_key_malformed'],
      },
      secret_key_missing: {
        why:
          'The service runs in production without a secret key. Signing keys and credentials are encrypted with ' +
          'this key, so that a copy of the database alone is useless. In development, a key is generated in ' +
          '`DATA_DIR/secret.key`; in production, that file is not read. To keep using development data, set ' +
          '`CAPSTAN_SECRET_KEY` to the content of that file.',
        fix:
          'Generate a key with `openssl rand -base64 32`, store it with your other secrets, and set ' +
          '`CAPSTAN_SECRET_KEY`, or `CAPSTAN_SECRET_KEY_FILE` to the path of a file with the key. If the key is ' +
          'lost, all encrypted data is lost.',
        aliases: ['startup.secret_key_missing'],
      },
      secret_key_other: {
        why:
          'The configured secret key does not match the database. No changes were made.\n' +
          '\n' +
          'The newest token or receipt signing key is encrypted with a key that is not configured. Continuing ' +
          'would encrypt new secrets with a different key than the old ones.',
        fix:
          'Configure the former key in `CAPSTAN_SECRET_KEY`, or as `DATA_DIR/secret.key` if the setting is ' +
          'empty. To change the key, configure both, separated by a comma, as described in ' +
          '[operators](../guides/operators.md). `capstand vault status` lists the required keys.\n' +
          '\n' +
          'If the former key is lost, the data encrypted with it is lost. Run `capstand tokens rotate --now ' +
          '--key-lost` and `capstand receipts rotate --key-lost` to create new signing keys; then the service ' +
          'starts. All users must sign in again, and connections need their credentials again. Issued receipts ' +
          'stay valid.',
        aliases: ['startup.secret_key_other'],
      },
      secret_key_unreadable: {
        why:
          'The current user cannot read `DATA_DIR/secret.key`. The file is readable by the user of the service ' +
          "only. The message contains the system's error code.",
        fix: 'Run the command as the user of the service. If root copied the file, `chown` it to that user.',
        aliases: ['startup.secret_key_unreadable'],
      },
    },
  },
  'traces.not_found': {
    kind: 'not_found',
    title: 'Trace not found.',
    why:
      'A trace is stored about a second after its run ends and expires after `CAPSTAN_TRACE_RETENTION` (default: ' +
      '30 days). Traces of other users return the same response.',
    fix:
      'Take the id from a task of yours. Your own `traceparent` is linked, not adopted: spans that other ' +
      'services recorded under its id are not available here.',
    example: { detail: 'Trace not found. It may have expired.' },
  },
} as const satisfies ErrorTable;

/** `throw coreProblem('command.invalid', …)`: a failure with one of these codes. */
export const coreProblem = problemOf(CORE_ERRORS);
