import { operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { SERVER_EXAMPLE } from '#surfaces/interop/examples.ts';
import { ServerList, ServerResponse } from './shapes.ts';

/** The MCP registry's API, version 0.1, over the servers of all providers. The standard owns these shapes. */

const Name = Type.String({
  minLength: 1,
  maxLength: 400,
  description: 'Name of the server as the list has it, with its slash as `%2F`.',
});
const RemovedToo = Type.Optional(
  Type.Boolean({
    description:
      'Servers that are gone, too; their status is `deleted`. Known for 30 days. Of what was taken down here no more than ' +
      'its name and, as `taken_down`, the kind of reason.',
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
    // Addresses of registries are put together by hand, and have a slash too many.
    also: ['/v0.1/servers/', '//v0.1/servers', '//v0.1/servers/'],
    summary: 'List servers in the form of the MCP registry',
    description:
      'For clients that take an MCP registry: the servers of every provider, each in its newest version. By provider and ' +
      'id; with `updated_since` in the order of their changes, removed ones included; with `search` most downloaded ' +
      'first. A page may be shorter than `limit`: only a missing `nextCursor` says that it is the last. A cursor stays ' +
      'good whatever changes meanwhile. Unknown parameters are ignored.',
    query: Type.Object({
      cursor: Type.Optional(Type.String({ description: '`metadata.nextCursor` of the page before, unchanged.' })),
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 30, description: 'Servers a page.' }),
      search: Type.Optional(
        Type.String({
          maxLength: 400,
          description: 'Words of name, description or author, or the whole name of a server.',
        }),
      ),
      updated_since: Type.Optional(
        Type.String({ maxLength: 40, description: 'RFC 3339. Servers that changed here at that time or later.' }),
      ),
      version: Type.Optional(Type.String({ maxLength: 255, description: '`latest`, or an exact version.' })),
      include_deleted: RemovedToo,
    }),
    examples: { limit: 2, search: 'weather' },
    answers: {
      200: {
        description: 'One page.',
        content: {
          'application/json': {
            schema: ServerList,
            example: { servers: [SERVER_EXAMPLE], metadata: { count: 1 } },
          },
        },
      },
    },
    problems: ['interop.invalid_cursor', 'registry.warming_up'],
  }),
  listVersions: operation({
    ...SHARED,
    id: 'surfaces.servers.listVersions',
    path: '/v0.1/servers/{name}/versions',
    also: ['/v0.1/servers/{name}/versions/', '//v0.1/servers/{name}/versions'],
    summary: 'List the versions of a server',
    description: 'A list of one: of each server its newest version is known.',
    params: Type.Object({ name: Name }),
    query: Type.Object({ include_deleted: RemovedToo }),
    examples: EXAMPLES,
    answers: {
      200: {
        description: 'The version.',
        content: {
          'application/json': {
            schema: ServerList,
            example: { servers: [SERVER_EXAMPLE], metadata: { count: 1 } },
          },
        },
      },
    },
    problems: ['interop.server_not_found'],
  }),
  getVersion: operation({
    ...SHARED,
    id: 'surfaces.servers.getVersion',
    path: '/v0.1/servers/{name}/versions/{version}',
    also: ['/v0.1/servers/{name}/versions/{version}/', '//v0.1/servers/{name}/versions/{version}'],
    summary: 'Get a version of a server',
    description: 'How the server is installed or reached, in the form of the MCP registry.',
    params: Type.Object({
      name: Name,
      version: Type.String({ minLength: 1, maxLength: 600, description: '`latest`, or the version that is known.' }),
    }),
    query: Type.Object({ include_deleted: RemovedToo }),
    examples: EXAMPLES,
    answers: {
      200: {
        description: 'The server.',
        content: { 'application/json': { schema: ServerResponse, example: SERVER_EXAMPLE } },
      },
    },
    problems: ['interop.server_not_found'],
  }),
} as const;
