import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { connect, FREE, PATH, packagedFixture, saved } from '#test/packaged-stand.ts';
import { noPackagesHere } from '#test/packages/runtime.ts';
import { until } from '#test/until.ts';

const skip = await noPackagesHere();
const fixture = await packagedFixture();

oneDatabase('PUT /api/sessions/connections/{id}/hosts', (open) => {
  test('404 for a connection of another user; 422 for a connection with a URL', async () => {
    const database = await open();
    await using opened = await fixture.open(database);
    const { stand } = opened;
    const [ana, bob] = [await stand.newUser(), await stand.newUser()];
    const place = await stand.connect(ana, 'http://127.0.0.1:1/mcp');
    const hosts = { hosts: ['api.example.com'] };
    assert.equal((await stand.ask(bob, 'PUT', `${place}/hosts`, hosts)).status, 404);
    const refused = await stand.ask(ana, 'PUT', `${place}/hosts`, hosts);
    assert.deepEqual([refused.status, refused.body.code, refused.body.reason], [422, 'connections.invalid', 'hosts']);
  });

  test('200: grants and revokes hosts; a refused host is proposed and recorded in the trace', {
    skip,
  }, async () => {
    const database = await open();
    await using opened = await fixture.open(database);
    const { stand } = opened;
    await saved(database, 'com.example/wants', { ...FREE, hosts: ['listed.example.com'] });
    const as = await stand.newUser();
    const made = await connect(stand, as, 'com.example/wants', { variables: { NEEDS_HOST: 'api.example.com' } });
    assert.equal(made.status, 201, made.text);
    assert.deepEqual([made.body.status, made.body.last_error.code], ['error', 'connections.hosts_required']);
    assert.match(made.body.last_error.detail, /api\.example\.com/);
    assert.deepEqual(made.body.package.wanted_hosts, ['api.example.com']);
    assert.deepEqual(made.body.package.proposed_hosts, ['listed.example.com', 'api.example.com']);
    const calm = await connect(stand, as, 'com.example/wants');
    const place = `${PATH}/${calm.body.id}`;
    const called = await stand.ask(as, 'POST', `${place}/tools/call`, {
      tool: 'fetch',
      arguments: { host: 'api.example.com' },
    });
    assert.match(called.body.content[0].text, /ENOTFOUND/);
    await until('its span is stored', async () => {
      const rows = await database.db
        .selectFrom('spans')
        .selectAll()
        .where('trace_id', '=', called.body.trace_id)
        .execute();
      return /capstan\.package\.hosts.*refused api\.example\.com \(not_granted\)/s.test(JSON.stringify(rows));
    });
    const shown = await stand.ask(as, 'GET', place);
    assert.deepEqual(shown.body.package.wanted_hosts, ['api.example.com']);
    const granted = await stand.ask(as, 'PUT', `${place}/hosts`, { hosts: ['API.example.com', '*.example.org:8443'] });
    assert.equal(granted.status, 200, granted.text);
    assert.deepEqual(granted.body.package.hosts, ['api.example.com', '*.example.org:8443']);
    assert.deepEqual(granted.body.package.proposed_hosts, ['listed.example.com']);
    const bad = await stand.ask(as, 'PUT', `${place}/hosts`, { hosts: ['169.254.169.254'] });
    assert.deepEqual([bad.status, bad.body.code, bad.body.reason], [422, 'connections.invalid', 'hosts']);
    assert.deepEqual((await stand.ask(as, 'PUT', `${place}/hosts`, { hosts: [] })).body.package.hosts, []);
    const audit = await database.db.selectFrom('audit_log').selectAll().execute();
    assert.ok(audit.some((row) => JSON.stringify(row).includes('sessions.grant_hosts')));
  });
});
