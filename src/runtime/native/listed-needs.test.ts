import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listedNeeds } from './listed-needs.ts';

const skillMd = (frontmatter: string) => `---\n${frontmatter}\n---\nTie knots.`;

test('programs, variables, hosts, packages and systems of a frontmatter are read', () => {
  const metadata = {
    openclaw: {
      os: ['darwin', 'linux', 7],
      requires: { bins: ['curl', 'jq'], anyBins: ['brew', 'apt'], env: ['KNOT_KEY', 'KNOT_KEY', 'not a name'] },
      network: ['https://api.knots.example/v1'],
      install: [{ kind: 'node', package: 'knots@1.2.0', bins: ['jq'] }],
    },
  };
  assert.deepEqual(listedNeeds(skillMd(`name: knots\nmetadata: ${JSON.stringify(metadata)}`)), {
    programs: [['curl'], ['brew', 'apt']],
    environment: ['KNOT_KEY'],
    hosts: ['api.knots.example'],
    packages: [{ ecosystem: 'npm', name: 'knots', wanted: '1.2.0' }],
    systems: ['darwin', 'linux'],
  });
});

test('a text that declares nothing, or that cannot be read, has no needs', () => {
  for (const text of ['', 'no frontmatter', skillMd('name: knots'), skillMd('a: [b'), skillMd('metadata: 7')])
    assert.equal(listedNeeds(text), null, text);
});

test('lists of any length are cut', () => {
  const bins = Array.from({ length: 400 }, (_, n) => `p${n}`);
  const needs = listedNeeds(skillMd(`metadata: ${JSON.stringify({ openclaw: { requires: { bins, env: bins } } })}`));
  assert.deepEqual([needs?.programs.length, needs?.environment.length], [50, 50]);
});
