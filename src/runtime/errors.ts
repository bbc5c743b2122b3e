import { type ErrorTable, problemOf } from '#core/problem/error-table.ts';

/** The error codes of this wing. Their pages, `docs/errors`, are generated from here: `npm run capstand -- schema --write`. */
export const RUNTIME_ERRORS = {
  'harnesses.conflict': {
    kind: 'conflict',
    title: 'The harness was changed in the meantime, or cannot be changed this way.',
    why: 'Preconditions and names protect what another writer has stored. Nothing was stored.',
    fix: 'Read the current state, apply your change to it, and send it with the new digest.',
    example: {
      detail: 'The memory changed since you read it. Read it, and write again with its sha256.',
      reason: 'memory_changed',
    },
    members: {
      digest: 'Digest of the newest version (`harness_changed`).',
      version: 'Number of the newest version (`harness_changed`).',
      sha256: 'Digest of the current content, or null where there is none (`memory_changed`, `context_changed`).',
    },
    reasons: {
      context_changed: {
        why: '`if_sha256` is not the digest of the current content of the block.',
        fix: 'Read the context, merge both changes, and send them with the `sha256` that you read.',
        aliases: ['harnesses.context_changed'],
      },
      context_read_only: {
        why: 'The block of the context is read-only. It was not changed or deleted.',
        fix: 'Send `read_only: false` with the change. It can be made read-only again afterwards.',
        aliases: ['harnesses.context_read_only'],
      },
      harness_changed: {
        why: '`if_digest` is not the digest of the newest version.',
        fix: 'Read the harness, apply your change to its files, and send it with the digest that you read.',
        aliases: ['harnesses.changed'],
      },
      memory_changed: {
        why:
          '`if_sha256` is not the digest of the current content at this path. With `if_sha256: null`, a memory ' +
          'already exists.',
        fix: 'Read the memory, merge both changes, and write with the `sha256` that you read.',
        aliases: ['harnesses.memory_changed'],
      },
      name_taken: {
        why:
          'You already have a harness with this name. The name is that of `HARNESS.md`, otherwise of ' +
          '`harness.yaml`.',
        fix: 'Send the files as a new version of that harness, delete it first, or change the name in the files.',
        aliases: ['harnesses.name_taken'],
      },
    },
  },
  'harnesses.gone': {
    kind: 'gone',
    title: 'The content of this version was removed permanently.',
    why: 'Its owner redacted it. Its hash, size and time are still in the history.',
    fix: 'Read or restore another version.',
    example: { detail: 'The content of this version was removed permanently.' },
    members: {
      redaction_reason: 'Why it was removed, in the words of its owner.',
    },
    aliases: ['harnesses.memory_redacted'],
  },
  'harnesses.invalid': {
    kind: 'unprocessable',
    title: 'The files or texts cannot be stored as a harness.',
    why:
      'They break the rules of the format. `errors` names each file or field, the rule, and what to do. Nothing ' +
      'was stored.',
    fix:
      'Correct what `errors` names. The tool `harness_validate` and `capstand validate DIR` run the same checks ' +
      'without storing anything.',
    example: {
      detail: '/files/harness.yaml: has the unknown key modle.',
      reason: 'files',
      errors: [{ pointer: '/files/harness.yaml', detail: 'has the unknown key modle' }],
    },
    reasons: {
      context_length: {
        why: 'The content has more characters than the block allows: 2,000 by default, at most 20,000.',
        fix: 'Shorten the content, or raise `max_characters` in the same request. Content is never cut.',
        aliases: ['harnesses.context_over_limit'],
      },
      files: {
        why:
          'A file breaks a rule: an unknown key, a missing file, or a circular include. `memory/` and `context/` ' +
          'are not part of a version.',
        fix: 'Correct the files. The guide on authoring lists all rules.',
        aliases: ['harnesses.invalid'],
      },
      import: {
        why: 'The content of `memory/` or `context/` cannot be imported, or `digest` is not the digest of the files.',
        fix:
          'A memory must be UTF-8 text, and a block of context a `context/<label>.md` with a frontmatter of ' +
          '`description`, `max_characters` and `read_only`. If you changed files on purpose, omit `digest`.',
        aliases: ['harnesses.import_unfit'],
      },
      text: {
        why: 'A text contains a NUL character or half of a surrogate pair.',
        fix: 'Remove the character. Texts are stored unchanged, so that their hash stays the same.',
        aliases: ['harnesses.text_unfit'],
      },
    },
  },
  'harnesses.not_found': {
    kind: 'not_found',
    title: 'Harness, version, memory or block not found.',
    why: 'It was deleted, never existed, or belongs to another account. All of these return the same response.',
    fix: '`GET /api/harnesses` lists your harnesses, and `GET /api/harnesses/{id}` the versions of one.',
    example: { detail: 'You have no harness with this id or name. GET /api/harnesses lists yours.', reason: 'harness' },
    reasons: {
      context: {
        why: 'The context has no block with this label.',
        fix: 'List the context, or send `content` to create the block.',
        aliases: ['harnesses.context_not_found'],
      },
      harness: {
        why: 'You have no harness with this id or name.',
        fix: '`GET /api/harnesses` lists yours.',
        aliases: ['harnesses.not_found'],
      },
      memory: {
        why: 'No memory exists at this path. Paths are case-sensitive.',
        fix: 'List the memory. `?history=true` shows the history of a deleted one, and `restore` restores a version.',
        aliases: ['harnesses.memory_not_found'],
      },
      version: {
        why: 'The version does not exist, or has no content. Versions count from 1.',
        fix: 'Read the versions: `GET /api/harnesses/{id}`, or `?history=true` of a memory.',
        aliases: ['harnesses.version_not_found'],
      },
    },
  },
  'harnesses.too_large': {
    kind: 'too_large',
    title: 'A memory is larger than 100 KiB.',
    why: 'Memories are read whole, so long ones slow down every run. Nothing was stored.',
    fix: 'Split the text into several memories, by topic.',
    example: {
      detail: '/content has 140000 bytes; a memory has at most 102400. Split it into several.',
      errors: [{ pointer: '/content', detail: 'must be at most 102400 bytes' }],
    },
    aliases: ['harnesses.memory_too_large'],
  },
  'packages.conflict': {
    kind: 'conflict',
    title: 'The stored files of the package differ from those that were installed.',
    why:
      'The files, their modes and the lock are compared with the digests made at installation. The package was ' +
      'not started.',
    fix:
      'Prepare the package again: it is installed from the registry. If the files change once more, look for ' +
      'another program that writes to `DATA_DIR/packages`, or a failing disk.',
    example: {
      detail: 'The stored files of npm/server@1.4.2 changed on disk. Prepare the package again.',
      reason: 'tree_changed',
    },
    reasons: {
      lock_changed: {
        why:
          'The skill ran before with packages whose versions and files are locked. They were installed again by that ' +
          'lock, and the files are not the same. The cause can be another version of Python or Node on this machine.',
        fix:
          'Accept the packages of the skill again, which locks the current ones: `PUT ' +
          '/api/agents/skills/{provider}/{id}/grants` with `{"install":true}`.',
      },
      tree_changed: {
        why:
          'The files, their modes and the lock are compared with the digests made at installation. The package was ' +
          'not started.',
        fix: 'Prepare the package again: it is installed from the registry.',
        aliases: ['packages.tree_changed'],
      },
    },
  },
  'packages.failed': {
    kind: 'upstream_failed',
    title: 'The package could not be installed.',
    why: 'The registry is unavailable, or the package manager reported an error. Nothing was stored.',
    fix: 'Retry later, or choose another version of the package.',
    example: {
      detail: 'The registry registry.example.com is unavailable (status 503). Retry later.',
      reason: 'registry_unavailable',
    },
    reasons: {
      install_failed: {
        why:
          "The package manager reported an error. The message ends with the package manager's own reason. Common " +
          'causes are contradicting dependencies and an incomplete release.',
        fix: 'Choose another version of the package, or report the reason to its publisher.',
        aliases: ['packages.install_failed'],
      },
      registry_unavailable: {
        why:
          'The registry did not respond, or returned something unexpected. The message has the host and the ' +
          'reason.',
        fix:
          'Retry later. Operators: check the address, the certificate authority in `CAPSTAN_PACKAGE_CA`, and ' +
          'whether this host reaches the registry.',
        aliases: ['packages.registry_unavailable'],
      },
    },
  },
  'packages.forbidden': {
    kind: 'forbidden',
    title: 'The registry of the package is not allowed, or denies access.',
    why: 'Packages come from configured registries only, with the credentials that an operator has configured.',
    fix: 'Choose another package of the listing, or ask the operator to configure the registry.',
    example: {
      detail:
        'The registry npm.example.com is not allowed. An operator can add it to CAPSTAN_PACKAGE_REGISTRY_ALIASES.',
      reason: 'registry_forbidden',
    },
    reasons: {
      access_denied: {
        why:
          'The registry denies this service access to the package. It is private, or it does not exist: registries do ' +
          'not say which.',
        fix:
          'Check the name in the listing. If the package is private, an operator names a file with the credentials of the ' +
          'registry: an `.npmrc` in `CAPSTAN_NPMRC`, a netrc file in `CAPSTAN_PYPI_NETRC`, or a Docker `config.json` in ' +
          '`CAPSTAN_OCI_AUTH`.',
        aliases: ['packages.access_denied'],
      },
      file_host_forbidden: {
        why:
          'The registry redirects a file of the package, or of a dependency, to another host. Such a host is not ' +
          'trusted because the registry says so.',
        fix:
          'If the host belongs to the registry, an operator adds it to `CAPSTAN_PACKAGE_FILE_HOSTS`. The credentials of the ' +
          'registry are never sent there. For npm it must have another name than the registry, because npm sends the token ' +
          'to every port of that name.',
      },
      registry_forbidden: {
        why:
          'The listing names a registry that is not configured. npm and PyPI packages come from `CAPSTAN_NPM_REGISTRY`, ' +
          'the registries of scopes in `CAPSTAN_NPMRC`, and `CAPSTAN_PYPI_INDEX` only, because a registry decides what is installed.',
        fix:
          'If the registry in the listing has the same packages as the configured one, an operator can add its ' +
          'address to `CAPSTAN_PACKAGE_REGISTRY_ALIASES`. The configured registry is used then.',
        aliases: ['packages.registry_forbidden'],
      },
    },
  },
  'packages.gone': {
    kind: 'gone',
    title: 'The version was removed from its registry.',
    why:
      'npm keeps the time of a removed version. On PyPI, every file of the version is yanked. The server of a bundle or an ' +
      'image answers 410.',
    fix: 'Choose another version, and read why this one was removed: it may have been malicious.',
    example: { detail: 'npm/server@1.4.2 was removed from the registry. Choose another version.' },
    aliases: ['packages.unpublished'],
  },
  'packages.input_required': {
    kind: 'unprocessable',
    title: 'A value that the package requires is missing.',
    why:
      'The manifest of an MCPB bundle declares its settings under `user_config`. Those with `required: true` and ' +
      'no default must be set before the start. `errors` names each of them.',
    fix:
      'Connect to the server: its page and `capstan connections add` ask for them. Values that are not secret can also be ' +
      'given to a single run, as `environment` of the task.',
    example: {
      detail: 'The package requires "api_key" (a secret). Connect to the server and enter this value there.',
      errors: [{ pointer: '/api_key', detail: 'Required: Key of the service' }],
    },
  },
  'packages.not_found': {
    kind: 'not_found',
    title: 'The package, or this version of it, does not exist in the registry.',
    why: 'The message names the latest version if the package exists. For a dependency, it names what was not found.',
    fix: 'Check the name and the version in the listing, and which registry is configured.',
    example: { detail: 'npm/server@9.9.9 does not exist in the registry. The latest version is 1.4.2.' },
  },
  'packages.timeout': {
    kind: 'upstream_timeout',
    title: 'The installation took longer than the limit.',
    why: 'The limit is `CAPSTAN_PACKAGE_TIMEOUT`, 120 s by default. Nothing was stored.',
    fix: 'Retry when the registry is less busy. An operator can raise the setting for very large packages.',
    example: { detail: 'Installing npm/server@1.4.2 took longer than 120 s. Retry, or raise CAPSTAN_PACKAGE_TIMEOUT.' },
    aliases: ['packages.install_timeout'],
  },
  'packages.unavailable': {
    kind: 'unavailable',
    title: 'This service is not set up to install the package.',
    why: 'A package manager or a registry is missing.',
    fix: 'The operator must install or configure what the message names.',
    example: {
      detail: 'No registry is configured for this ecosystem. An operator must set CAPSTAN_NPM_REGISTRY.',
      reason: 'registry_required',
    },
    reasons: {
      manager_unavailable: {
        why:
          'The package manager is missing or too old. npm: the folder in `CAPSTAN_NPM_CLI`, the npm beside the ' +
          "service's Node, or a pinned release downloaded once from `CAPSTAN_NPM_REGISTRY`. pip: " +
          '`CAPSTAN_PYTHON`, otherwise `/usr/bin/python3` or `/usr/local/bin/python3`, with pip 21.0 or newer.',
        fix:
          'Install it; on Debian and Ubuntu: `apt-get install python3 python3-pip`. Or set the variable that the ' +
          'message names.',
        aliases: ['packages.manager_unavailable'],
      },
      registry_required: {
        why: 'No registry is configured for this ecosystem.',
        fix:
          'An operator sets the address that the message names, such as ' +
          '`CAPSTAN_NPM_REGISTRY=https://npm.example.com` or ' +
          '`CAPSTAN_PYPI_INDEX=https://pypi.example.com/simple`.',
        aliases: ['packages.registry_required'],
      },
    },
  },
  'receipts.limit_exceeded': {
    kind: 'quota_exceeded',
    title: 'You have made as many tool calls as an account may in 24 hours.',
    why:
      'Each call creates a signed receipt, and receipts are never deleted. Operators set the number with ' +
      '`CAPSTAN_TOOL_CALLS`. The tool was not called, and this request has no receipt.',
    fix: 'Call the tool after `Retry-After` seconds.',
    example: {
      detail:
        'You have made 10000 tool calls in 24 hours, the limit. The tool was not called. Retry after ' +
        '2026-11-21T09:30:00.000Z.',
      retry_after: 1800,
    },
  },
  'receipts.not_found': {
    kind: 'not_found',
    title: 'Receipt not found.',
    why: 'A receipt exists as soon as a run or tool call ends. Rejected runs have none, because nothing ran.',
    fix: 'Use `receipt_id` of the task or the tool call. Request the task again once it has finished.',
    example: { detail: 'Receipt not found. A task names its receipt in receipt_id.' },
  },
  'receipts.unavailable': {
    kind: 'unavailable',
    title: 'The receipt is not signed yet.',
    why:
      'The tool call of this receipt has not ended, or the service was stopped during the call. In the second case, ' +
      'the receipt is signed as `interrupted` within 15 seconds.',
    fix: 'Retry after `Retry-After` seconds.',
    example: { detail: 'The tool call has not ended yet. Retry in 15 s.', retry_after: 15 },
  },
  'rigs.conflict': {
    kind: 'conflict',
    title: 'The rig cannot be stored or run in this state.',
    why:
      'Versions and locks never change, so that a receipt always names the same text. `reason` says what ' +
      'conflicts.',
    fix: 'Read the rig with `GET /api/rigs/{id}`, and follow the fix below.',
    example: { detail: 'weather 1.2.0 has no lock. Resolve it, then run it.', reason: 'not_locked' },
    members: {
      findings: 'What differs from the lock, with what was expected and found (`lock_broken`).',
    },
    reasons: {
      lock_broken: {
        why:
          'A part differs from the lock: the digest of a harness or skill, the schema of an allowed tool, or the ' +
          'model. One difference stops the run.',
        fix:
          'Review `findings`. To accept the current parts, lock them with `POST /api/rigs/{id}/resolve`. ' +
          'Otherwise restore what is missing, and run again.',
        aliases: ['rigs.lock_broken'],
      },
      name_differs: {
        why: '`metadata.name` is not the name of the rig at this address. The name of a rig never changes.',
        fix: 'Set `metadata.name` to the name of the rig, or store the text as another rig with `POST /api/rigs`.',
        aliases: ['rigs.name_differs'],
      },
      not_locked: {
        why: 'This version of the rig was never resolved, so it has no lock.',
        fix: 'Call `POST /api/rigs/{id}/resolve`, then verify or run it.',
        aliases: ['rigs.not_locked'],
      },
      version_taken: {
        why: 'This version is stored with different content, or was locked.',
        fix:
          'Raise `metadata.version`. A version that was never locked can be corrected with `PUT /api/rigs/{id}`, ' +
          'or deleted with `DELETE /api/rigs/{id}?version=…`.',
        aliases: ['rigs.version_taken'],
      },
    },
  },
  'rigs.invalid': {
    kind: 'unprocessable',
    title: 'The `rig.yaml` has errors and was not stored.',
    why:
      '`violations` has each error with line, column, rule and fix: unknown keys, missing digests, invalid ' +
      'references, circular schemas, or parameters that the prompt names and the rig does not declare.',
    fix: 'Correct what `violations` names, and send it again.',
    example: { detail: 'rig.yaml has 1 error and was not stored. Correct what violations names.' },
    members: {
      violations: 'Each error with `line`, `column`, `rule`, `detail` and `fix`.',
    },
    aliases: ['rigs.unfit'],
  },
  'rigs.not_found': {
    kind: 'not_found',
    title: 'Rig or version not found.',
    why: 'Rigs belong to one account, and versions are those of `metadata.version` in each stored `rig.yaml`.',
    fix: '`GET /api/rigs` lists your rigs, and `GET /api/rigs/{id}` the versions of one.',
    example: { detail: 'You have no rig with this id or name. GET /api/rigs lists yours.', reason: 'rig' },
    reasons: {
      rig: {
        why: 'You have no rig with this id or name.',
        fix: '`GET /api/rigs` lists yours.',
        aliases: ['rigs.not_found'],
      },
      version: {
        why: 'The rig has no such version.',
        fix: '`GET /api/rigs/{id}` lists them.',
        aliases: ['rigs.version_not_found'],
      },
    },
  },
  'rigs.part_unavailable': {
    kind: 'unprocessable',
    title: 'A part of the rig cannot be used, so the rig was not resolved.',
    why:
      'A harness, skill, server, tool or model that the rig names is missing, unavailable, or differs from its ' +
      'pinned digest. `faults` lists every such part.',
    fix:
      'Store a new version of the rig with parts that are available, or retry if a part is only temporarily ' +
      'unavailable.',
    example: { detail: 'skill/word-count: no skill has this name.', reason: 'skill_gone' },
    members: {
      faults: 'Each part with its code and detail.',
    },
    reasons: {
      connection_unknown: {
        why:
          'A connection of the rig is not yours, was deleted, or leads to another server than `ref` names. ' +
          'Connections belong to the account that runs the rig.',
        fix:
          'List yours with `GET /api/sessions/connections`, or create one, and name its id in a new version of ' +
          'the rig.',
        aliases: ['rigs.connection_unknown'],
      },
      digest_mismatch: {
        why: 'A part differs from the `digest` in `rig.yaml`. The detail has both digests.',
        fix:
          'Review the change. To accept it, store a new version with the new digest, or with `digest: ""`, which ' +
          'pins the current content when the rig is resolved.',
        aliases: ['rigs.digest_mismatch'],
      },
      harness_gone: {
        why: 'The harness was deleted, never had this version, or belongs to another account.',
        fix: 'List yours with `GET /api/harnesses`, and name one in a new version of the rig.',
        aliases: ['rigs.harness_gone'],
      },
      model_missing: {
        why: 'None of the models in `spec.model` is available, or the planner cannot do the work of the rig.',
        fix:
          'Configure the model (see the [guide](../guides/language-models.md)), name an available one, or leave ' +
          '`require` empty and run a rig of scripted skills with `builtin/planner`.',
        aliases: ['rigs.model_missing'],
      },
      server_gone: {
        why: 'The registry has no such server. Ids are case-sensitive.',
        fix: 'Search the registry for the server, and store a new version of the rig.',
        aliases: ['rigs.server_gone'],
      },
      server_unready: {
        why:
          'The server is unreachable, does not speak MCP, requires a sign-in, or is a package to install. The ' +
          'detail says which.',
        fix:
          'If it requires a sign-in, connect to it and name the connection in the rig. If it is unreachable, ' +
          'retry later.',
        aliases: ['rigs.server_unready'],
      },
      skill_gone: {
        why: 'No first-party skill has this name, or the provider removed the listing.',
        fix: 'List skills with `GET /api/skills` or search the registry, and store a new version of the rig.',
        aliases: ['rigs.skill_gone'],
      },
      skill_unready: {
        why: "The skill's files cannot be fetched, or are not a skill. The detail says which.",
        fix: 'Retry later, or use another skill.',
        aliases: ['rigs.skill_unready'],
      },
      tool_gone: {
        why: 'The server does not offer a tool that the rig allows. Names are case-sensitive.',
        fix: "Read the server's tools, and name them in `tools.allow` of a new version of the rig.",
        aliases: ['rigs.tool_gone'],
      },
      tool_unaccepted: {
        why: 'A tool of your connection differs from the one you accepted at its first use.',
        fix:
          'Review the differences with `POST /api/sessions/connections/{id}/tools/list`, accept the tool, and ' +
          'resolve the rig again.',
        aliases: ['rigs.tool_unaccepted'],
      },
    },
  },
  'runs.conflict': {
    kind: 'conflict',
    title: 'The capability has changed since you looked at it.',
    why: 'What you agreed to is another version than the current one. Nothing was changed.',
    fix: 'Read what the current version needs, and send the request again with its digest.',
    example: {
      detail: 'tides has changed since you looked at it. Its version is 1.3.0 now.',
      reason: 'version_moved',
    },
    members: {
      version: 'Current version.',
      digest: 'Digest of the current version.',
    },
    reasons: {
      version_moved: {
        why: 'A new version was published between reading what the skill needs and saving its hosts or secrets.',
        fix: 'Read the grants again, look at what they need now, and save them with the new `digest`.',
      },
    },
  },
  'runs.gone': {
    kind: 'gone',
    title: 'The capability, or this version of it, is no longer available.',
    why: 'Operators took it down, or only other versions are available.',
    fix: 'Use another version or another capability.',
    example: {
      detail: 'skill/json-diff has no version 1.0.0 any more; the current version is 1.2.0.',
      reason: 'version_gone',
    },
    members: {
      tombstone: 'Rule, time and history of the decision (`taken_down`).',
    },
    reasons: {
      taken_down: {
        why:
          'Operators of this service took the capability down. The message has the kind and the reason, and ' +
          '`tombstone` the rule, the time and the history.',
        fix: 'Use another capability. Tasks, rigs and connections that name it are refused until it is restored.',
        aliases: ['execution.taken_down'],
      },
      version_gone: {
        why: 'The requested version is no longer available. The message names the current one.',
        fix:
          'Omit `version` to use the current one, after reviewing what changed. A task keeps the version it was ' +
          'created for: create a new task.',
        aliases: ['execution.version_gone'],
      },
    },
  },
  'runs.input_invalid': {
    kind: 'unprocessable',
    title: 'The input does not match what the capability accepts.',
    why: '`errors` names each place by a JSON Pointer into the input and the constraint. Nothing was started.',
    fix:
      'Correct the input. A first-party skill shows its schema in `assets/input.schema.json`, and an example at ' +
      '`GET /api/skills/{name}`.',
    example: {
      detail: 'The input does not match the schema of json-diff.',
      reason: 'input_unfit',
      errors: [{ pointer: '/left', detail: 'is required' }],
    },
    reasons: {
      environment: {
        why:
          'A variable cannot be set: its name is invalid, the box sets it itself, or the name looks like that of a ' +
          'secret, which is never given with a run. Or a host cannot be granted.',
        fix:
          'Correct what `errors` names. Secrets of a skill are stored with `PUT ' +
          '/api/agents/skills/{provider}/{id}/grants/secrets`.',
      },
      files: {
        why:
          'An input file has an invalid path, duplicate path or invalid base64, or all files together exceed 512 ' +
          'KiB.',
        fix:
          'Use relative paths of letters, digits, `.`, `_`, `-` and `/`, of which no part begins with `.`; ' +
          '`input.json` is reserved. Encode bytes as standard base64 with padding.',
        aliases: ['tasks.files_unfit'],
      },
      input: {
        why:
          'The input cannot be stored unchanged: it is over 512 KiB, nested deeper than 200 levels, or has ' +
          'numbers or characters that JSON does not preserve, such as `1e999` or a lone surrogate.',
        fix: 'Send large content as `input_files` or as text, and numbers out of range as strings.',
        aliases: ['tasks.input_unfit'],
      },
      input_unfit: {
        why:
          "The input does not match the capability's schema. For a tool of an MCP server, the input is " +
          '`{"tool": "<name>", "arguments": {…}}`.',
        fix: 'Correct the places that `errors` names. If the tool name is unknown, the message lists the names.',
        aliases: ['execution.input_unfit'],
      },
    },
  },
  'runs.not_found': {
    kind: 'not_found',
    title: 'Capability not found.',
    why:
      'The reference is well-formed, but no skill or listing has it. Names and ids are case-sensitive. A listing ' +
      'that its provider removed returns 410 for 30 days, then this.',
    fix:
      '- `skill`: `GET /api/skills` lists the names.\n' +
      '- `listing`: use `provider/external_id`, from `provider_id` and `external_id` of `GET ' +
      '/api/marketplace/registry`.\n' +
      '- `harness`: `GET /api/harnesses` lists yours.\n' +
      '- `capability`: use the `id` of any marketplace list or search (`GET /api/marketplace/listings?search=…`), ' +
      '`publisher/name`, `skill/name`, or `provider/external_id`.\n\n' +
      'Models search with the tool `marketplace_search`.',
    example: {
      detail: 'Nothing is named "json-dif". Nearest: "skill/json-diff".',
      nearest: [{ ref: 'skill/json-diff', name: 'json-diff' }],
    },
    members: { nearest: 'Up to three names that may be meant, as `ref` and `name`, best first.' },
    aliases: ['execution.capability_unknown'],
  },
  'runs.reference_invalid': {
    kind: 'unprocessable',
    title: 'The reference does not name something that can be run.',
    why: 'Each kind has a form, and only some kinds can be run.',
    fix: 'Correct the reference. `detail` has the form.',
    example: { detail: 'A listing is named as provider/external_id.', reason: 'reference_malformed' },
    reasons: {
      kind_unsupported: {
        why: 'This kind of capability cannot be run by this service.',
        fix: 'Use one of the kinds that the message names.',
        aliases: ['execution.kind_unsupported'],
      },
      reference_ambiguous: {
        why: 'The name is ambiguous: a first-party skill, or a rig or harness of yours.',
        fix: 'Use one of the `candidates`, or send its `kind`.',
      },
      reference_malformed: {
        why:
          'The reference does not have the form of its kind. `skill`: the name, such as `json-diff`. `listing`: ' +
          '`provider/external_id`, such as `mcp-registry/io.example/weather`. `connection`: the connection id ' +
          'and the tool, separated by a slash.',
        fix: 'Write the reference in the form of its kind. The root index lists the providers.',
        aliases: ['execution.reference_malformed'],
      },
    },
  },
  'runs.unavailable': {
    kind: 'unavailable',
    title: 'This host cannot run the capability now.',
    why: 'Its queue is full, or it lacks the isolation that running the capability requires. Nothing was started.',
    fix: 'If the response has `Retry-After`, retry after that time. Otherwise the operator must change the host.',
    example: { detail: 'The sandbox queue is full. Retry in 5 s.', reason: 'sandbox_busy', retry_after: 5 },
    reasons: {
      boxes_busy: {
        why:
          'No capacity to run the package became free, or too many packages are being installed. The number of running packages is limited in ' +
          'all and for each user. Idle ones were stopped first.',
        fix:
          'Retry after `Retry-After` seconds. Operators can raise `CAPSTAN_RUNTIME_BOXES`, ' +
          '`CAPSTAN_RUNTIME_BOXES_PER_USER`, `CAPSTAN_RUNTIME_TOTAL_MB` and `CAPSTAN_RUNTIME_PREPARING`.',
        aliases: ['runtime.limit_exceeded'],
      },
      box_unavailable: {
        why:
          'Packages and native scripts cannot be run on this host. Boxes need Linux, bubblewrap and user ' +
          'namespaces; the message says what is missing.',
        fix:
          '- Install bubblewrap: `apt-get install bubblewrap`.\n' +
          '- If `user.max_user_namespaces` or `kernel.unprivileged_userns_clone` is 0, set it with `sysctl`.\n' +
          '- Where AppArmor restricts user namespaces (Ubuntu 23.10 and later), install a profile for `bwrap` ' +
          'that allows `userns`.\n' +
          '- In a container, use a seccomp profile that allows user namespaces and an unmasked `/proc`.',
        aliases: ['runtime.box_unavailable'],
      },
      egress_unavailable: {
        why:
          'The host cannot give a package or script network access. It needs bubblewrap, `nsenter` (util-linux) ' +
          'and unprivileged user namespaces; the message says what is missing.',
        fix:
          'Install bubblewrap and util-linux, and allow unprivileged user namespaces. Packages that need no ' +
          'network run without them.',
        aliases: ['runtime.egress_unavailable'],
      },
      fetch_busy: {
        why: 'Too many skills are being fetched. Two are fetched at a time, and a few dozen wait.',
        fix: 'Retry after `Retry-After` seconds. Skills that were fetched before need no fetch.',
        aliases: ['execution.fetch_busy'],
      },
      sandbox_busy: {
        why:
          'The sandbox queue is full. `CAPSTAN_SANDBOX_CONCURRENCY` scripts run at once (default: two per core, ' +
          'at most half of them of one user), and `CAPSTAN_SANDBOX_QUEUE` wait.',
        fix:
          'Retry after `Retry-After` seconds. Operators: raise either setting, or start another process on the ' +
          'same PostgreSQL database.',
        aliases: ['execution.sandbox_busy'],
      },
      sandbox_too_weak: {
        why:
          'The host cannot provide the isolation in `CAPSTAN_SANDBOX_MIN`. `wasm+process+bwrap` needs bubblewrap ' +
          'and unprivileged user namespaces, which many containers forbid.',
        fix:
          'Install bubblewrap (`apt-get install bubblewrap`) and test it with `bwrap --unshare-all --ro-bind / / ' +
          '/bin/true`, or set `CAPSTAN_SANDBOX_MIN=wasm+process`.',
        aliases: ['execution.sandbox_too_weak'],
      },
      sandbox_unsafe: {
        why:
          'The sandbox failed its self-test on this host, so no script is run. The message names the limit that ' +
          'does not hold. The usual cause is a service that runs as root with a program that other users cannot ' +
          'read.',
        fix:
          'Make Node, the program and its `node_modules` readable (`chmod -R o+rX`), or run the service as an ' +
          'ordinary user. Then restart it.',
        aliases: ['execution.sandbox_unsafe'],
      },
    },
  },
  'runs.unsupported': {
    kind: 'unprocessable',
    title: 'The capability cannot be run as it was published.',
    why: 'Its files or its input schema break a rule. Nothing was run.',
    fix: 'Only the publisher can correct it. Use another capability.',
    example: {
      detail: 'The input schema of word-count refers to another document; it is not run.',
      reason: 'schema_unusable',
    },
    reasons: {
      bundle_refused: {
        why:
          "The skill's archive breaks a rule: a path that leads out of it, a link or a device, a duplicate name, " +
          'a wrong size, too many or too large files, or no `SKILL.md`. A skill has at most 200 plain files, 1 ' +
          'MiB each and 8 MiB together; its archive at most 48 MiB.',
        fix: 'Only the publisher can correct it. Another listing may have the same skill.',
        aliases: ['execution.bundle_refused'],
      },
      not_a_script: {
        why: 'The listing is not a skill with a script, so there is nothing to give it.',
        fix: 'Servers get their values from a connection: `POST /api/sessions/connections`.',
      },
      own_skill: {
        why: 'The skill belongs to this service. It runs in its sandbox, without packages, variables or network.',
        fix: 'Run it: there is nothing to give it.',
      },
      schema_unusable: {
        why:
          'The input schema is too large or too deep, circular, slow to check, written in an unknown dialect, or ' +
          'refers to another document. JSON Schema 2020-12 and draft 07 are supported, with references inside ' +
          'the schema only.',
        fix: 'Only the publisher can correct it. Another capability may do the same.',
        aliases: ['execution.schema_unusable'],
      },
    },
  },
  'shares.not_found': {
    kind: 'not_found',
    title: 'The link to a shared run does not work.',
    why: 'The link is wrong, has expired, or was revoked by its owner. The run may also have been deleted.',
    fix: 'Ask the owner for a new link. Owners list theirs with `GET /api/agents/tasks/{id}/shares`.',
    example: { detail: 'This link does not work. It may have expired, or its owner revoked it.' },
  },
  'skills.invalid': {
    kind: 'unprocessable',
    title: 'A directory under `skills/` is not a valid skill, so the service did not start.',
    why:
      'The frontmatter of `SKILL.md` is not plain YAML or has an unknown key; `name` differs from the directory; ' +
      '`metadata` lacks `version` or `capstan-execution-class`; `capstan-entry` names a missing file; or a file ' +
      'is a symbolic link or too large.',
    fix: 'Correct the file that the message names, or move the directory away, and start again.',
    example: { detail: 'skills/json-diff/SKILL.md must have a name.' },
    aliases: ['skills.broken'],
  },
  'skills.not_found': {
    kind: 'not_found',
    title: 'Skill or file not found.',
    why: 'Names and paths must match exactly. Skills of other providers are in the registry, not here.',
    fix: '`GET /api/skills` lists the skills, and `GET /api/skills/{name}` the files of one.',
    example: { detail: 'No skill is named "json-dif". Did you mean json-diff?', reason: 'skill' },
    reasons: {
      file: {
        why:
          'The skill has no file at this path. Hidden files are not part of a skill, and directories are not ' +
          'listed.',
        fix: '`GET /api/skills/{name}` lists the files. The main file is `SKILL.md`, in capitals.',
        aliases: ['skills.file_not_found'],
      },
      skill: {
        why: 'No first-party skill has this name.',
        fix: '`GET /api/skills` lists every skill. If the name is close to one of them, the message says which.',
        aliases: ['skills.not_found'],
      },
    },
  },
  'tasks.conflict': {
    kind: 'conflict',
    title: "The task's status does not allow this.",
    why: 'A task moves from `submitted` to `working` and then ends. `task_status` is its current status.',
    fix: 'Read the task, and act on its current status. To run the same again, create a new task.',
    example: { detail: 'The task is completed; it cannot be changed. Create a new task.', reason: 'not_changeable' },
    members: {
      task_status: 'Current status of the task.',
    },
    reasons: {
      not_changeable: {
        why:
          'Title and input can be changed while the task is `submitted`, and an input can be given while it is ' +
          '`input_required`. A finished task cannot be cancelled.',
        fix: 'Create a new task to run the same again.',
        aliases: ['tasks.not_changeable'],
      },
      person_required: {
        why:
          'The task asks its owner to install packages, or a server asks its owner something. A model does not answer ' +
          'that alone, and the MCP client cannot ask the person.',
        fix: 'Open the page of the task and answer there, or use an MCP client that supports elicitation.',
      },
      not_deletable: {
        why: 'The task is running. Every run that starts ends with a receipt, which belongs to its task.',
        fix:
          'Cancel it with `PUT /api/agents/tasks/{id}` and `{"status": "cancelled"}`, and delete it when it has ' +
          'ended.',
        aliases: ['tasks.not_deletable'],
      },
      capability_changed: {
        why: 'The version has the same name and other content, such as a server whose tools changed. Nothing was run.',
        fix: 'Create a new task for the capability as it is now.',
      },
      not_comparable: {
        why: 'Only two runs of the same capability can be compared.',
        fix: '`GET /api/agents/tasks?same_as={id}` lists the runs of the same capability.',
      },
      not_shareable: {
        why: 'Only runs that have ended can be shared, because what others see must not change.',
        fix: 'Share it when it has ended.',
      },
      too_many_shares: {
        why: 'A run has at most 20 links.',
        fix: 'Revoke one with `DELETE /api/agents/tasks/{id}/shares/{share_id}`.',
      },
      not_startable: {
        why:
          'Only a task that is `submitted`, `input_required` or `auth_required` can be started. An earlier ' +
          'request may have started it.',
        fix: 'Read the task. Send an `Idempotency-Key` to receive the response of the first request.',
        aliases: ['tasks.not_startable'],
      },
    },
  },
  'tasks.limit_exceeded': {
    kind: 'quota_exceeded',
    title: 'You have started as many tasks as an account may in 24 hours.',
    why:
      'Each run creates a signed receipt, and receipts are never deleted. Operators set the number with ' +
      '`CAPSTAN_TASK_STARTS`. The task is still `submitted`.',
    fix: 'Start it after `Retry-After` seconds.',
    example: {
      detail: 'You have started 500 tasks in the last 24 hours. The task was not started; start it later.',
      retry_after: 1800,
    },
  },
  'tasks.not_found': {
    kind: 'not_found',
    title: 'Task not found.',
    why: "The id is wrong, or the task was deleted. Other users' tasks return the same response.",
    fix: '`GET /api/agents/tasks` lists your tasks.',
    example: { detail: 'Task not found. GET /api/agents/tasks lists yours.' },
  },
  'tasks.queue_limit_exceeded': {
    kind: 'rate_limited',
    title: 'You have as many running and queued tasks as one user may.',
    why: 'Operators set the number with `CAPSTAN_TASK_QUEUE`. The task is still `submitted`.',
    fix: 'Start it after `Retry-After` seconds, when some of the others have ended.',
    example: {
      detail: 'You have 100 running or queued tasks, the limit. Start this one when some have ended.',
      retry_after: 5,
    },
    aliases: ['tasks.queue_full'],
  },
  'trials.account_required': {
    kind: 'forbidden',
    title: 'This requires an account.',
    why:
      'Without an account, only scripted skills of this service run, and read-only tools of servers that need no credential. ' +
      'Nothing was started. Only `tools_changed` counts as a run.',
    fix:
      'Sign in, and send the same with `POST /api/agents/tasks`. Accounts are free, and run every capability, more often and ' +
      'with larger inputs.',
    example: {
      detail: 'The server does not say that its tool add_note only reads. Sign in to run it.',
      reason: 'not_read_only',
    },
    reasons: {
      capability: {
        why: 'A kind of capability that requires an account: prompts, skills of others, packages, rigs, and published listings.',
        fix: 'Sign in, or choose a skill of `GET /api/skills` with `execution_class` `scripted`.',
      },
      credentials: {
        why: 'The server requires authorization or values that its user has to provide.',
        fix: 'Sign in, and connect to the server.',
      },
      disabled: {
        why: 'The operator set `CAPSTAN_TRIALS_PER_ADDRESS` or `CAPSTAN_TRIALS_PER_DAY` to 0.',
        fix: 'Sign in.',
      },
      flagged: {
        why: 'The checks found something harmful in the definitions of the tools of the server.',
        fix: 'Choose another server.',
      },
      not_probed: {
        why: 'The last probe of the server did not succeed, or there was none.',
        fix: 'Ask for a probe with `POST /api/marketplace/registry/probe`, and try again. Or sign in.',
      },
      not_read_only: {
        why: 'At the last probe, the server did not declare the tool with `readOnlyHint: true`, so it may change something.',
        fix: 'Choose one of the tools that `detail` names, or sign in.',
      },
      tools_changed: {
        why: 'The server lists other tools now than at the last probe, so what it declares about them has not been checked.',
        fix: 'Ask for a probe with `POST /api/marketplace/registry/probe`, and try again. Or sign in.',
      },
    },
  },
  'trials.limit_exceeded': {
    kind: 'rate_limited',
    title: 'No more runs without an account can be started now.',
    why:
      'Runs without an account are limited per network address, per network and in total in a UTC day. Operators set the ' +
      'numbers with `CAPSTAN_TRIALS_PER_ADDRESS` and `CAPSTAN_TRIALS_PER_DAY`.',
    fix: 'Retry after `Retry-After` seconds, or sign in.',
    example: {
      detail: 'Your address has started 5 runs today, the maximum. Try again after 00:00 UTC, or sign in.',
      reason: 'address',
      retry_after: 3600,
    },
    reasons: {
      address: {
        why: 'Your IPv4 address, or the first 64 bits of your IPv6 address, has used its runs of the day.',
        fix: 'Try again after 00:00 UTC, or sign in.',
      },
      network: {
        why:
          'The network of your address (24 or 16 bits of IPv4, 48 or 32 of IPv6) has used its share of the day’s runs: a tenth of the ' +
          'total for the smaller network, a quarter for the larger one.',
        fix: 'Try again after 00:00 UTC, or sign in.',
      },
      queue: {
        why: 'Too many runs without an account are queued.',
        fix: 'Retry after `Retry-After` seconds, or sign in.',
      },
      storage: {
        why: 'Runs without an account share the storage of one free account, and it is full.',
        fix: 'Try again when older runs have expired (`CAPSTAN_TRIAL_RETENTION`), or sign in.',
      },
      total: {
        why: 'All of the day’s runs without an account have been used.',
        fix: 'Try again after 00:00 UTC, or sign in.',
      },
    },
  },
  'trials.not_found': {
    kind: 'not_found',
    title: 'Run not found.',
    why: 'The token is wrong, or the run expired and was deleted. Tokens of shared runs of accounts cancel nothing.',
    fix: 'Use the `token` that `POST /api/trials` returned.',
    example: { detail: 'No run without an account has this token. It may have expired and been deleted.' },
  },
} as const satisfies ErrorTable;

/** `throw runtimeProblem('harnesses.conflict', …)`: a failure with one of these codes. */
export const runtimeProblem = problemOf(RUNTIME_ERRORS);
