import { jsonAnswer, jsonContent, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { DETAIL_EXAMPLE, LINES_EXAMPLE } from './examples.ts';
import { ItemDetail } from './item-detail.ts';
import { PROVIDERS } from './kinds.ts';

/** The part of the registry's contract that is about single listings and about all of them at once. */

const Params = Type.Object({
  provider: Type.Enum([...PROVIDERS], { description: 'The provider.' }),
  id: Type.String({
    minLength: 1,
    maxLength: 2_048,
    description: '`external_id`: opaque and case-sensitive. `/` may be sent plain or as `%2F`, a literal `%` as `%25`.',
  }),
});
const MARKDOWN_EXAMPLE = '# weather\n\nForecasts and warnings for any place on earth.\n';
const EXAMPLES = { provider: 'mcp-registry', id: 'example.weather/forecast' };

export const itemContract = {
  get: operation({
    id: 'catalog.items.get',
    method: 'GET',
    path: '/api/marketplace/registry/{provider}/{id}',
    wildcard: 'id',
    summary: 'Get a listing',
    description:
      'A listing with all that is known of it; as Markdown with `Accept: text/markdown`. A former id redirects to the one ' +
      'that stands. A listing that is gone at its provider answers 410 with its tombstone for 30 days, then 404.',
    access: 'public',
    params: Params,
    examples: EXAMPLES,
    answers: {
      200: {
        description: 'The listing.',
        content: {
          ...jsonContent(ItemDetail, DETAIL_EXAMPLE),
          'text/markdown': {
            schema: Type.String(),
            example: MARKDOWN_EXAMPLE,
          },
        },
      },
      308: jsonAnswer(
        'The listing has another id now; `Location` has its path.',
        Type.Object({ location: Type.String() }),
        { location: '/api/marketplace/registry/smithery/example/weather' },
      ),
    },
    problems: ['registry.listing_not_found', 'registry.listing_removed', 'registry.listing_taken_down'],
  }),
  getMd: operation({
    id: 'catalog.items.getMd',
    method: 'GET',
    path: '/api/marketplace/registry/{provider}/{id}/md',
    wildcard: 'id',
    mounted_by: 'catalog.items.get',
    summary: 'Get a listing as Markdown',
    description:
      'The listing for language models: the text of strangers in it is escaped and hidden characters are shown. ' +
      'A listing whose own id ends in `/md` stands at exactly its path; its Markdown is at `…/md/md`.',
    access: 'public',
    params: Params,
    examples: EXAMPLES,
    answers: {
      200: {
        description: 'The listing.',
        content: {
          'text/markdown': {
            schema: Type.String(),
            example: MARKDOWN_EXAMPLE,
          },
        },
      },
    },
    problems: ['registry.listing_not_found', 'registry.listing_removed', 'registry.listing_taken_down'],
  }),
  export: operation({
    id: 'catalog.items.export',
    method: 'GET',
    path: '/api/marketplace/registry/export',
    at_once: { per_network: 4, in_all: 32 },
    summary: 'Export the registry',
    description:
      'Every listing, one JSON object a line: the item, and `license`, `repository`, `install`, `manifest` where there are ' +
      'any. `X-Capstan-Seq` is the number to send as `since` next time: then only what changed comes, and for each listing ' +
      'that is gone its tombstone `{provider_id,external_id,removed_at,seq}`, with `taken_down` and the kind of reason ' +
      'where operators of this service took it down.',
    access: 'public',
    query: Type.Object({
      since: Type.Optional(
        Type.Integer({ minimum: 0, description: 'Only changes after this sequence number, tombstones included.' }),
      ),
    }),
    examples: { since: 0 },
    answers: {
      200: {
        description: 'The lines.',
        content: { 'application/x-ndjson': { schema: Type.String(), example: LINES_EXAMPLE } },
      },
    },
    problems: ['registry.delta_expired'],
  }),
};
