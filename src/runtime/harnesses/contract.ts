import { ViolationList } from '#catalog/checks/violation-list.ts';
import { jsonAnswer, operation } from '#core/http/operation.ts';
import { pageOf, pageQuery } from '#core/http/page.ts';
import { Type } from '#core/json-schema/type.ts';
import { GivenFile } from '#runtime/skills/checks/given-files.ts';
import { DETAIL_EXAMPLE, DIGEST_EXAMPLE, DIRECTORY_EXAMPLE, LINE_EXAMPLE, MADE_EXAMPLE } from './examples.ts';
import { closed, Digest, Note, Ref, Time } from './shapes.ts';

/** The part of the contract that is about harnesses and their versions. */

const LINE = {
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  version: Type.Integer({ minimum: 1 }),
  digest: Type.String({ description: 'Digest of the files of this version, without memory and context.' }),
  created_at: Time,
  updated_at: Type.String({ format: 'date-time', description: 'Memory and context count too.' }),
};
const Line = Type.Object(LINE);

export const Detail = Type.Object({
  ...LINE,
  newest_version: Type.Integer({ minimum: 1 }),
  note: Type.String(),
  memory_count: Type.Integer({ minimum: 0 }),
  files: Type.Array(
    Type.Object({
      ...GivenFile.properties,
      size: Type.Integer({ minimum: 0, description: 'Bytes.' }),
      sha256: Type.String(),
    }),
  ),
  versions: Type.Array(
    Type.Object({ version: Type.Integer(), digest: Type.String(), note: Type.String(), created_at: Time }),
    { description: 'The newest first; at most 100.' },
  ),
});

export const Made = Type.Object({
  ...LINE,
  is_new: Type.Boolean({ description: 'False: these files are the newest version already.' }),
  warnings: ViolationList.violations,
});

const Directory = Type.Object({ files: Type.Array(GivenFile), digest: Type.String() });

const Files = Type.Array(GivenFile, {
  minItems: 1,
  maxItems: 20_000,
  description:
    'The directory: HARNESS.md, harness.yaml or both, and the files that they use. At most 200 files and 1 MiB in total.',
});

const Id = Type.Object({ id: Ref });
const FILES = ['harnesses.invalid', 'http.invalid', 'http.unavailable', 'http.limit_exceeded'] as const;

export const harnessesContract = {
  list: operation({
    id: 'runtime.harnesses.list',
    method: 'GET',
    path: '/api/harnesses',
    summary: 'List your harnesses',
    description: 'Newest first. `Link` points to the next and previous page.',
    access: 'sensitive',
    confirm_window: 'harnesses',
    query: Type.Object(pageQuery('Harnesses')),
    examples: { limit: 50, offset: 0 },
    answers: {
      200: jsonAnswer('One page of harnesses.', pageOf(Line), {
        items: [LINE_EXAMPLE],
        total_count: 1,
        limit: 50,
        offset: 0,
      }),
    },
    problems: [],
  }),
  create: operation({
    id: 'runtime.harnesses.create',
    method: 'POST',
    path: '/api/harnesses',
    summary: 'Create or import a harness',
    description:
      'From the files of a directory. Files below `memory/` and `context/` become its memory and context, so that an ' +
      'export can be imported unchanged; `digest` then proves that nothing is missing. Files that break a rule are rejected ' +
      'with line numbers; warnings are returned. Names are unique within your account.',
    access: 'sensitive',
    confirm_window: 'harnesses',
    creates: true,
    body: Type.Object({ files: Files, digest: Type.Optional(Digest), note: Note }, closed),
    body_example: { files: DIRECTORY_EXAMPLE.files },
    answers: { 201: jsonAnswer('The harness at version 1.', Made, MADE_EXAMPLE) },
    problems: [
      ...FILES,
      'users.limit_exceeded',
      'harnesses.invalid',
      'users.quota_exceeded',
      'http.invalid',
      'harnesses.too_large',
      'harnesses.conflict',
    ],
  }),
  get: operation({
    id: 'runtime.harnesses.get',
    method: 'GET',
    path: '/api/harnesses/{id}',
    summary: 'Get a harness',
    description:
      'Its files at the newest version or at an older one, and its versions. With `export=true` the whole directory with ' +
      'memory and context, in the form that creating takes. Redacted memories are left out.',
    access: 'sensitive',
    confirm_window: 'harnesses',
    params: Id,
    query: Type.Object({
      version: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Version of its files.' }),
      ),
      export: Type.Optional(Type.Boolean({ description: 'The directory, and nothing about it.' })),
    }),
    examples: { id: 'release-notes' },
    answers: {
      200: jsonAnswer('The harness, or its directory.', Type.Union([Detail, Directory]), DETAIL_EXAMPLE),
    },
    problems: ['harnesses.not_found'],
  }),
  update: operation({
    id: 'runtime.harnesses.update',
    method: 'POST',
    path: '/api/harnesses/{id}',
    summary: 'Make a new version of a harness, or delete it',
    description:
      '`files` is the complete set: versions are immutable, memory and context stay. Identical files create no version. With ' +
      '`delete`: the harness goes with every version, its memory and its context. `if_digest` names the version that ' +
      'must be the newest.',
    access: 'sensitive',
    confirm_window: 'harnesses',
    params: Id,
    examples: { id: 'release-notes' },
    body: Type.Object(
      {
        files: Type.Optional(Files),
        delete: Type.Optional(Type.Literal(true)),
        if_digest: Type.Optional(Digest),
        note: Note,
      },
      closed,
    ),
    body_example: { files: [DIRECTORY_EXAMPLE.files[0]], if_digest: DIGEST_EXAMPLE, note: 'Group the changes' },
    answers: {
      200: jsonAnswer('The newest version if it has the same files, or the deleted harness.', Made, {
        ...MADE_EXAMPLE,
        is_new: false,
      }),
      201: jsonAnswer('The new version.', Made, { ...MADE_EXAMPLE, version: 2 }),
    },
    problems: [
      ...FILES,
      'http.invalid',
      'harnesses.conflict',
      'users.limit_exceeded',
      'users.quota_exceeded',
      'harnesses.not_found',
    ],
  }),
};
