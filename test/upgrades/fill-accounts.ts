import { createVisitor, registered } from '../authorization-client.ts';
import { createBrowser } from '../fakes/browser.ts';
import { solanaWallet } from '../wallet-keys.ts';
import type { Filling } from './filling.ts';
import { ADA, BOB, OPERATOR, PUBLIC_URL } from './people.ts';

/** Accounts of each kind, what they prove themselves with, and what they have begun and not ended. */
export async function fillAccounts(filling: Filling): Promise<void> {
  const { client, program } = filling;
  const ada = client(ADA);
  const { user } = await ada.signInWithWallet();
  await ada.apiKeys.create({ id: user.id, body: { name: 'nightly build', scopes: ['read'] } });
  await ada.users.update({ id: user.id, body: { display_name: 'Ada' } });
  await ada.call('accounts.wallets.link', { body: await ada.linkProof(solanaWallet()) });
  await client(OPERATOR).signInWithWallet();
  await program.command('users', 'set-tier', user.id, 'pro');
  await program.command('users', 'grant-operator', OPERATOR.address);
  await byEmail(filling);
  await byGoogle(filling);
  // Never answered.
  await client().wallets.createChallenge({ body: { wallet_address: ADA.address, wallet_type: 'ethereum' } });
  if (program.offers('accounts.oauth.createToken')) await letClientIn();
}

async function byEmail({ client, mailed }: Filling): Promise<void> {
  await client().email.register({ body: { ...BOB, display_name: 'Bob' } });
  const token = await mailed(BOB.email);
  await client().email.verify({ body: { token, password: BOB.password } });
  await client().signInWithEmail(BOB);
  await client().email.requestPasswordReset({ body: { email: BOB.email } });
}

async function byGoogle({ google }: Filling): Promise<void> {
  google.subject = 'gus';
  const begin = async () => {
    const browser = createBrowser();
    const answer = await browser.send(`${PUBLIC_URL}/api/auth/google/start`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    const { authorization_url } = (await answer.json()) as { authorization_url: string };
    return { browser, authorization_url };
  };
  const { browser, authorization_url } = await begin();
  await browser.visit(authorization_url);
  await begin();
}

/** One client that was let in, and one whose code was never redeemed. */
async function letClientIn(): Promise<void> {
  const ask = (path: string, init?: RequestInit) => fetch(PUBLIC_URL + path, init);
  for (const redeems of [true, false]) {
    const editor = await registered(ask);
    const visitor = createVisitor(PUBLIC_URL);
    const asked = await visitor.open(editor.query({ resource: `${PUBLIC_URL}/mcp/jsonrpc` }));
    const back = await visitor.decide(await visitor.withEmail(asked, BOB.email, BOB.password));
    const code = back.searchParams.get('code');
    if (code === null) throw new Error(`no code: ${back}`);
    if (redeems) await editor.redeem(code, { resource: `${PUBLIC_URL}/mcp/jsonrpc` });
  }
}
