import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { OWN_SHARE } from '#core/fair-queue/share.ts';
import { embeddedSandbox, findBwrap } from '#runtime/sandbox/embedded.ts';
import type { Sandbox } from '#runtime/sandbox/sandbox.ts';
import { type HostileScript, hostileScripts, tableOf } from './hostile-scripts.ts';
import { breachesOf, surprisesOf } from './judge.ts';
import { LIMITS, openHostileStand } from './stand.ts';

const AT_ONCE = 3;
const { HOSTILE, HOSTILE_FIGURES } = process.env;
const scripts = hostileScripts().filter(({ name, soak_only }) => (HOSTILE ? name.includes(HOSTILE) : !soak_only));
const bwrap = findBwrap();
const noBwrap = bwrap === null ? 'bubblewrap is not installed, or may not work here' : false;

/** What was not as it must be, by script. */
async function attack(sandbox: Sandbox, attacks: HostileScript[]): Promise<string[]> {
  await using stand = await openHostileStand();
  const wrong: string[] = [];
  const waiting = [...attacks];
  const worker = async () => {
    for (let script = waiting.shift(); script !== undefined; script = waiting.shift()) {
      const { result, breaches } = await stand.run(sandbox, script);
      const found = [...breaches, ...surprisesOf(script, result)];
      const { status, exit_code, duration_ms, stdout, stderr, engine_error } = result;
      if (HOSTILE_FIGURES) console.log(script.name, status, exit_code, Math.round(duration_ms));
      if (HOSTILE) console.log(result);
      const told = found.length > 0 ? `\n${stdout.slice(0, 500)}\n${stderr.slice(-500)}\n${engine_error}` : '';
      wrong.push(...found.map((what) => `${script.name}: ${what}${told}`));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const damage = await stand.damage();
  if (HOSTILE_FIGURES) console.log(stand.figures());
  return [...wrong, ...damage];
}

const aimOf = ({ name }: HostileScript): string => name.slice(0, name.lastIndexOf('.'));
/**
 * At a level with one wall more: those that try to get out, by which the wall is judged, each aim in one language. All:
 * `npm run soak -- hostile`.
 */
const breakouts = scripts.filter(
  (script, at) =>
    script.name.startsWith('escape/') && scripts.findLastIndex((other) => aimOf(other) === aimOf(script)) === at,
);

for (const [level, tried, skip] of [
  ['wasm+process', scripts, false],
  ['wasm+process+bwrap', breakouts, noBwrap],
] as const)
  test(`${level}: ${tried === scripts ? 'every hostile script' : 'every kind of escape'} is contained, and the service is unharmed`, {
    skip,
  }, async () => {
    const sandbox = embeddedSandbox({ bwrap: level === 'wasm+process' ? null : bwrap });
    assert.equal(sandbox.isolation, level);
    try {
      assert.deepEqual(await attack(sandbox, tried), []);
      assert.equal(sandbox.counts().running, 0);
    } finally {
      await sandbox.close();
    }
  });

test('the judge reports a script that reads secrets, exceeds its limits or forges a result', async () => {
  const sandbox = embeddedSandbox();
  const result = await sandbox.run({
    share: OWN_SHARE,
    language: 'bash',
    entry: 'main',
    stdin: '',
    limits: { ...LIMITS, timeout_ms: 30_000 },
    files: new Map([['main', Buffer.from('echo canary-1; echo WORKED so >&2; echo canary-2 > /workspace/output/x')]]),
  });
  await sandbox.close();
  const secrets = { file: 'canary-1', environment: 'canary-2' };
  assert.deepEqual(breachesOf(result, { ...LIMITS, timeout_ms: 30_000 }, secrets), [
    'it read the file of the host',
    'it read the environment of the service',
    'it says WORKED so',
  ]);
  const forged = {
    ...result,
    status: 'completed' as const,
    exit_code: 1,
    output_files: new Map([['../x', Buffer.of()]]),
  };
  assert.deepEqual(
    breachesOf(forged, { output_bytes: 1, memory_mb: 1, timeout_ms: -9_999 }, { file: '?', environment: '?' }).length,
    5,
  );
});

test('there are at least 70 hostile scripts of all kinds and languages, and the sandbox guide lists them', async () => {
  assert.ok(hostileScripts().length >= 70);
  const everyTime = hostileScripts().filter(({ soak_only }) => !soak_only);
  for (const kind of ['escape/', 'exfiltration/', 'exhaustion/', '.sh', '.js', '.py'])
    assert.ok(
      everyTime.some(({ name }) => name.startsWith(kind) || name.endsWith(kind)),
      kind,
    );
  const guide = await readFile(new URL('../../docs/guides/sandbox.md', import.meta.url), 'utf8');
  const [, table] = /<!-- tried -->\n(.*)\n<!-- \/tried -->/s.exec(guide) ?? [];
  assert.equal(table, tableOf(hostileScripts()), 'write it anew: npm run soak -- hostile table');
});
