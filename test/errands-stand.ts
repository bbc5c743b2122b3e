import { addWallet } from '#accounts/users/identities.ts';
import { changeUser } from '#accounts/users/users.ts';
import { type Account, accountsOf } from './accounts.ts';
import { exampleItem, saveItems } from './example-items.ts';
import { type MailServer, startMailServer } from './fakes/mail-server.ts';
import { startMcpFake } from './fakes/mcp-server.ts';
import { linked, saveAll } from './linking.ts';
import { listing, remote } from './listings.ts';
import { type OAuthStand, openOAuthStand } from './oauth-stand.ts';
import { skillFiles } from './publishing-stand.ts';
import { until } from './until.ts';

/**
 * One service for everybody: a visitor, a publisher and an operator. Its jobs run, it sends email, and it lists an MCP server that
 * answers anyone, a skill that was published here and one that was reported.
 */
export interface ErrandsStand extends AsyncDisposable {
  oauth: OAuthStand;
  url: string;
  mail: MailServer;
  newAccount(of: { is_operator?: boolean; wallet?: string }): Promise<Account>;
  /** Asks the API as this account. */
  ask(as: Account, path: string, body: object): Promise<Record<string, string>>;
  /** A skill published by a new account, in its first version. */
  publish(as: Account, name: string): Promise<string>;
}

export const SERVER = 'harbour-tides';
/** Was reported as malware. */
export const REPORTED = 'wreckers-lamp';

export async function openErrandsStand(): Promise<ErrandsStand> {
  const mail = await startMailServer({ tls: 'none' });
  const env = {
    CAPSTAN_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    CAPSTAN_MAIL_FROM: 'Capstan <no-reply@capstan.example>',
  };
  const oauth = await openOAuthStand({ role: 'serve', env });
  const { world, url } = oauth;
  const { database } = world;
  const harbour = await startMcpFake([
    {
      name: 'tide_at',
      description: 'High water of a harbour.',
      annotations: { readOnlyHint: true },
      inputSchema: { type: 'object', properties: { harbour: { type: 'string' } }, required: ['harbour'] },
      call: (args) => ({ content: [{ type: 'text', text: `High water at noon in ${args.harbour}` }] }),
    },
  ]);
  await saveAll(database, [
    listing('mcp-registry', `io.example/${SERVER}`, {
      ...remote(harbour.url),
      name: SERVER,
      description: 'Tide times of harbours',
    }),
  ]);
  await saveItems(database.db, [
    ...[0, 1].map((number) => exampleItem(number)),
    exampleItem(2, { name: REPORTED, external_id: `eve/${REPORTED}`, author: 'eve' }),
  ]);
  await world.catalog.refresh();
  await linked(database);
  const accounts = await accountsOf(world, undefined, url);
  const ask: ErrandsStand['ask'] = async (as, path, body) => {
    const answer = await world.fetch(path, {
      method: 'POST',
      headers: { authorization: `Bearer ${as.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return (await answer.json()) as Record<string, string>;
  };
  const newAccount: ErrandsStand['newAccount'] = async ({ is_operator = false, wallet }) => {
    const account = await accounts.signUp();
    const { id, created_at } = account.user;
    if (is_operator) await changeUser(database.db, id, { is_operator: 1 }, created_at);
    if (wallet !== undefined)
      await addWallet(database.db, { wallet_type: 'ethereum', address: wallet, user_id: id, linked_at: created_at });
    return account;
  };
  const reported = await until(`${REPORTED} in the marketplace's index`, async () => {
    const path = `/api/marketplace/listings?search=${REPORTED}`;
    const { items } = await world.get<{ items: { id: string }[] }>(path);
    return items[0]?.id;
  });
  const reporter = await newAccount({});
  await ask(reporter, `/api/marketplace/listings/${reported}/reports`, {
    kind: 'malware',
    text: 'It sends keys away.',
  });
  const publish: ErrandsStand['publish'] = async (as, name) => {
    const order = { name, version: '1.0.0', license: 'MIT', files: skillFiles(name.split('/')[1] as string) };
    return (await ask(as, '/api/marketplace/listings', order)).id as string;
  };
  return {
    oauth,
    url,
    mail,
    newAccount,
    ask,
    publish,
    [Symbol.asyncDispose]: async () => {
      await oauth[Symbol.asyncDispose]();
      await Promise.all([mail[Symbol.asyncDispose](), harbour.close()]);
    },
  };
}
