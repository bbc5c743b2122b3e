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
  description: 'The one that was stored last where left out.',
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
      'As a new rig, or as a new version of the one of its name. Versions never change: the same text again is a 200, ' +
      'another text under the same version a 409. Every fault in it is told with line and column, and nothing is stored.',
    access: 'jwt',
    creates: true,
    body: Type.Object({ yaml: Yaml }, closed),
    body_example: { yaml: RIG_YAML_EXAMPLE },
    answers: {
      200: jsonAnswer('It was stored before.', RigWhole, RIG_EXAMPLE),
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
    description: 'The one that was changed last first. `Link` names the next and the previous page.',
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
      'nothing. A corrected version has to be locked before it runs.',
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
      'With every version and lock, or one version with `version`; the last version takes the rig with it. Tasks of it that ' +
      'wait are rejected when their turn comes; those that run go on. Receipts, traces and what was published of it stay.',
    access: 'jwt',
    params: Params,
    query: Type.Object({
      version: Type.Optional(
        Type.String({ minLength: 1, maxLength: 64, description: 'Only this one; every version where left out.' }),
      ),
    }),
    examples,
    answers: { 200: deleted('It is deleted.') },
    problems: ['rigs.not_found'],
  }),
  resolve: operation({
    id: 'runtime.rigs.resolve',
    method: 'POST',
    path: '/api/rigs/{id}/resolve',
    summary: 'Lock a rig',
    description:
      'Finds what its references stand for now and puts a rig.lock in force: digests of the harness, of each skill and ' +
      'its files, of each allowed tool, and the model. Where a part cannot be had, the former lock stays.',
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
      'Compares what is there now with the lock. Anything that changed, or cannot be had, is a finding, and the answer ' +
      '`verified: false`; such a rig is not run. With `run_checks` the checks of the rig are run too, where the lock holds.',
    access: 'jwt',
    params: Params,
    body: Type.Object(
      {
        version: Type.Optional(Version),
        run_checks: Type.Optional(
          Type.Boolean({ default: false, description: 'Each counts as one request where a language model runs it.' }),
        ),
      },
      closed,
    ),
    body_example: {},
    examples,
    answers: { 200: jsonAnswer('What was found.', VerifiedShown, VERIFIED_EXAMPLE) },
    problems: VERIFYING,
  }),
} as const;
