import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STAND_URL } from '../../../test/auth-stand.ts';
import { createVisitor, registered } from '../../../test/authorization-stand.ts';
import { eachDatabase } from '../../../test/databases.ts';
import { emailStand, PASSWORD } from '../../../test/email-stand.ts';
import { createBrowser } from '../../../test/fakes/browser.ts';

const AT = '/oauth/sign-in/email';

eachDatabase('signing in with email on the page', (open, engine) => {
  if (engine === 'postgres') return;

  test('303 with a cookie out of reach; 401 on the page; 403 for a form of elsewhere', async () => {
    const stand = await emailStand(await open());
    await stand.open('ada@example.org');
    const client = await registered(stand.send);
    const it = createVisitor(STAND_URL, createBrowser(stand.send));
    const page = await it.open(client.query({ state: 'kept' }));
    const email = 'ada@example.org';
    const wrong = await it.submit(page, AT, { email, password: 'not this one' });
    assert.equal(wrong.status, 401);
    const shown = await wrong.text();
    assert.match(shown, /role="alert" id="problem">The email address or the password is wrong\./);
    assert.match(shown, /value="ada@example\.org"/);
    assert.doesNotMatch(shown, /not this one/);
    const elsewhere = { origin: 'https://evil.example' };
    assert.equal((await it.submit(page, AT, { email, password: PASSWORD }, elsewhere)).status, 403);
    const other = createVisitor(STAND_URL, createBrowser(stand.send));
    assert.equal((await other.submit(page, AT, { email, password: PASSWORD })).status, 403);

    const right = await it.submit(page, AT, { email, password: PASSWORD });
    assert.equal(right.status, 303);
    assert.match(right.headers.get('location') ?? '', /^https:\/\/capstan\.example\/oauth\/authorize\?.*state=kept/);
    assert.match(
      right.headers.get('set-cookie') ?? '',
      /^__Host-capstan-token=[\w.-]+; Path=\/; Max-Age=86400; Secure; HttpOnly; SameSite=Lax$/,
    );
    assert.match((await it.follow(right)).html, /Signed in as/);
    const as_program = await it.submit(page, AT, { email, password: 'not this one' }, { accept: 'application/json' });
    assert.equal(((await as_program.json()) as { code: string }).code, 'auth.bad_credentials');
  });
});
