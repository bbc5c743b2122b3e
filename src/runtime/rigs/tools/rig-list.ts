import { Type } from '#core/json-schema/type.ts';
import { ownerOf } from '#core/tools/owner.ts';
import { tool } from '#core/tools/tool.ts';
import { plain, quoted } from '#core/tools/words.ts';
import type { RigsDeps } from '../deps.ts';
import { listRigs } from '../rigs.ts';

const text = Type.String();

export const rigList = ({ db }: Pick<RigsDeps, 'db'>) =>
  tool({
    name: 'rig_list',
    title: 'List your rigs',
    description: 'Lists your rigs, most recently changed first. rig_get shows one, rig_run runs it.',
    scope: 'read',
    input: Type.Object(
      {
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 20, description: 'How many.' })),
        offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000, default: 0, description: 'From which on.' })),
      },
      { additionalProperties: false },
    ),
    output: Type.Object({
      total_count: Type.Integer(),
      items: Type.Array(
        Type.Object({ id: text, name: text, version: text, description: text, locked: Type.Boolean() }),
      ),
    }),
    annotations: { read_only: true, destructive: false, idempotent: true, open_world: false },
    example: {},
    run: async ({ limit = 20, offset = 0 }, call) => {
      const { items: found, total_count } = await listRigs(db, ownerOf(call), { limit, offset });
      const items = found.map(({ id, name, version, description, lock_digest }) => ({
        id,
        name,
        version,
        description: plain(description, 160),
        locked: lock_digest !== null,
      }));
      const lines = items.map(
        (item) =>
          `- ${item.name} ${item.version} (${item.locked ? 'locked' : 'not locked'}): ${quoted(item.description, 160)}`,
      );
      return { structured: { total_count, items }, text: [`${total_count} rigs.`, ...lines].join('\n') };
    },
  });
