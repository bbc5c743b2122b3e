import { Type } from '#core/json-schema/type.ts';
import { tool } from '#core/tools/tool.ts';
import { Next, nextText } from '#core/tools/words.ts';
import { publishingBy } from '#marketplace/publishing/publishing-by.ts';
import { withdrawnAnswer } from '#marketplace/publishing/withdrawn-answer.ts';
import type { MarketplaceDeps } from '../deps.ts';
import { LISTING_ID } from '../examples.ts';

const text = Type.String();

export const unpublish = (deps: MarketplaceDeps) =>
  tool({
    name: 'unpublish',
    title: 'Unpublish a listing',
    description:
      'Remove your listing from lists, searches and runs, and delete its files. This cannot be undone: its ' +
      'versions cannot be reused. To keep it for users who pinned it, yank or deprecate it instead ' +
      '(POST /api/marketplace/listings/{id}/yank).',
    scope: 'write',
    input: Type.Object(
      {
        id: Type.String({ minLength: 1, maxLength: 100, description: 'Listing id from publish.' }),
        reason: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', description: 'Public.' }),
      },
      { additionalProperties: false },
    ),
    output: Type.Object({ id: text, name: text, status: text, changed: Type.Array(text), next: Next }),
    annotations: { read_only: false, destructive: true, idempotent: false, open_world: false },
    example: { id: LISTING_ID, reason: 'A key was left in a file.' },
    run: async ({ id, reason }, call) => {
      const { name, status, changed } = await withdrawnAnswer(deps, publishingBy(call), {
        id,
        change: 'unpublish',
        reason,
      });
      const next = { tool: 'publish', arguments: { name } };
      return {
        structured: { id, name, status, changed, next },
        text: `${name} is ${status}: ${changed.join(', ')}. Publish a higher version to restore it: ${nextText(next)}`,
      };
    },
  });
