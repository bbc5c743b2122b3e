import { jsonAnswer, operation } from '#core/http/operation.ts';
import { pageOf, pageQuery } from '#core/http/page.ts';
import { Type } from '#core/json-schema/type.ts';
import { MEMORY_EXAMPLE, MEMORY_LINE_EXAMPLE, MEMORY_VERSION_EXAMPLE } from '#runtime/harnesses/examples.ts';
import {
  closed,
  IfSha256,
  MemoryLine,
  MemoryPath,
  MemoryText,
  Note,
  orNull,
  Ref,
  Time,
} from '#runtime/harnesses/shapes.ts';
import { CHANGES } from './memory.ts';

/** The part of the contract that is about the memory of harnesses. */

const Found = Type.Object({
  ...MemoryLine.properties,
  score: Type.Optional(Type.Integer({ description: 'Search only: a higher score is a better match.' })),
  snippet: Type.Optional(Type.String({ description: 'Search only: the text around a matching word, on one line.' })),
});

const VERSION = {
  version: Type.Integer({ minimum: 1 }),
  change: Type.Enum([...CHANGES]),
  sha256: orNull(Type.String(), 'Null if the version is a deletion.'),
  size: Type.Integer({ minimum: 0, description: 'Bytes.' }),
  restored_from: orNull(Type.Integer(), 'The version that this one brought back.'),
  note: Type.String(),
  created_at: Time,
  redacted: orNull(
    Type.Object({ at: Time, reason: Type.String() }),
    'When and why the content was permanently removed.',
  ),
};
const Whole = Type.Object({
  path: Type.String(),
  ...VERSION,
  content: orNull(Type.String(), 'Null if the version is a deletion or was redacted.'),
  is_newest: Type.Boolean(),
});

const Version = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });
const Id = Type.Object({ id: Ref });
const At = Type.Object({
  id: Ref,
  path: Type.String({ minLength: 1, maxLength: 2_000, description: 'Path of the memory.' }),
});

const WRITING = [
  'users.limit_exceeded',
  'users.quota_exceeded',
  'harnesses.conflict',
  'http.invalid',
  'harnesses.too_large',
  'harnesses.not_found',
  'harnesses.invalid',
] as const;

const Write = Type.Object({ path: MemoryPath, content: MemoryText, if_sha256: IfSha256, note: Note }, closed);

export const memoryContract = {
  list: operation({
    id: 'runtime.memory.list',
    method: 'GET',
    path: '/api/harnesses/{id}/memory',
    summary: "List or search a harness's memory",
    description:
      'Sorted by path; or, with `search`, those that have every word of it or a word that begins with it, the best first, ' +
      'each with a snippet. Case and accents do not matter. One or two plain letters are found as whole words. Of a ' +
      'memory the first 5,000 different words are found.',
    access: 'sensitive',
    confirm_window: 'harnesses',
    params: Id,
    query: Type.Object({
      prefix: Type.Optional(
        Type.String({ maxLength: 200, description: 'Only paths with this prefix, ignoring case.' }),
      ),
      search: Type.Optional(
        Type.String({ maxLength: 200, description: 'At most ten words. Cannot be combined with prefix.' }),
      ),
      ...pageQuery('Memories'),
    }),
    examples: { id: 'release-notes', search: 'present tense', limit: 50, offset: 0 },
    answers: {
      200: jsonAnswer('One page of memories.', pageOf(Found), {
        items: [{ ...MEMORY_LINE_EXAMPLE, score: 12, snippet: 'Write in the present tense.' }],
        total_count: 1,
        limit: 50,
        offset: 0,
      }),
    },
    problems: ['http.invalid', 'harnesses.not_found'],
  }),
  write: operation({
    id: 'runtime.memory.write',
    method: 'POST',
    path: '/api/harnesses/{id}/memory',
    summary: 'Write several memories at once',
    description: 'All writes are applied or none: if one is rejected or its precondition fails, nothing changes.',
    access: 'sensitive',
    confirm_window: 'harnesses',
    params: Id,
    examples: { id: 'release-notes' },
    body: Type.Object({ memories: Type.Array(Write, { minItems: 1, maxItems: 100 }) }, closed),
    body_example: { memories: [{ path: 'style/tense.md', content: 'Write in the present tense.\n', if_sha256: null }] },
    answers: {
      200: jsonAnswer(
        'The current state of each, in the order of the request.',
        Type.Object({ items: Type.Array(MemoryLine) }),
        { items: [MEMORY_LINE_EXAMPLE] },
      ),
    },
    problems: [...WRITING],
  }),
  get: operation({
    id: 'runtime.memory.get',
    method: 'GET',
    path: '/api/harnesses/{id}/memory/{path}',
    wildcard: 'path',
    summary: 'Read a memory, an older version, or its history',
    description:
      'The current memory, or one `version` of it. With `history=true` a page of its versions without their content, the ' +
      'newest first, of deleted memories too.',
    access: 'sensitive',
    confirm_window: 'harnesses',
    params: At,
    query: Type.Object({
      version: Type.Optional(Version),
      history: Type.Optional(Type.Boolean({ description: 'Its versions instead of its content.' })),
      ...pageQuery('Versions'),
    }),
    examples: { id: 'release-notes', path: 'style/tense.md', limit: 50, offset: 0 },
    answers: {
      200: jsonAnswer(
        'The memory, or a page of its versions.',
        Type.Union([Whole, pageOf(Type.Object(VERSION))]),
        MEMORY_EXAMPLE,
      ),
    },
    problems: ['harnesses.not_found', 'http.invalid'],
  }),
  update: operation({
    id: 'runtime.memory.update',
    method: 'POST',
    path: '/api/harnesses/{id}/memory/{path}',
    wildcard: 'path',
    summary: 'Write, restore, delete or redact a memory',
    description:
      'Exactly one of them. `content`, `restore` and `delete` create a new version; identical content creates none. ' +
      '`redact` permanently removes the content of a version, and of every version of this memory with the same content: ' +
      'hash and reason stay. With `if_sha256` exactly one of several writers goes ahead; the others get a 409 with the ' +
      'sha256 that stands.',
    access: 'sensitive',
    confirm_window: 'harnesses',
    params: At,
    examples: { id: 'release-notes', path: 'style/tense.md' },
    body: Type.Object(
      {
        content: Type.Optional(MemoryText),
        restore: Type.Optional(Type.Object({ version: Version }, closed)),
        delete: Type.Optional(Type.Literal(true)),
        redact: Type.Optional(
          Type.Object({ version: Version, reason: Type.String({ minLength: 1, maxLength: 500 }) }, closed),
        ),
        if_sha256: IfSha256,
        note: Note,
      },
      closed,
    ),
    body_example: { content: 'Write in the present tense.\n', if_sha256: MEMORY_VERSION_EXAMPLE.sha256 },
    answers: { 200: jsonAnswer('The current memory.', MemoryLine, MEMORY_LINE_EXAMPLE) },
    problems: [...WRITING, 'http.invalid', 'harnesses.not_found', 'harnesses.gone'],
  }),
};
