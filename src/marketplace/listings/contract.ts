import { EXECUTION_CLASSES, LISTING_TYPES, PROVIDERS } from '#catalog/items/kinds.ts';
import { SOURCES } from '#catalog/items/own-listings.ts';
import { SEARCH_SORTS } from '#catalog/search/query/list-query.ts';
import { jsonAnswer, jsonContent, operation } from '#core/http/operation.ts';
import { pageOf, pageQuery } from '#core/http/page.ts';
import { Type } from '#core/json-schema/type.ts';
import { searchContract } from './contract-search.ts';
import { DETAIL_EXAMPLE, LISTING_EXAMPLE, LISTING_ID, VERSION_EXAMPLE } from './examples.ts';
import { CAPABILITY_EXAMPLE, CAPABILITY_ID } from './examples-capability.ts';
import { Listing, ListingDetail, VersionDetail } from './shapes.ts';

/** Operations that read listings. */

export const Id = Type.String({ minLength: 1, maxLength: 100, description: 'Listing id.' });
const Version = Type.String({ minLength: 1, maxLength: 64, description: 'Exact version as published.' });
const GETTING = ['marketplace.not_found', 'marketplace.gone'];
const GETTING_FILE = [
  'marketplace.not_found',
  'marketplace.gone',
  'marketplace.version_conflict',
  'marketplace.files_invalid',
];
const IdOrName = Type.String({
  minLength: 1,
  maxLength: 1_000,
  description: 'Listing id. `publisher/name` and `provider/external_id` redirect to it.',
});
const EXAMPLES = { id: LISTING_ID, version: '1.0.0' };
const MARKDOWN_EXAMPLE = '# ana-lang/count-words\n\nCounts the words of a text.\n';

const moved = (location: string) =>
  jsonAnswer(
    'Redirect from a name or a merged id. `Location` is the path of the listing.',
    Type.Object({ location: Type.String() }),
    { location },
  );

