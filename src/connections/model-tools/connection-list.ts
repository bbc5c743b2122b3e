import type { TSchema } from 'typebox';
import type { Connection } from '#connections/connections/connection.ts';
import { listConnections } from '#connections/connections/connections.ts';
import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import { signInLink } from '#connections/connections/sign-in-link.ts';
import { defined } from '#core/defined.ts';
import { Type } from '#core/json-schema/type.ts';
import { ownerOf } from '#core/tools/owner.ts';
import { tool } from '#core/tools/tool.ts';
import { DATA_NOTE, plain, quoted } from '#core/tools/words.ts';

const text = Type.String();
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const connectionList = ({ db, base_url }: Pick<ConnectionsDeps, 'db' | 'base_url'>) =>
  tool({
    name: 'connection_list',
    title: 'List your connections',
    description:
      'Lists your connections to MCP servers with their state. List the tools of a `ready` one with connection_tools. ' +
      'Create new ones and store secrets with POST /api/sessions/connections.',
    scope: 'read',
    input: Type.Object(
      {
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 20, description: 'Page size.' })),
        offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0, description: 'Offset.' })),
      },
      { additionalProperties: false },
    ),
    output: Type.Object({
      items: Type.Array(
        Type.Object({
          id: text,
          name: text,
          url: text,
          status: text,
          last_error: orNull(text),
          account: Type.Optional(Type.String({ description: 'The account that is signed in, if its issuer says.' })),
          sign_in_url: Type.Optional(
            Type.String({ description: 'If it must be authorized: a page for its owner, in any browser.' }),
          ),
        }),
      ),
      total_count: Type.Integer(),
    }),
    annotations: { read_only: true, destructive: false, idempotent: true, open_world: false },
    example: { limit: 5 },
    run: async ({ limit = 20, offset = 0 }, call) => {
      const { items: found, total_count } = await listConnections(db, ownerOf(call), { limit, offset });
      const items = found.map((connection) => ({
        ...shown(connection),
        ...defined({
          account: connection.auth.type === 'oauth' ? connection.auth.account : undefined,
          sign_in_url: connection.status === 'auth_required' ? signInLink(base_url, connection.id) : undefined,
        }),
      }));
      const lines = items.map(
        ({ id, name, url, status, last_error, sign_in_url, account }) =>
          `- ${id} ${quoted(name, 100)} ${status}: ${quoted(url, 200)}${account === undefined ? '' : ` as ${quoted(account, 100)}`}${last_error === null ? '' : ` (${quoted(last_error, 200)})`}${sign_in_url === undefined ? '' : `\n  Your user signs in at ${sign_in_url}`}`,
      );
      const end = offset + items.length;
      const more = end < total_count ? [`More: "offset": ${end}.`] : [];
      return {
        structured: { items, total_count },
        text: [`${total_count} connections. ${DATA_NOTE}`, ...lines, ...more].join('\n'),
      };
    },
  });

const shown = ({ id, name, url, status, last_error, provider_id, external_id }: Connection) => ({
  id,
  name: plain(name, 100),
  url: plain(url, 500),
  status,
  last_error: last_error === null ? null : plain(`${last_error.code}: ${last_error.detail}`, 300),
  listing: provider_id === null || external_id === null ? null : { provider: provider_id, external_id },
});
