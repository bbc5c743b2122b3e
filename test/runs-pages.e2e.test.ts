import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DIFF, openRunsStand } from './runs-stand.ts';
import { until } from './until.ts';

/** Runs, their receipts, the form to try something, and the chat, as they are without scripts. */

const stand = await openRunsStand();
after(() => stand[Symbol.asyncDispose]());
const { world, open, api, account } = stand;
const done = await stand.runSkill('json-diff', DIFF);
const task = await api<{ receipt_id: string; trace_id: string }>('GET', `/api/agents/tasks/${done}`);

async function send(path: string, fields: Record<string, string>, token: string | null = account.token) {
  const cookie = token === null ? {} : { cookie: `capstan-token=${token}` };
  const headers = { host: 'localhost:8080', 'sec-fetch-site': 'same-origin', accept: 'text/html', ...cookie };
  const body = `${new URLSearchParams(fields)}`;
  const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await world.fetch(path, { method: 'POST', headers: form, body });
  return { status: answer.status, location: answer.headers.get('location') ?? '', html: await answer.text() };
}

const text = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replace(/\s+/g, ' ');

test('a completed run shows its status, output, input, history, console output, trace and receipt', async () => {
  const { status, html } = await open(`/runs/${done}`, account.token);
  assert.equal(status, 200);
  const shown = text(html);
  for (const part of [/Completed/, /"before": \{ "port": 80 \}/, /working queued/, /Console output \{"equal":false/])
    assert.match(shown, part);
  assert.match(html, /<a href="\/runs\/[\w-]+\?as=json#output">JSON<\/a><\/nav>/, 'there is no text to show raw');
  assert.match(text((await open(`/runs/${done}?as=json`, account.token)).html), /"path": "\/host"/);
  assert.match(html, /Only you can see it[\s\S]*<aside class="proof" aria-label="Proof">[\s\S]*Signature valid/);
  assert.match(html, /<rect x="[\d.]+" y="0" width="[\d.]+" height="10"\/>/);
  assert.match(shown, /Show as table Span/);
  assert.match(shown, /Capability ?skill\/json-diff@1\.0\.0 sha256:[0-9a-f]{64}/);
  assert.match(shown, new RegExp(`api/receipts/${task.receipt_id} &gt; receipt.json capstan verify`));
  assert.doesNotMatch(html, / style=|<script(?! type="module" src="\/-\/)/);
});

test('a run without a session redirects to the sign-in, and other users get 404', async () => {
  for (const path of [
    `/runs/${done}`,
    `/runs/${done}/download/output`,
    '/chat?offset=30',
    '/runs/new?ref=rig%2Fmine',
  ]) {
    const { status, headers } = await open(path);
    assert.deepEqual([status, headers.get('location')], [303, `/signin?to=${encodeURIComponent(path)}`]);
  }
  const { token } = await (await import('./accounts.ts')).accountsOf(world).then((accounts) => accounts.signUp());
  assert.equal((await open(`/runs/${done}`, token)).status, 404);
  assert.equal((await open(`/runs/${done}/download/output`, token)).status, 404);
  assert.equal((await send(`/runs/${done}`, { do: 'cancel' }, token)).status, 404);
});

test('a reader without a session runs a skill by its form, sees the run by its link, and an account is asked for where one is needed', async () => {
  const path = '/runs/new?ref=skill%2Fjson-diff';
  const form = await open(path);
  assert.match(text(form.html), /Run without an account Sign in 5 of 5 left today/);
  assert.doesNotMatch(form.html, /name="files"/);
  const fields = { 'in.before': '{"port":80}', 'in.after': '{"port":8080}' };
  const wrong = await send(path, { ...fields, 'in.before': '{' }, null);
  assert.equal(wrong.status, 422);
  const { status, location } = await send(path, fields, null);
  assert.equal(status, 303);
  assert.match(location, /^\/r\/[\w-]{43}$/);
  const run = await until('its end', async () => {
    const page = await open(location);
    return !page.html.includes('http-equiv="refresh"') && page;
  });
  assert.match(text(run.html), /Run without an account ?Run of json-diff/);
  assert.match(text(run.html), /It is deleted on \d{4}-\d\d-\d\d ?; its receipt stays\./);
  assert.match(text(run.html), /Steps.*Run the capability.*Read the skill.*Run the script/);
  assert.match(text(run.html), /asked by ?an anonymous caller/);
  assert.match(run.html, /href="\/runs\/new\?ref=skill%2Fjson-diff"[^>]*>.*Run it yourself/);
  assert.match(text(run.html), /\/port/);
  assert.doesNotMatch(run.html, /value="cancel"/);
  assert.match(text((await open(path)).html), /4 of 5 left today/);
  const listing = await open('/runs/new?ref=listing/smithery/forecasts&tool=x');
  assert.match(text(listing.html), /Sign in to run this/);
  assert.doesNotMatch(listing.html, /Run without an account<\/button>/);
  const refused = await send('/runs/new?ref=listing/smithery/forecasts&tool=x', { json: '{}' }, null);
  assert.equal(refused.status, 403);
  assert.match(text(refused.html), /Sign in to run it\./);
  await world.database.db.updateTable('trial_days').set({ used: 5 }).execute();
  const none = await send(path, fields, null);
  assert.equal(none.status, 429);
  assert.equal(text(none.html).split('Your address has started 5 runs today').length, 2);
  assert.doesNotMatch(none.html, /Run without an account<\/button>/);
});

test('the front page shows a real run of the service with its receipt, or says that there is none', async () => {
  assert.match(text((await open('/')).html), /No example run yet|csv-profile/);
  const { html } = await until('the example', async () => {
    const page = await open('/');
    return page.html.includes('Signature valid') && page;
  });
  assert.match(
    text(html),
    /csv-profile ?Example run by this service.*id,city,founded,people,capital.*people ?integer ?1 ?2/,
  );
  const [, id = ''] = /href="\/receipts\/([\w-]+)"/.exec(html) ?? [];
  assert.match(text((await open(`/receipts/${id}`)).html), /asked by ?the service itself/);
});

test('a receipt page is public and shows neither input nor output', async () => {
  const { status, html } = await open(`/receipts/${task.receipt_id}`);
  assert.equal(status, 200);
  assert.match(text(html), /log entry\s*\d+ of \d+/);
  assert.doesNotMatch(html, /8080|data-task/);
  assert.equal((await open('/receipts/nothing')).status, 404);
});

test('input, output and files are served as downloads, never displayed', async () => {
  const output = await open(`/runs/${done}/download/output`, account.token);
  assert.equal(output.headers.get('content-disposition'), 'attachment; filename="output.json"');
  assert.equal(JSON.parse(output.html).equal, false);
  for (const what of ['nothing', 'output/nothing.txt', '../x'])
    assert.equal((await open(`/runs/${done}/download/${what}`, account.token)).status, 404, what);
  const input_files = [{ path: 'a/page.html', content_base64: btoa('<script>alert(1)</script>') }];
  const capability = { kind: 'skill', ref: 'json-diff' };
  const { id } = await api<{ id: string }>('POST', '/api/agents/tasks', { capability, input: DIFF, input_files });
  const file = await open(`/runs/${id}/download/input/a/page.html`, account.token);
  assert.deepEqual(
    [file.headers.get('content-type'), file.headers.get('content-disposition'), file.html],
    ['application/octet-stream', 'attachment; filename="page.html"', '<script>alert(1)</script>'],
  );
  assert.match((await open(`/runs/${id}`, account.token)).html, /<bdi>a\/page\.html<\/bdi>/);
  assert.deepEqual((await send(`/runs/${id}`, { do: 'cancel' })).location, `/runs/${id}`);
  assert.match(text((await open(`/runs/${id}`, account.token)).html), /Cancelled/);
});

test('a finished run says how long it is kept, runs again with one click, and is compared with the new run', async () => {
  const { html } = await open(`/runs/${done}`, account.token);
  assert.match(html, /Kept until <time datetime="20\d\d-/);
  assert.match(html, new RegExp(`from=${done}&amp;version=1\\.0\\.0`));
  const again = (await send(`/runs/${done}`, { do: 'again' })).location;
  assert.match(again, /^\/runs\/[\w-]+$/);
  assert.notEqual(again, `/runs/${done}`);
  await until('an end', async () => /data-status="completed"/.test((await open(again, account.token)).html));
  const choice = (await open(`/runs/${done}/compare`, account.token)).html;
  const [, path = ''] = /href="(\/runs\/[\w-]+\/compare\?with=[\w-]+)"/.exec(choice) ?? [];
  const compared = (await open(path, account.token)).html;
  assert.match(text(compared), /Time ?\d[\d.]* m?s ?\d[\d.]* m?s/);
  assert.match(text(compared), /Input The same in both runs\. Output The same in both runs\./);
  assert.doesNotMatch(compared, /is newer/);
  const set = world.database.db.updateTable('tasks').set({ capability_version: '0.9.0' });
  await set.where('id', '=', again.slice('/runs/'.length)).execute();
  assert.match(
    text((await open(again, account.token)).html),
    /used version 0\.9\.0\. Version 1\.0\.0 is newer: run it/,
  );
  const gone = await send(again, { do: 'delete' });
  assert.equal(gone.location, '/dashboard/tasks?done=task_deleted');
  assert.equal((await open(again, account.token)).status, 404);
});

test('a run is shared by a link with what the owner chose: the preview is the same, and revoking ends it', async () => {
  const share = `/runs/${done}/share`;
  const whatIn = (html: string) =>
    text(html)
      .replace(/^.*completed/, '')
      .replace(/(?:Verify on this page|Capstan 0).*/, '');
  for (const fields of [{}, { input: 'on' }]) {
    const preview = (await open(`${share}?${new URLSearchParams(fields)}`, account.token)).html;
    const made = await send(share, { do: 'share', lasts: '7', ...fields });
    const [, path = ''] = /(\/r\/[\w-]{43})</.exec(made.html) ?? [];
    const shared = await open(path);
    assert.equal(shared.status, 200);
    assert.match(shared.html, /<meta name="robots" content="noindex">/);
    assert.match(text(shared.html), /\/port ?8080/);
    assert.equal(shared.html.includes('&quot;before&quot;'), 'input' in fields);
    assert.match(text(shared.html), /Signed by ?this service/);
    for (const hidden of [account.user.id, done]) assert.ok(!shared.html.includes(hidden), hidden);
    assert.equal(whatIn(preview.slice(preview.indexOf('What others will see'))), whatIn(shared.html));
    const download = await open(`${path}/download/output`);
    assert.equal(download.headers.get('content-disposition'), 'attachment; filename="output.json"');
    assert.equal((await open(`${path}/view/output`)).status, 404);
    const [, id = ''] = /name="share" value="([^"]+)"/.exec((await open(share, account.token)).html) ?? [];
    assert.equal((await send(share, { do: 'revoke', share: id })).location, `${share}#links`);
    assert.equal((await open(path)).status, 404);
  }
  const { token } = await (await import('./accounts.ts')).accountsOf(world).then((accounts) => accounts.signUp());
  assert.equal((await open(share, token)).status, 404);
});

test('the run form has a field per member of the input schema, and a sign-in link instead of Run without a session', async () => {
  const { html } = await open('/runs/new?ref=skill/csv-profile');
  assert.match(html, /<textarea id="in-0" name="in\.csv" required[^>]*>\nid,city,founded/);
  assert.match(html, /<select id="in-1" name="in\.delimiter"/);
  assert.match(html, /<input type="number" id="in-3" name="in\.top"[^>]* value="1" step="1"/);
  assert.match(html, /href="\/signin\?to=%2Fruns%2Fnew%3Fref%3Dskill%252Fcsv-profile"/);
  assert.doesNotMatch(html, /Run<\/button>/);
  assert.match((await open('/runs/new?ref=skill/csv-profile', account.token)).html, /Run<\/button>/);
  assert.equal((await open('/runs/new')).status, 400);
  assert.equal((await open('/runs/new?ref=skill/nothing')).status, 404);
  const again = (await open(`/runs/new?ref=skill/json-diff&from=${done}`, account.token)).html;
  assert.match(again, /&quot;port&quot;: 8080/);
});

test('422: an invalid value is reported beside its field, and the form keeps the input', async () => {
  const path = '/runs/new?ref=skill/csv-profile';
  const broken = await send(path, { 'in.csv': 'a,b', 'in.top': '1.5' });
  assert.equal(broken.status, 422);
  assert.match(broken.html, /name="in\.top" aria-invalid="true" aria-describedby="in-3-about in-3-fault" value="1\.5"/);
  assert.match(broken.html, /id="in-3-fault">.*?<span>Not a whole number: 1\.5/);
  const refused = await send(path, { 'in.csv': 'a,b', 'in.top': '-5' });
  assert.equal(refused.status, 422);
  assert.match(refused.html, /docs\/errors\/runs\.input_invalid/);
  assert.match(refused.html, /id="in-3-fault">/);
  assert.match(refused.html, />\na,b<\/textarea>/);
});

test('submitting the run form twice with the same key creates and starts one task', async () => {
  const fields = {
    key: crypto.randomUUID(),
    'in.before': '{"a":1}',
    'in.after': '{"a":2}',
    file_name: 'note.txt',
    file_text: 'x',
  };
  const [first, second] = [
    await send('/runs/new?ref=skill/json-diff', fields),
    await send('/runs/new?ref=skill/json-diff', fields),
  ];
  assert.deepEqual([first.status, second.location], [303, first.location]);
  const id = first.location.slice('/runs/'.length);
  const made = await api<{ input: unknown; status: string; input_files: { path: string }[] }>(
    'GET',
    `/api/agents/tasks/${id}`,
  );
  assert.deepEqual(
    [made.input, made.input_files.map(({ path }) => path)],
    [{ before: { a: 1 }, after: { a: 2 } }, ['note.txt']],
  );
  assert.notEqual(made.status, 'submitted');
});

test('what only a model can run has no form where there is none, and no id as its name', async () => {
  const { html } = await open('/runs/new?ref=listing/clawhub/ana%2Ftool-902', account.token);
  assert.match(html, /This needs a language model/);
  assert.doesNotMatch(html, /Run<\/button>/);
  const id = '01a207a9-0000-7000-8000-000000000000';
  const harness = await open(`/runs/new?ref=harness/${id}`, account.token);
  assert.match(harness.html, /<h1>Try <bdi>your harness</);
  assert.doesNotMatch(harness.html, new RegExp(`<bdi>[^<]*${id}`));
});

test('running a server first asks for the tool', async () => {
  const { html } = await open('/runs/new?ref=listing/smithery/forecasts');
  assert.match(html, /tools of this server are not known yet/);
  const named = await open('/runs/new?ref=listing/smithery/forecasts&tool=look', account.token);
  assert.match(named.html, /<textarea id="input-json"/);
});

test('skill pages show instructions, files with digests, an example input and a link to run it', async () => {
  const { html } = await open('/skills/json-diff');
  for (const part of [
    /<h2>Input<\/h2>/,
    /sha256:[0-9a-f]{64}/,
    /Run it here/,
    /action="\/runs\/new\?ref=skill%2Fjson-diff"/,
  ])
    assert.match(html, part);
  // The form is filled with the example.
  assert.match(html, /<textarea [^>]*name="in\.before"[^>]*>\s*[^<\s]/);
  const files = await open('/skills/json-diff?tab=files&file=scripts%2Frun.mjs');
  assert.match(files.html, /SHA-256 [0-9a-f]{64}/);
  assert.match(files.html, /<span id="L1">.*<span class="[ckns]">/, 'a script is readable and highlighted');
  assert.equal((await open('/skills/nothing')).status, 404);
});

test('the chat works without scripts: it shows the steps of a turn, rejects an unknown model, and can be deleted', async () => {
  const begun = await send('/chat', { do: 'say', message: 'run json-diff with before=1 after=<b>2' });
  assert.equal(begun.status, 303);
  const path = begun.location.replace(/#.*/, '');
  const { html } = await open(path, account.token);
  assert.match(html, /<code>task_start<\/code> <span class="state good">.*?<\/svg>completed/);
  // The result is shown as on the page of the run, once, with its receipt, and not as JSON.
  assert.match(html, /<section class="block ran"[^>]*>.*skill <bdi>json-diff<\/bdi>/);
  assert.match(html, /<a href="\/runs\/[\w-]+">.*?View run<\/a><a href="\/receipts\/[\w-]+">/);
  assert.match(text(html), /equal ?false ?counts/);
  assert.doesNotMatch(html, /\/api\/receipts\//);
  assert.match(html, /not a language model/);
  assert.match(html, /after=&lt;b&gt;2/);
  assert.doesNotMatch(html, /<b>2/);
  assert.match(text(html), /Built-in planner ?No language model is set up/);
  assert.doesNotMatch(html, /<option|openai\//, 'only what works');
  const found = await send(path, { do: 'say', message: 'find a tool for CSV' });
  assert.match(
    (await open(found.location.replace(/#.*/, ''), account.token)).html,
    /name="message" value="run csv-profile"/,
  );
  const unknown = await send(path, { do: 'model', model: 'nobody/none' });
  assert.deepEqual([unknown.status, /agents\.model_invalid/.test(unknown.html)], [422, true]);
  assert.equal((await send(path, { do: 'delete' })).location, '/chat');
  assert.equal((await open(path, account.token)).status, 404);
  const refused = await send(path, { do: 'say', message: 'go on' });
  assert.equal(refused.status, 404);
});
