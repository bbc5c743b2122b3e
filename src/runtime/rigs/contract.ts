import { deleted } from '#accounts/users/deleted.ts';
import { jsonAnswer, operation } from '#core/http/operation.ts';
import { pageOf, pageQuery } from '#core/http/page.ts';
import { Type } from '#core/json-schema/type.ts';
import { LOCK_EXAMPLE, RIG_EXAMPLE, RIG_ID, RIG_LINE_EXAMPLE, RIG_YAML_EXAMPLE, VERIFIED_EXAMPLE } from './examples.ts';

import { Lock, RigLine, RigWhole, VerifiedShown, Yaml } from './shapes.ts';

/** The rigs feature as data. A rig is run by `runtime.tasks.runRig`. */

const closed = { additionalProperties: false };
const Params = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100, description: 'Its id or its name.' }) });
const Version = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Defaults to the one that was stored last.',
});
const examples = { id: RIG_ID };

const READING = ['rigs.not_found', 'rigs.invalid', 'http.unavailable', 'http.limit_exceeded'];
const LOCKING: string[] = [...READING, 'users.quota_exceeded', 'rigs.part_unavailable'];
const VERIFYING: string[] = [...READING, 'rigs.conflict', 'users.proof_required', 'users.quota_exceeded'];

export const rigsContract = {
  create: operation({
    id: 'runtime.rigs.create',
    method: 'POST',
    path: '/api/rigs',
    summary: 'Store a rig',
    description:
      'Stores a new rig, or a new version of the rig with this name. Versions never change: identical text is a 200, ' +
      'different text under the same version a 409. If the text has errors, each is listed with line and column, and nothing is stored.',
    access: 'jwt',
    creates: true,
    body: Type.Object({ yaml: Yaml }, closed),
    body_example: { yaml: RIG_YAML_EXAMPLE },
    answers: {
      200: jsonAnswer('It was already stored.', RigWhole, RIG_EXAMPLE),
      201: jsonAnswer('The rig.', RigWhole, RIG_EXAMPLE),
    },
    problems: [
      'rigs.invalid',
      'rigs.conflict',
      'users.limit_exceeded',
      'http.unavailable',
      'users.quota_exceeded',
      'http.limit_exceeded',
    ],
  }),
  list: operation({
    id: 'runtime.rigs.list',
    method: 'GET',
    path: '/api/rigs',
    summary: 'List your rigs',
    description: 'Most recently changed first. `Link` points to the next and previous page.',
    access: 'jwt',
    query: Type.Object({ ...pageQuery('Rigs') }),
    examples: { limit: 50, offset: 0 },
    answers: {
      200: jsonAnswer('One page of rigs.', pageOf(RigLine), {
        items: [RIG_LINE_EXAMPLE],
        total_count: 1,
        limit: 50,
        offset: 0,
      }),
    },
    problems: [],
  }),
  get: operation({
    id: 'runtime.rigs.get',
    method: 'GET',
    path: '/api/rigs/{id}',
    summary: 'Get a rig',
    description: 'One version with its rig.yaml, the lock in force and the list of all versions.',
    access: 'jwt',
    params: Params,
    query: Type.Object({ version: Type.Optional(Version) }),
    examples,
    answers: { 200: jsonAnswer('The rig.', RigWhole, RIG_EXAMPLE) },
    problems: ['rigs.not_found'],
  }),
  update: operation({
    id: 'runtime.rigs.update',
    method: 'PUT',
    path: '/api/rigs/{id}',
    summary: 'Correct a rig',
    description:
      'Stores a rig.yaml of the same name: as a new version, or in place of a version that was never locked. A version that ' +
      'was locked never changes, because runs and receipts name it: raise `metadata.version`. The same text again changes ' +
      'nothing. A corrected version must be locked before it runs.',
    access: 'jwt',
    params: Params,
    examples,
    body: Type.Object({ yaml: Yaml }, closed),
    body_example: { yaml: RIG_YAML_EXAMPLE },
    answers: { 200: jsonAnswer('The rig at that version.', RigWhole, RIG_EXAMPLE) },
    problems: ['rigs.not_found', 'rigs.invalid', 'rigs.conflict', 'users.limit_exceeded', 'http.unavailable'],
  }),
  delete: operation({
    id: 'runtime.rigs.delete',
    method: 'DELETE',
    path: '/api/rigs/{id}',
    summary: 'Delete a rig',
    description:
      'Deletes every version and lock, or one version with `version`. Deleting the last version deletes the rig. Its waiting ' +
      'tasks are rejected when their turn comes; running ones continue. Receipts, traces and published versions stay.',
    access: 'jwt',
    params: Params,
    query: Type.Object({
      version: Type.Optional(
        Type.String({ minLength: 1, maxLength: 64, description: 'Only this one; every version where left out.' }),
      ),
    }),
    examples,
    answers: { 200: deleted('Deleted.') },
    problems: ['rigs.not_found'],
  }),
  resolve: operation({
    id: 'runtime.rigs.resolve',
    method: 'POST',
    path: '/api/rigs/{id}/resolve',
    summary: 'Lock a rig',
    description:
      'Resolves its references and writes a new rig.lock: digests of the harness, of each skill and ' +
      'its files, of each allowed tool, and the model. If a part is unavailable, the former lock stays.',
    access: 'jwt',
    params: Params,
    body: Type.Object({ version: Type.Optional(Version) }, closed),
    body_example: {},
    examples,
    answers: { 200: jsonAnswer('The lock.', Lock, LOCK_EXAMPLE) },
    problems: LOCKING,
  }),
  verify: operation({
    id: 'runtime.rigs.verify',
    method: 'POST',
    path: '/api/rigs/{id}/verify',
    summary: 'Verify a rig against its lock',
    description:
      'Compares the current parts with the lock. Parts that changed or are unavailable are findings, and the response is ' +
      '`verified: false`; such a rig does not run. With `run_checks` the checks of the rig also run if the lock matches.',
    access: 'jwt',
    params: Params,
    body: Type.Object(
      {
        version: Type.Optional(Version),
        run_checks: Type.Optional(
          Type.Boolean({ default: false, description: 'Each check that uses a language model counts as one request.' }),
        ),
      },
      closed,
    ),
    body_example: {},
    examples,
    answers: { 200: jsonAnswer('The result.', VerifiedShown, VERIFIED_EXAMPLE) },
    problems: VERIFYING,
  }),
} as const;