export const listingsContract = {
  ...searchContract,
  list: operation({
    id: 'marketplace.listings.list',
    method: 'GET',
    path: '/api/marketplace/listings',
    summary: 'Browse the marketplace',
    description:
      'Capabilities of all providers, deduplicated, and those published here. Filtered, ' +
      'searched, sorted and paged like the registry. `source` and `provider` together require both.',
    access: 'public',
    query: Type.Object({
      source: Type.Optional(Type.Enum([...SOURCES], { description: 'Only listings from this source.' })),
      provider: Type.Optional(Type.Enum([...PROVIDERS], { description: 'Only listings of this provider.' })),
      listing_type: Type.Optional(Type.Enum([...LISTING_TYPES], { description: 'Only listings of this type.' })),
      execution_class: Type.Optional(
        Type.Enum([...EXECUTION_CLASSES], { description: 'Only listings of this class.' }),
      ),
      tag: Type.Optional(
        Type.String({ maxLength: 200, description: 'Only listings with exactly this tag, case-folded.' }),
      ),
      search: Type.Optional(
        Type.String({
          maxLength: 400,
          description: 'Finds what `POST /api/marketplace/search` finds.',
        }),
      ),
      sort: Type.Optional(
        Type.Enum([...SEARCH_SORTS], {
          description:
            'Downloads, stars and update time descending, name ascending. Ties by name. Default: `relevance` with a ' +
            '`search`, else `downloads`.',
        }),
      ),
      ...pageQuery('Listings'),
    }),
    examples: { search: 'words', limit: 50, offset: 0 },
    answers: {
      200: jsonAnswer('One page. `Link` points to the next and previous page.', pageOf(Listing), {
        items: [CAPABILITY_EXAMPLE, LISTING_EXAMPLE],
        total_count: 2,
        limit: 50,
        offset: 0,
      }),
    },
    problems: ['http.unavailable'],
  }),
  get: operation({
    id: 'marketplace.listings.get',
    method: 'GET',
    path: '/api/marketplace/listings/{id}',
    summary: 'Get a capability',
    description:
      'A capability with its listings, the evidence that links them, their differences, the source of ' +
      'each field, and whether it can run now. Merged ids redirect. A capability published here ' +
      'also has its versions with status and reason. `latest` is the highest live version that is not a pre-release; if none ' +
      'is live, the highest deprecated one. Removed or unpublished capabilities return 410 with a tombstone. ' +
      'As Markdown with `Accept: text/markdown`.',
    access: 'public',
    params: Type.Object({ id: IdOrName }),
    examples: { id: LISTING_ID },
    answers: {
      200: {
        description: 'The listing.',
        content: {
          ...jsonContent(ListingDetail, DETAIL_EXAMPLE),
          'text/markdown': { schema: Type.String(), example: MARKDOWN_EXAMPLE },
        },
      },
      308: moved(`/api/marketplace/listings/${CAPABILITY_ID}`),
    },
    problems: GETTING,
  }),
  getMd: operation({
    id: 'marketplace.listings.getMd',
    method: 'GET',
    path: '/api/marketplace/listings/{id}/md',
    summary: 'Get a capability as Markdown',
    description:
      'The capability for language models, including published files. Untrusted text is escaped ' +
      'and hidden characters are made visible.',
    access: 'public',
    params: Type.Object({ id: IdOrName }),
    examples: { id: LISTING_ID },
    answers: {
      200: {
        description: 'The capability.',
        content: { 'text/markdown': { schema: Type.String(), example: MARKDOWN_EXAMPLE } },
      },
      308: moved(`/api/marketplace/listings/${CAPABILITY_ID}/md`),
    },
    problems: GETTING,
  }),
  getVersion: operation({
    id: 'marketplace.listings.getVersion',
    method: 'GET',
    path: '/api/marketplace/listings/{id}/versions/{version}',
    summary: 'Get a published version',
    description:
      'One version: its files with digests, all findings of the static checks, and the owner’s claim. A version never ' +
      'changes except for its status: `deprecated` still runs but is discouraged; `yanked` is available only by pinned digest.',
    access: 'public',
    params: Type.Object({ id: Id, version: Version }),
    examples: EXAMPLES,
    answers: {
      200: jsonAnswer('The version.', VersionDetail, VERSION_EXAMPLE),
    },
    problems: ['marketplace.not_found', 'marketplace.gone'],
  }),
  getFile: operation({
    id: 'marketplace.listings.getFile',
    method: 'GET',
    path: '/api/marketplace/listings/{id}/versions/{version}/files/{path}',
    wildcard: 'path',
    summary: 'Get a file of a published version',
    description:
      'The unmodified file. Scripts, HTML and SVG are served as plain text, unknown types as a download. ' +
      'With `digest` the version must match it; files of a yanked version require it. `X-Capstan-Digest` and ' +
      '`X-Capstan-Status` describe the version.',
    access: 'public',
    params: Type.Object({
      id: Id,
      version: Version,
      path: Type.String({ minLength: 1, maxLength: 500, description: 'One of `files[].path`.' }),
    }),
    query: Type.Object({
      digest: Type.Optional(
        Type.String({ pattern: '^sha256:[0-9a-f]{64}$', description: 'The digest that the version must have.' }),
      ),
    }),
    examples: { ...EXAMPLES, path: 'SKILL.md' },
    answers: {
      200: {
        description: 'The file, with a media type by its name.',
        content: {
          'text/plain': { schema: Type.String(), example: 'print("words")\n' },
          'text/markdown': { schema: Type.String(), example: '# Count words\n' },
          ...jsonContent(Type.Unknown(), { text: 'two words' }),
          'application/yaml': { schema: Type.String(), example: 'apiVersion: registry/v1\nkind: Rig\n' },
          'application/octet-stream': { schema: Type.String({ format: 'binary' }), example: '(bytes)' },
        },
      },
    },
    problems: GETTING_FILE,
  }),
};
