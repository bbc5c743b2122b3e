import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openKubernetesApi } from './api.ts';

/** The client as it runs in a Pod: over TLS, with the CA and token of a service account. */

const dir = mkdtempSync(join(tmpdir(), 'capstan-account-'));
after(() => rmSync(dir, { recursive: true }));
const path = (name: string) => join(dir, name);
const hasOpenssl = makeCertificate();

function makeCertificate(): boolean {
  const subject = ['-subj', '/CN=kubernetes', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', path('key.pem'), '-out', path('ca.crt')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  try {
    execFileSync('openssl', ['req', '-x509', ...kind, ...subject, ...files], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test('sends the service account’s token, reads it again when it is refused, verifies the server’s CA, and reports the API’s error message', {
  skip: !hasOpenssl && 'openssl is not installed',
}, async () => {
  writeFileSync(path('token'), 'token-of-the-account\n');
  const seen: (string | undefined)[] = [];
  const certificate = { key: readFileSync(path('key.pem')), cert: readFileSync(path('ca.crt')) };
  const server = createServer(certificate, (request, response) => {
    seen.push(request.headers.authorization);
    if (request.url === '/refused') {
      response.writeHead(403).end(JSON.stringify({ kind: 'Status', message: 'pods is forbidden' }));
      return;
    }
    if (request.url === '/rotated' && request.headers.authorization !== 'Bearer second') {
      response.writeHead(401).end(JSON.stringify({ kind: 'Status', message: 'Unauthorized' }));
      return;
    }
    response.end('{"items":[]}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const api = openKubernetesApi({ url, account_dir: dir });
  assert.deepEqual(await api.call('GET', '/pods'), { items: [] });
  assert.deepEqual(seen, ['Bearer token-of-the-account']);
  await assert.rejects(api.call('GET', '/refused'), {
    name: 'KubernetesError',
    status: 403,
    message: 'pods is forbidden',
  });
  const elsewhere = openKubernetesApi({ url, account_dir: null });
  await assert.rejects(elsewhere.call('GET', '/pods'), { status: 0, message: /does not answer/ });
  assert.equal(seen.length, 2, 'a server with another authority is sent nothing');
  seen.length = 0;
  await assert.rejects(api.call('GET', '/rotated'), { status: 401 });
  assert.equal(seen.length, 1, 'a token that did not change is not sent again');
  writeFileSync(path('token'), 'second\n');
  assert.deepEqual(await api.call('POST', '/rotated', { kind: 'Pod' }), { items: [] });
  assert.deepEqual(seen.slice(1), ['Bearer token-of-the-account', 'Bearer second']);
  for (const one of [api, elsewhere]) one.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
