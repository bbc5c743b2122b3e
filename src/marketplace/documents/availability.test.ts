import assert from 'node:assert/strict';
import { test } from 'node:test';
import { availabilityOf } from './availability.ts';

const SERVER = { listing_type: 'server', execution_class: 'mcp', level: 'checked', has_model: false } as const;
const listed = (install: object | null, probe_reason: string | null = null) => ({
  install: install === null ? null : JSON.stringify(install),
  probe_reason,
});
const remote = (more: object = {}) => ({ remotes: [{ url: 'https://tides.example/mcp', ...more }] });
const KEY = remote({ headers: [{ name: 'X-Api-Key', required: true, secret: true }] });

test('a server is what its last probe says, else what its listing declares', () => {
  const of = (...members: ReturnType<typeof listed>[]) => availabilityOf(members, SERVER);
  assert.equal(of(listed(remote())), 'untried');
  assert.equal(of(listed(remote(), 'ok')), 'runs');
  assert.equal(of(listed(remote(), 'unreachable')), 'silent');
  assert.equal(of(listed(remote(), 'auth_needed')), 'sign_in');
  assert.equal(of(listed({ ...remote(), auth_type: 'oauth' })), 'sign_in');
  assert.equal(of(listed(KEY)), 'key');
  assert.equal(of(listed(KEY, 'auth_needed')), 'key');
  assert.equal(of(listed(null)), 'unknown');
  assert.equal(of(listed(remote({ transport: 'gopher' }))), 'install');
  assert.equal(of(listed(remote(), 'unreachable'), listed(remote(), 'ok')), 'runs', 'the closest listing counts');
});

test('values that a package requires are still required where it starts without them', () => {
  const env = [{ name: 'TOKEN', required: true, secret: true }];
  const install = { packages: [{ registry_type: 'npm', identifier: 'tides', version: '1.0.0', env }] };
  assert.equal(availabilityOf([listed(install, 'ok')], SERVER), 'key');
  const place = { packages: [{ ...install.packages[0], env: [{ name: 'FOLDER', required: true }] }] };
  assert.equal(availabilityOf([listed(place)], SERVER), 'settings');
});

test('a run here shows that it runs, but not that its server answers now', () => {
  const ran = { ...SERVER, level: 'ran' } as const;
  assert.equal(availabilityOf([listed(remote())], ran), 'runs');
  assert.equal(availabilityOf([listed(remote(), 'unreachable')], ran), 'silent');
  assert.equal(availabilityOf([listed(remote(), 'auth_needed')], ran), 'sign_in');
});

test('text needs a language model, scripts do not', () => {
  const skill = { ...SERVER, listing_type: 'skill', execution_class: 'prompt' } as const;
  assert.equal(availabilityOf([listed(null)], skill), 'model');
  assert.equal(availabilityOf([listed(null)], { ...skill, has_model: true }), 'untried');
  assert.equal(availabilityOf([listed(null)], { ...skill, level: 'used', has_model: true }), 'runs');
  assert.equal(availabilityOf([listed(null)], { ...skill, execution_class: 'scripted' }), 'untried');
  assert.equal(availabilityOf([listed(null)], { ...skill, listing_type: 'harness', execution_class: 'mcp' }), 'model');
});
