import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openWeb } from './web.ts';

const host = 'localhost:8080';
const base_url = `http://${host}`;

/** The pages of a reader who is signed in, over an API that knows the task `tides`. */
function pages() {
  const asked: string[] = [];
  const web = openWeb({
    public_url: null,
    visible: (text) => text,
    textWorkFor: () => ({ renderMarkdown: async (text) => text, lineDiff: async () => null }),
    fetchFor: () => async (url, init) => {
      const { pathname } = new URL(url);
      if (pathname === '/api/auth/session')
        return Response.json({ user: { id: 'u', display_name: 'Ann' }, tier: 'new' });
      asked.push(`${init?.method ?? 'GET'} ${pathname}`);
      return pathname.endsWith('/tides')
        ? new Response(null, { status: 204 })
        : Response.json({ code: 'tasks.not_found', title: 'No such task', status: 404 }, { status: 404 });
    },
    site: {
      title: 'Capstan',
      description: '',
      version: '0.1.0',
      base_url,
      has_google: false,
      has_mail: true,
      has_model: false,
      has_probes: false,
      guides: async () => new Map(),
      openapi: () => Promise.reject(new Error('unused')),
      problem_codes: async () => [],
      ranking: async () => () => [],
      turn: async () => {},
      now: () => 0,
    },
  });
  const send = (method: 'GET' | 'POST', url: string, body = '') =>
    web.answer({
      method,
      url,
      headers: { host, origin: base_url, accept: 'text/html', cookie: 'capstan-token=a.b.c' },
      body,
      address: '127.0.0.1',
    });
  return { asked, send };
}

test('a form that is sent to the Markdown address of a page does nothing to the page', async () => {
  const { asked, send } = pages();
  assert.equal((await send('POST', '/runs/tides.md', 'do=delete'))?.status, 404);
  assert.deepEqual(asked, ['DELETE /api/agents/tasks/tides.md']);
  assert.equal((await send('POST', '/runs/tides', 'do=delete'))?.status, 303);
  assert.deepEqual(asked.slice(1), ['DELETE /api/agents/tasks/tides']);
});
