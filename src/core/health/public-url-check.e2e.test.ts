import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SERVICE } from '#core/service.ts';
import { answering, found } from '#test/doctor-stand.ts';
import { freePort } from '#test/free-port.ts';
import { type PublicUrlCheckDeps, publicUrlCheck } from './public-url-check.ts';
import { serviceCheck } from './service-check.ts';

/** One server that plays every kind of service; the first part of the path selects which. */
let server: Awaited<ReturnType<typeof answering>>;
const nobody = `http://127.0.0.1:${await freePort()}`;
const health = (more: object) => JSON.stringify({ status: 'ok', version: SERVICE.version, instance: 'one', ...more });
const PLAYED: Record<string, [number, string]> = {
  '': [200, health({})],
  older: [200, health({ version: '0.0.1' })],
  stranger: [200, '<h1>Welcome</h1>'],
  proxy: [502, 'Bad Gateway'],
  moved: [301, ''],
  rewritten: [200, health({})],
};
before(async () => {
  server = await answering(({ url = '/' }, response) => {
    const [status, text] =
      url === '/rewritten/api' ? [421, '{}'] : (PLAYED[url.split('/').at(-2) as string] as [number, string]);
    response.writeHead(status, { location: 'https://www.example.org/' }).end(text);
  });
});
after(() => server[Symbol.asyncDispose]());

const look = (path: string, more: Partial<PublicUrlCheckDeps> = {}) =>
  found(
    publicUrlCheck({
      public_url: server.url + path,
      trusted_proxies: [],
      instance: 'one',
      production: false,
      ...more,
    }),
  );

test('doctor reports whether this service, another one, a proxy or nothing answers at PUBLIC_URL', async () => {
  assert.match((await look('')).join(), /^ok: .* the service of this database, version/);
  assert.match((await look('', { instance: 'two' })).join(), /^fail: .* with another database/);
  assert.match((await look('/stranger')).join(), /^fail: .* is not Capstan \(200\)/);
  assert.match((await look('/proxy')).join(), /^warn: The proxy .* \(502\)\. → Start the service/);
  assert.match((await look('/moved')).join(), /^fail: .* redirect/);
  assert.match(
    (await look('', { public_url: nobody })).join(),
    /^warn: From here 127\.0\.0\.1:\d+ is unreachable \(ECONNREFUSED\)/,
  );
  assert.match(
    (await look('', { public_url: 'https://capstan.invalid' })).join(),
    /capstan\.invalid is unreachable \(\w+\)/,
  );
  assert.match((await look('', { public_url: null })).join(), /^ok: Not set/);
});

test('doctor reports a proxy that changes the Host header', async () => {
  assert.match((await look('/rewritten')).join(), /^ok: .*fail: The proxy changes the Host .*CAPSTAN_ALLOWED_HOSTS/);
});

test('doctor requires https and valid trusted proxies in production', async () => {
  const production = (more: Partial<PublicUrlCheckDeps>) => look('', { production: true, ...more });
  assert.match((await production({})).join(), /^fail: .* is not https: .*→ Set PUBLIC_URL=https:/);
  assert.match((await production({ public_url: null })).join(), /^warn: Not set/);
  const public_url = nobody.replace('http', 'https');
  assert.match(
    (await production({ public_url })).at(-1) as string,
    /^warn: A proxy terminates TLS, .*CAPSTAN_TRUSTED_PROXIES/,
  );
  assert.match(
    (await production({ trusted_proxies: ['10.0.0.0/8'] })).at(-1) as string,
    /^ok: X-Forwarded-For .* 10\.0\.0\.0\/8/,
  );
  assert.match((await production({ trusted_proxies: ['::/0'] })).at(-1) as string, /^fail: .*every address/);
});

test("doctor reports whether the service on PORT is running, outdated, another database's or another program", async () => {
  const at = (port: number, instance: string | null = 'one') =>
    found(serviceCheck({ host: '127.0.0.1', port, instance }));
  assert.match((await at(server.port)).join(), /^ok: Running at /);
  assert.match((await at(server.port, 'two')).join(), /^fail: .* uses another database/);
  assert.match((await at(Number(new URL(nobody).port))).join(), /^ok: Not running/);
  assert.match((await at(0)).join(), /^ok: PORT is 0/);
  PLAYED[''] = PLAYED.older as [number, string];
  assert.match((await at(server.port)).join(), /^warn: .*0\.0\.1.* → Restart/);
  PLAYED[''] = PLAYED.stranger as [number, string];
  assert.match((await at(server.port)).join(), /^fail: Another program/);
});
