import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CapabilityKind } from './capability.ts';
import { findKind, type OwnName } from './find-kind.ts';

const ID = '01a209a3-6091-7020-9bcb-1d2d03ca9442';
const OWN: Record<string, OwnName[]> = {
  tidy: [{ kind: 'rig', ref: 'r1' }],
  desk: [{ kind: 'harness', ref: 'h1' }],
  both: [
    { kind: 'skill', ref: 'skill/both' },
    { kind: 'rig', ref: 'r2' },
  ],
  [ID]: [{ kind: 'harness', ref: ID }],
};
const KNOWN = ['skill', 'listing', 'connection', 'rig', 'harness', 'capability'];
const kindOf = (ref: string, kind?: CapabilityKind) =>
  findKind({ own: async (_user, name) => OWN[name] ?? [], known: KNOWN }, { kind, ref, version: '1' }, 'u');

test('finds the kind by the form of the name, and words and ids among what the caller owns', async () => {
  const other = ID.replace('01a', '02b');
  const cases: [ref: string, kind: CapabilityKind | undefined, found: CapabilityKind, as?: string][] = [
    ['tidy', undefined, 'rig', 'r1'],
    ['desk', undefined, 'harness', 'h1'],
    [ID, undefined, 'harness'],
    [ID, 'harness', 'harness'],
    [ID, 'rig', 'capability'],
    [other, undefined, 'capability'],
    [other, 'skill', 'capability'],
    [`${other}/do/it`, undefined, 'connection'],
    ['skill/both', undefined, 'skill', 'both'],
    ['skill/both', 'skill', 'skill', 'both'],
    ['both', 'rig', 'rig'],
    ['docker/x', undefined, 'listing'],
    ['docker/x', 'skill', 'capability'],
    ['ada/x', undefined, 'capability'],
    ['ada/x', 'rig', 'capability'],
  ];
  for (const [ref, kind, found, as = ref] of cases)
    assert.deepEqual(await kindOf(ref, kind), { kind: found, ref: as, version: '1' }, `${kind} ${ref}`);
});

test('422: several things of one name, listed as candidates, and malformed text; 404: a word for nothing', async () => {
  await assert.rejects(kindOf('both'), {
    code: 'runs.reference_invalid',
    extensions: { candidates: OWN.both, reason: 'reference_ambiguous' },
  });
  for (const ref of ['a/', 'x'.repeat(10_240)])
    await assert.rejects(kindOf(ref), { code: 'runs.reference_invalid', reason: 'reference_malformed' });
  await assert.rejects(kindOf('x'.repeat(10_240), 'skill'), { reason: 'reference_malformed' });
  await assert.rejects(kindOf('nothing'), { code: 'runs.not_found', message: /Search the marketplace/ });
});
