import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ropeBlock } from './rope.ts';

const STEP = { name: 'tools/call tide_at', starts_ms: 0, duration_ms: 12, is_failed: false };

test('the hosts of a receipt follow the steps: what was sent and received, and what was refused', () => {
  const hosts = {
    granted_sha256: 'ab'.repeat(32),
    reached: [{ host: '<b>.example', port: 443, connections: 1, bytes_in: 6_554, bytes_out: 1_126 }],
    refused: [{ host: 'evil.example', port: 80, reason: 'not_granted' }],
    complete: false,
  };
  const { html } = ropeBlock([STEP], { whole_ms: 12, more: null, hosts }) ?? assert.fail();
  assert.match(
    html,
    /Reached <code><bdi>&lt;b&gt;\.example<\/bdi>:443<\/code> <span class="fine">1\.1 KiB sent, 6\.4 KiB received/,
  );
  assert.match(html, /Refused <code><bdi>evil\.example<\/bdi>:80<\/code> <span class="fine">not granted/);
  assert.match(html, /Some hosts are not listed: there were too many\./);
  const many = Array.from({ length: 25 }, (_, n) => ({ ...hosts.reached[0], host: `h${n}.example` })) as never[];
  const long = ropeBlock([STEP], { whole_ms: 12, more: null, hosts: { ...hosts, reached: many } }) ?? assert.fail();
  assert.match(long.html, /And 6 more hosts\./);
  const none = ropeBlock([STEP], { whole_ms: 12, more: null, hosts: { ...hosts, reached: [], refused: [] } });
  assert.doesNotMatch(none?.html ?? assert.fail(), /Hosts/);
});
