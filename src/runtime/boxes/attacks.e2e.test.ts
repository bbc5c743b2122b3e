import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { until } from '#test/until.ts';
import { ATTACKS, attackArgv } from './attacks.ts';
import { openBwrapDriver } from './bwrap-driver.ts';
import { openCanary } from './canary.ts';
import { attackEnv, judge, runAttack } from './run-attack.ts';

const driver = await openBwrapDriver();
const canary = await openCanary();
after(async () => {
  await driver.close();
  await canary.close();
});

const filtered = driver.isolation !== 'bwrap';
const hasPython = existsSync('/usr/bin/python3');
const skip = driver.isolation === null ? (await driver.selfTest()).text : false;

test('defines at least 40 attacks with unique ids, and at least 10 in the self-test', () => {
  assert.ok(ATTACKS.length >= 40);
  assert.equal(new Set(ATTACKS.map(({ id }) => id)).size, ATTACKS.length);
  assert.ok(ATTACKS.filter(({ self_test, language }) => self_test && language !== 'python3').length >= 10);
});

for (const attack of ATTACKS) {
  const why = attack.language === 'python3' && !hasPython ? 'python3 is not installed' : skip;
  test(`a box blocks this attack: ${attack.title} (${attack.id})`, { skip: why }, async () => {
    const { verdict, detail } = await runAttack(driver.start, attack, canary, { filtered });
    assert.equal(verdict, 'refused', detail);
  });
}

test('leaves no process of an attack behind', { skip }, async () => {
  const left = (): string[] => processesWith(canary.env.CANARY_FILE ?? assert.fail());
  assert.deepEqual([driver.counts().running, left()], [0, []]);
  const attack = ATTACKS.find(({ id }) => id === 'wall') ?? assert.fail();
  const ended = runAttack(driver.start, attack, canary, { filtered });
  await until('a process of a box is seen', () => left().length > 0);
  await ended;
  assert.deepEqual(left(), []);
});

/** Processes that have this text in their environment, as those of this canary's boxes do. */
function processesWith(text: string): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, 'latin1').includes(text);
    } catch {
      // It belongs to another user, or has ended.
      return false;
    }
  });
}

for (const attack of ATTACKS.filter(({ works_outside }) => works_outside)) {
  const needsPython = attack.language === 'python3' && !hasPython;
  // Some hosts refuse these outside of boxes, too.
  const isRestricted = attack.id.startsWith('namespace') || attack.id.endsWith('-calls');
  const why = needsPython ? 'python3 is not installed' : isRestricted ? 'kernels differ in it' : false;
  test(`this attack succeeds outside a box: ${attack.title} (${attack.id})`, {
    skip: skip || why || false,
  }, async () => {
    const [file, ...args] = attackArgv(attack, process.execPath) as [string, ...string[]];
    const env = { ...attackEnv(canary, { filtered: true }), PATH: '/usr/bin:/bin', HOST_VARIABLE: 'x' };
    const output = await new Promise<string>((resolve) =>
      execFile(file, args, { env }, (_, stdout) => resolve(stdout)),
    );
    const end = { code: 0, signal: null, reason: 'exited', message: '' } as const;
    assert.equal(judge(attack, output, '', end).verdict, 'through', output);
  });
}
