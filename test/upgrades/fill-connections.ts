import { createBrowser } from '../fakes/browser.ts';
import type { Filling } from './filling.ts';
import { ADA, CREDENTIAL, PUBLIC_URL } from './people.ts';

/** Connections with a stored credential, with a grant, and in the middle of a sign-in. */
export async function fillConnections({ program, client, mcp, oauth }: Filling): Promise<void> {
  if (!program.offers('connections.connections.create')) return;
  const ada = client(ADA);
  await ada.signInWithWallet();
  const { id } = await ada.connections.create({ body: { name: 'tides', url: mcp.url } });
  await ada.credentials.store({ id, body: { type: 'bearer', token: CREDENTIAL } });
  await ada.tools.list({ id });
  await ada.tools.call({ id, body: { tool: 'tide_at', arguments: {} } });
  for (const ends of [true, false]) {
    const { id: guarded } = await ada.connections.create({
      body: { name: `guarded ${ends}`, url: oauth.mcp.url },
    });
    const browser = createBrowser();
    const answer = await browser.send(`${PUBLIC_URL}/api/sessions/connections/${guarded}/oauth/start`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${ada.token}` },
      body: '{}',
    });
    const { authorization_url } = (await answer.json()) as { authorization_url: string };
    if (ends) await browser.visit(authorization_url);
  }
}
