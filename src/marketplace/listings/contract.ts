import { SORTS } from '#catalog/index/segment.ts';
import { EXECUTION_CLASSES, LISTING_TYPES, PROVIDERS } from '#catalog/items/kinds.ts';
import { operation } from '#core/http/operation.ts';
import { pageOf, pageQuery } from '#core/http/page.ts';
import { Type } from '#core/json-schema/type.ts';
import { searchContract } from './contract-search.ts';
import { DETAIL_EXAMPLE, LISTING_EXAMPLE, LISTING_ID, VERSION_EXAMPLE } from './examples.ts';
import { CAPABILITY_EXAMPLE, CAPABILITY_ID } from './examples-capability.ts';
import { Listing, ListingDetail, SOURCES, VersionDetail } from './shapes.ts';

/** The part of the marketplace's contract that reads. */

export const Id = Type.String({ minLength: 1, maxLength: 100, description: 'Id of the listing.' });
const Version = Type.String({ minLength: 1, maxLength: 64, description: 'Exactly as it was published.' });
const GETTING = [
  'marketplace.not_found',
  'marketplace.capability_gone',
  'marketplace.listing_taken_down',
  'marketplace.listing_unpublished',
];
const GETTING_FILE = [
  'marketplace.not_found',
  'marketplace.listing_taken_down',
  'marketplace.listing_unpublished',
  'marketplace.version_not_found',
  'marketplace.version_yanked',
  'marketplace.file_not_found',
  'marketplace.digest_differs',
  'marketplace.stored_files_differ',
];
const IdOrName = Type.String({
  minLength: 1,
  maxLength: 1_000,
  description: 'Id of the listing. `publisher/name` and `provider/external_id` redirect to it.',
});
const EXAMPLES = { id: LISTING_ID, version: '1.0.0' };
const MARKDOWN_EXAMPLE = '# ana-lang/count-words\n\nCounts the words of a text.\n';

const moved = (location: string) => ({
  description: 'A name, or the id of a listing that was merged into another. `Location` is the path of the listing.',
  content: {
    'application/json': { schema: Type.Object({ location: Type.String() }), example: { location } },
  },
});

export const listingsContract = {
  ...searchContract,
  list: operation({
    id: 'marketplace.listings.list',
    method: 'GET',
    path: '/api/marketplace/listings',
    summary: 'Browse the marketplace',
    description:
      'Capabilities: what the providers list, each thing once however many list it, and what users published here; filtered, ' +
      'searched, sorted and paged like the registry. With `source` and `provider` it must be listed by both.',
    access: 'public',
    query: Type.Object({
      source: Type.Optional(Type.Enum([...SOURCES], { description: 'Only listings that come from there.' })),
      provider: Type.Optional(Type.Enum([...PROVIDERS], { description: 'Only listings of this provider.' })),
      listing_type: Type.Optional(Type.Enum([...LISTING_TYPES], { description: 'Only listings of this type.' })),
      execution_class: Type.Optional(
        Type.Enum([...EXECUTION_CLASSES], { description: 'Only listings of this class.' }),
      ),
      tag: Type.Optional(Type.String({ maxLength: 200, description: 'Only listings with exactly this tag, folded.' })),
      search: Type.Optional(
        Type.String({
          maxLength: 400,
          description: 'Terms parted by white space; each must occur in name, description, author or id.',
        }),
      ),
      sort: Type.Enum([...SORTS], {
        default: 'downloads',
        description: 'Downloads, stars and time of update from the greatest down, name from A on. Equal ones by name.',
      }),
      ...pageQuery('Listings'),
    }),
    examples: { search: 'words', limit: 50, offset: 0 },
    answers: {
      200: {
        description: 'One page. `Link` names the next and the previous one.',
        content: {
          'application/json': {
            schema: pageOf(Listing),
            example: { items: [CAPABILITY_EXAMPLE, LISTING_EXAMPLE], total_count: 2, limit: 50, offset: 0 },
          },
        },
      },
    },
    problems: ['marketplace.warming_up'],
  }),
  get: operation({
    id: 'marketplace.listings.get',
    method: 'GET',
    path: '/api/marketplace/listings/{id}',
    summary: 'Get a capability',
    description:
      'A capability with the listings that it is made of, why they are taken for the same, where they differ, which of them ' +
      'each field is from, and whether it can be run now. An id that was merged into another redirects. What is published here ' +
      'has its versions too, what became of each, and why: `latest` is the highest that is live and no pre-release; where none ' +
      'is live, the highest deprecated one. What nobody lists any more, or was unpublished, answers 410 with what is left of it. ' +
      'As Markdown with `Accept: text/markdown`.',
    access: 'public',
    params: Type.Object({ id: IdOrName }),
    examples: { id: LISTING_ID },
    answers: {
      200: {
        description: 'The listing.',
        content: {
          'application/json': { schema: ListingDetail, example: DETAIL_EXAMPLE },
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
      'The capability for language models, with the files of what is published here: the text of strangers in it is escaped ' +
      'and hidden characters are shown.',
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
      'One version: its files with their digests, every finding of the static checks, and the claim of its owner. It never ' +
      'changes but for its status: `deprecated` still runs and is advised against, `yanked` is for whoever pinned it.',
    access: 'public',
    params: Type.Object({ id: Id, version: Version }),
    examples: EXAMPLES,
    answers: {
      200: {
        description: 'The version.',
        content: { 'application/json': { schema: VersionDetail, example: VERSION_EXAMPLE } },
      },
    },
    problems: [
      'marketplace.not_found',
      'marketplace.listing_taken_down',
      'marketplace.listing_unpublished',
      'marketplace.version_not_found',
    ],
  }),
  getFile: operation({
    id: 'marketplace.listings.getFile',
    method: 'GET',
    path: '/api/marketplace/listings/{id}/versions/{version}/files/{path}',
    wildcard: 'path',
    summary: 'Get a file of a published version',
    description:
      'The file byte for byte, as its `sha256` says; scripts, HTML and SVG come as plain text, unknown kinds as a download. ' +
      'With `digest` exactly that version or none; files of a yanked version are had with it alone. `X-Capstan-Digest` and ' +
      '`X-Capstan-Status` tell of the version.',
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
        description: 'The file, with the media type that its name calls for.',
        content: {
          'text/plain': { schema: Type.String(), example: 'print("words")\n' },
          'text/markdown': { schema: Type.String(), example: '# Count words\n' },
          'application/json': { schema: Type.Unknown(), example: { text: 'two words' } },
          'application/yaml': { schema: Type.String(), example: 'apiVersion: registry/v1\nkind: Rig\n' },
          'application/octet-stream': { schema: Type.String({ format: 'binary' }), example: '(bytes)' },
        },
      },
    },
    problems: GETTING_FILE,
  }),
};
