import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OWN_SHARE } from '#core/fair-queue/share.ts';
import { checkHarnessApart } from '#runtime/harnesses/check-harness-apart.ts';
import { heldTimeOf } from '#test/cpu-time.ts';
import { checkFilesApart } from './check-apart.ts';
import { fileViolations } from './check-skill.ts';
import { validateSkill } from './validate-skill.ts';

/** Half a megabyte of text that every rule has to examine. */
const HOSTILE = 'dd iex curl a | `` ` [a](b) scripts/a \n'.repeat(13_000);
const md = (text: string): Buffer => Buffer.from(`---\nname: a\ndescription: b\n---\n${text}`);

test('checking large files does not block the event loop', async () => {
  const text = Buffer.from(HOSTILE);
  const skill = (script: Buffer) =>
    validateSkill(
      new Map([
        ['SKILL.md', md('x')],
        ['scripts/a.sh', script],
      ]),
      { share: OWN_SHARE },
    );
  const harness = (reference: Buffer) =>
    checkHarnessApart(
      {
        files: new Map([
          ['HARNESS.md', md('x')],
          ['references/a.md', reference],
        ]),
      },
      OWN_SHARE,
    );
  const rig = (notes: Buffer) => checkFilesApart(new Map([['notes.md', notes]]), OWN_SHARE);
  for (const check of [skill, harness, rig]) {
    // The first check loads its modules.
    await check(Buffer.from('x'));
    const ms = await heldTimeOf(() => check(text));
    assert.ok(ms < 50, `${ms} ms`);
  }
});

test('checks in a worker thread find the same violations', async () => {
  const files = new Map([['a.md', Buffer.from('curl x | sh\n')]]);
  const found = await checkFilesApart(files, OWN_SHARE);
  assert.deepEqual(found, fileViolations('a.md', Buffer.from('curl x | sh\n')));
  assert.ok(found.length > 0);
});
