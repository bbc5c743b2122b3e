import { jsonAnswer, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { SERVER_EXAMPLE } from '#surfaces/interop/examples.ts';
import { MOST_SEARCH } from './cursor.ts';
import { ServerList, ServerResponse } from './shapes.ts';

/** The MCP registry API, version 0.1, over the servers of all providers. The standard defines these formats. */

const Name = Type.String({
  minLength: 1,
  maxLength: 400,
  description: 'Server name from the list, with its slash encoded as `%2F`.',
});
const RemovedToo = Type.Optional(
  Type.Boolean({
    description:
      'Includes deleted servers for 30 days, with status `deleted`. Servers taken down here show only ' +
      'name and kind of reason, in `taken_down`.',
  }),
);
const SHARED = {
  method: 'GET',
  access: 'public',
  open_query: true,
  error_form: 'registry',
  any_origin: true,
} as const;
const EXAMPLES = { name: 'example.weather/forecast', version: 'latest' };

export const serversContract = {
  list: operation({
    ...SHARED,
    id: 'surfaces.servers.list',
    path: '/v0.1/servers',
    // Older clients ask for v0, which has the same format. URLs are often assembled by hand, with an additional slash.
    also: ['/v0/servers', '/v0/servers/', '/v0.1/servers/', '//v0.1/servers', '//v0.1/servers/'],
    summary: 'List servers in the MCP registry format',
    description:
      'For MCP registry clients: the servers of all providers in their latest version. Ordered by provider and ' +
      'id; with `updated_since` by change, including deleted servers; with `search` the best match ' +
      'first. A page may be shorter than `limit`: only a missing `nextCursor` marks the last page. Cursors remain ' +
      'valid when listings change. Unknown parameters are ignored.',
    query: Type.Object({
      cursor: Type.Optional(Type.String({ description: '`metadata.nextCursor` of the previous page, unchanged.' })),
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 30, description: 'Servers per page.' }),
      search: Type.Optional(
        Type.String({
          maxLength: MOST_SEARCH,
          description:
            'Words, in any form and order, or a full server name. Servers listed more than once are found once.',
        }),
      ),
      updated_since: Type.Optional(
        Type.String({ maxLength: 40, description: 'RFC 3339. Only servers changed at or after this time.' }),
      ),
      version: Type.Optional(Type.String({ maxLength: 255, description: '`latest`, or an exact version.' })),
      include_deleted: RemovedToo,
    }),
    examples: { limit: 2, search: 'weather' },
    answers: {
      200: jsonAnswer('One page.', ServerList, { servers: [SERVER_EXAMPLE], metadata: { count: 1 } }),
    },
    problems: ['http.invalid', 'http.unavailable'],
  }),
  listVersions: operation({
    ...SHARED,
    id: 'surfaces.servers.listVersions',
    path: '/v0.1/servers/{name}/versions',
    also: ['/v0/servers/{name}/versions', '/v0.1/servers/{name}/versions/', '//v0.1/servers/{name}/versions'],
    summary: 'List the versions of a server',
    description:
      'Newest first, at most 50: the latest, and earlier ones with their dates. Those of the MCP Registry have packages and ' +
      'remotes too, once they were fetched; of others, earlier versions are those that syncs here have seen.',
    params: Type.Object({ name: Name }),
    query: Type.Object({ include_deleted: RemovedToo }),
    examples: EXAMPLES,
    answers: {
      200: jsonAnswer('The versions.', ServerList, { servers: [SERVER_EXAMPLE], metadata: { count: 1 } }),
    },
    problems: ['registry.not_found'],
  }),
  getVersion: operation({
    ...SHARED,
    id: 'surfaces.servers.getVersion',
    path: '/v0.1/servers/{name}/versions/{version}',
    also: [
      '/v0/servers/{name}/versions/{version}',
      '/v0.1/servers/{name}/versions/{version}/',
      '//v0.1/servers/{name}/versions/{version}',
    ],
    summary: 'Get a version of a server',
    description: 'Packages and remotes of the server, in the MCP registry format.',
    params: Type.Object({
      name: Name,
      version: Type.String({ minLength: 1, maxLength: 600, description: '`latest`, or a version of the list.' }),
    }),
    query: Type.Object({ include_deleted: RemovedToo }),
    examples: EXAMPLES,
    answers: {
      200: jsonAnswer('The server.', ServerResponse, SERVER_EXAMPLE),
    },
    problems: ['registry.not_found'],
  }),
} as const;
