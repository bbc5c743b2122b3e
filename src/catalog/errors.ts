import { type ErrorTable, problemOf } from '#core/problem/error-table.ts';

/** The error codes of this wing. Their pages, `docs/errors`, are generated from here: `npm run capstand -- schema --write`. */
export const CATALOG_ERRORS = {
  'registry.file_not_found': {
    kind: 'not_found',
    title: 'File of the listing not available.',
    why: 'The listing has no file with this path, or the file cannot be shown.',
    fix: 'Get the listing: `files` has the paths and sizes. Paths are case-sensitive.',
    example: {
      detail: 'The listing has no file with this path. `files` of the listing has the paths.',
      reason: 'path',
    },
    reasons: {
      path: {
        why: 'The list of files of this listing does not have the path, or its files were not fetched yet.',
        fix: 'Get the listing, and use a path from `files`.',
      },
      not_text: {
        why: 'The file is not UTF-8 text. Only text is stored and shown.',
        fix: 'Download the skill from its provider.',
      },
      too_large: {
        why: 'The file has more than 262,144 bytes, or the files of the skill are too many to store.',
        fix: 'Download the skill from its provider.',
      },
      not_fetched: {
        why: 'This service does not fetch files of this provider: the provider is not enabled, or has no single files.',
        fix: 'Download the skill from its provider.',
      },
    },
  },
  'registry.gone': {
    kind: 'gone',
    title: 'The listing, or the changes, are no longer available.',
    why: 'The provider removed the listing, operators took it down, or the changes are older than 30 days.',
    fix: 'Use another listing, or fetch a full export.',
    example: { detail: 'The listing was removed by its provider on 2026-02-11T08:00:00Z.', reason: 'listing_removed' },
    members: {
      tombstone:
        'What is left of the listing: `provider_id`, `external_id`, `removed_at`, `seq`, and `taken_down` where ' +
        'operators removed it.',
    },
    reasons: {
      changes_expired: {
        why:
          'Changes since this sequence number are no longer available. Tombstones are kept for 30 days and this ' +
          'number is older, or it comes from another database.',
        fix: 'Fetch a full export without `since`, and continue from its `X-Capstan-Seq`.',
        aliases: ['registry.delta_expired'],
      },
      listing_removed: {
        why:
          'The listing was removed by its provider. The provider deleted it, or it was missing in two ' +
          'consecutive full syncs. Its `tombstone` (`provider_id`, `external_id`, `removed_at`, `seq`) is ' +
          'returned for 30 days, then 404.',
        fix: 'Stop using it. If the provider lists it again, it reappears here.',
        aliases: ['registry.listing_removed'],
      },
      listing_taken_down: {
        why:
          'The operators of this service took this listing down. `tombstone.taken_down` has the kind, rule, ' +
          'reason and time. The listing is excluded from lists, searches and runs. A sync does not restore it.',
        fix:
          'Use another listing. `tombstone.taken_down.history` shows the decision. Its publisher or claim owner ' +
          'can appeal: see the moderation guide.',
        aliases: ['registry.listing_taken_down'],
      },
    },
  },
  'registry.not_found': {
    kind: 'not_found',
    title: 'Listing not found at this provider.',
    why:
      'The id or name is wrong (both are case-sensitive), or the listing was removed more than 30 days ago. The ' +
      'MCP registry API has only the newest version of each server.',
    fix:
      'Search with `GET /api/marketplace/registry?search=…` or `GET /v0.1/servers?search=…`. Encode a literal ' +
      '`%` in an id as `%25`, and the slash of a server name as `%2F`.',
    members: { nearest: 'Up to three names that may be meant, as `ref` and `name`, best first.' },
    example: { detail: 'glama has no listing with this id. Ids are case-sensitive; search for the listing.' },
    aliases: ['interop.server_not_found', 'registry.listing_not_found'],
  },
  'registry.probe_unavailable': {
    kind: 'conflict',
    title: 'The server of the listing cannot be probed on request.',
    why: 'Only servers at an address can be probed, where the operator of this service enabled probes.',
    fix: 'Connect to the server, which asks it with your values, or read `runnable` of the listing.',
    example: {
      detail: 'Servers are not probed: probes are switched off on this service.',
      reason: 'off',
    },
    reasons: {
      excluded: {
        why: 'The operator of this service excludes the host of the server from probes (`CAPSTAN_PROBE_SKIP`).',
        fix: 'Connect to the server yourself.',
      },
      no_server: {
        why:
          'The listing is not a server, its server is started from a package, or its address needs values that only ' +
          'its users have.',
        fix: 'Create a connection to it, and provide the values it needs.',
      },
      off: {
        why: 'Probes are disabled on this service, which is the default.',
        fix: 'Operators enable them with `CAPSTAN_PROBE=on`. Users can create a connection to the server instead.',
      },
    },
  },
  'registry.provider_failed': {
    kind: 'upstream_failed',
    title: 'The sync with the provider failed.',
    why:
      'The provider is unavailable, refuses this service, or returned something else than its documented format. ' +
      'Saved listings are kept.',
    fix: 'No action is needed for outages: the next sync retries. `capstand sync` shows the state of each provider.',
    example: {
      detail: 'Glama returned status 503. Saved listings are kept; the next sync retries.',
      reason: 'unavailable',
    },
    reasons: {
      disabled: {
        why:
          'The provider is not enabled. `CAPSTAN_PROVIDERS` is `off` or does not include it. Listings synced ' +
          'earlier are kept.',
        fix: 'Add it to `CAPSTAN_PROVIDERS`, or unset that variable, and restart.',
        aliases: ['registry.provider_off'],
      },
      forbidden: {
        why:
          'The provider denied access to this service. It returned 401 or 403. The key is missing, wrong or ' +
          'expired, or the provider blocks this IP address.',
        fix: 'Set or renew `CAPSTAN_PROVIDER_<ID>_KEY` and restart. Saved listings are kept.',
        aliases: ['registry.provider_refused'],
      },
      format: {
        why:
          "The provider's response does not have the documented format. It is not JSON (or YAML), is an HTML " +
          'page, or has no list of records. The provider changed its API, shows a login or maintenance page, or ' +
          'a proxy responded instead. A single invalid record does not cause this error; it is rejected with a ' +
          'reason and the sync continues.',
        fix:
          "No data is lost, and the next sync retries. If it persists, open the provider's URL, check " +
          '`CAPSTAN_PROVIDER_<ID>_URL` if set, and look for a newer version of this program.',
        aliases: ['registry.provider_shape'],
      },
      key_required: {
        why: 'The provider is disabled because its API key is missing. The API of this provider requires a key.',
        fix: 'Get a key from the provider, set the variable named in the message, and restart.',
        aliases: ['registry.provider_key_missing'],
      },
      loop: {
        why:
          "The provider's pagination does not end. It returned the same cursor twice, or many pages without new " +
          'listings.',
        fix: 'No listings are removed, and saved ones are kept. The next sync starts from the first page.',
        aliases: ['registry.provider_loops'],
      },
      paused: {
        why:
          'Requests to the provider are paused for 30 seconds after repeated failures. A circuit breaker ' +
          'prevents further requests to a failing provider.',
        fix: 'No action needed. Requests resume automatically.',
        aliases: ['registry.provider_paused'],
      },
      rate_limited: {
        why:
          "The provider's rate limit was exceeded. It kept returning 429, or requested a wait that is longer " +
          'than a sync may take.',
        fix: 'No action needed. The next sync starts after that time. If it persists, raise `CAPSTAN_SYNC_INTERVAL`.',
        aliases: ['registry.provider_rate_limited'],
      },
      shrunk: {
        why:
          'The provider returned less than half as many listings as before. The sync is `partial` and removed ' +
          'nothing. This often indicates an outage that returns 200. The count is compared with the last ' +
          'successful full sync, or with an import before the first one.',
        fix:
          'Wait for the next sync. If the provider really has fewer listings, accept them once with `capstand ' +
          'sync <provider> --accept-fewer`.',
        aliases: ['registry.provider_shrunk'],
      },
      unavailable: {
        why:
          'The provider did not return a catalog page. It has an outage (5xx), or its API URL changed (404). The ' +
          'request was retried.',
        fix:
          'No data is lost. The next sync resumes where this one stopped. If it persists, check ' +
          '`CAPSTAN_PROVIDER_<ID>_URL`.',
        aliases: ['registry.provider_failed'],
      },
    },
  },
} as const satisfies ErrorTable;

/** `throw catalogProblem('registry.gone', …)`: a failure with one of these codes. */
export const catalogProblem = problemOf(CATALOG_ERRORS);
