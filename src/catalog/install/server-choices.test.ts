import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuTimeOf } from '#test/cpu-time.ts';
import { serverChoices } from './server-choices.ts';

test('the choices of a server list URLs before packages, with the values that each takes', () => {
  const [remote, packaged, ...more] = serverChoices({
    remotes: [
      { url: 'https://x.example/{region}', headers: [{ name: 'X-Key', required: true, secret: true }] },
      { url: 'https://x.example/other', transport: 'carrier-pigeon' },
    ],
    packages: [{ registry_type: 'npm', identifier: 'tides', version: '1.0.0', env: [{ name: 'UNITS' }] }],
  });
  assert.deepEqual(
    [remote?.remote, remote?.package, remote?.inputs.map(({ name, in: place, secret }) => [name, place, secret])],
    [
      0,
      null,
      [
        ['X-Key', 'header', true],
        ['region', 'variable', false],
      ],
    ],
  );
  assert.deepEqual(
    [packaged?.remote, packaged?.package, packaged?.title, packaged?.inputs.map(({ name }) => name)],
    [null, 0, 'npm tides 1.0.0', ['UNITS']],
  );
  assert.deepEqual(more, []);
});

test('choices and their inputs are limited, and reading them takes linear time', () => {
  const remoteOf = (count: number) => ({
    url: 'https://x.example/',
    headers: Array.from({ length: count }, (_, at) => ({ name: `h${at}`, value: `{a${at}}` })),
    variables: Array.from({ length: count }, (_, at) => ({ name: `v${at}` })),
  });
  const [one, eight] = [2_000, 16_000].map((count) => {
    const install = { remotes: [remoteOf(count)] };
    return cpuTimeOf(() => serverChoices(install), 0);
  }) as [number, number];
  assert.ok(eight <= 24 * Math.max(one, 4), `${one} ms, and ${eight} ms for eight times as many`);
  const choices = serverChoices({ remotes: Array.from({ length: 50 }, () => remoteOf(200)) });
  assert.deepEqual([choices.length, choices[0]?.inputs.length], [20, 100]);
});
