import { changeUser } from '#accounts/users/users.ts';
import { exampleItem, saveItems } from './example-items.ts';
import { linkNow } from './linking.ts';
import { openPagesStand, type PagesStand } from './pages-stand.ts';
import { skillMd } from './publishing-stand.ts';
import { until } from './until.ts';

/** A service whose marketplace has something of everything: merged, published twice, flagged, unpublished, taken down, and not linked yet. */

export interface MarketplacePages extends PagesStand {
  merged: string;
  skill: string;
  publisher: string;
  unpublished: string;
  taken_down: string;
  /** The marketplace's pages, each with content. */
  paths: readonly string[];
  /** Those of its publisher alone. */
  own_paths: readonly string[];
  /** Asks the API as the account, which is an operator. */
  ask(method: string, path: string, body?: object): Promise<{ status: number; body: Answer }>;
}

// biome-ignore lint/suspicious/noExplicitAny: what is in it is what the tests are about
type Answer = any;

const README = `\n## Steps\n\n<script>alert(1)</script> [click](javascript:alert(1)) ![x](https://evil.example/x.png) [web](https://example.org)\n`;
const filesOf = (name: string, contents: Record<string, string>) => [
  { path: 'SKILL.md', content: skillMd(name, README) },
  ...Object.entries(contents).map(([path, content]) => ({ path, content })),
];

export async function openMarketplacePages(): Promise<MarketplacePages> {
  const stand = await openPagesStand();
  const { world, account } = stand;
  const { db } = world.database;
  await changeUser(db, account.user.id, { is_operator: 1 }, new Date().toISOString());
  const homepage = 'https://github.com/sky/tides';
  await saveItems(db, [
    exampleItem(950, {
      provider_id: 'mcp-registry',
      name: 'tides',
      author: 'io.github.sky',
      external_id: 'io.github.sky/tides',
      homepage,
    }),
    exampleItem(951, {
      provider_id: 'smithery',
      name: 'tides',
      author: 'sky',
      external_id: '@sky/tides',
      homepage,
      version: '2.0.0',
    }),
    exampleItem(952, { name: 'bad-thing', external_id: 'eve/bad-thing', author: 'eve' }),
  ]);
  const ask: MarketplacePages['ask'] = async (method, path, body) => {
    const headers = { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await world.fetch(`/api/marketplace/listings${path}`, { method, headers, ...sent });
    return { status: answer.status, body: await answer.json() };
  };
  const publish = async (name: string, version: string, contents: Record<string, string>): Promise<string> => {
    const order = {
      name: `tidewater-lab/${name}`,
      version,
      license: 'MIT',
      files: filesOf(name, contents),
      tags: ['text'],
    };
    const { status, body } = await ask('POST', '', order);
    if (status !== 201) throw new Error(JSON.stringify(body));
    return body.id;
  };
  const skill = await publish('count-words', '1.0.0', {
    'assets/a.txt': 'one\ntwo\nthree\n',
    'gone.txt': 'x\n',
  });
  await publish('count-words', '1.1.0', { 'assets/a.txt': 'one\n2 <b>\nthree\n', 'new.bin': '\u0000\u0001' });
  const unpublished = await publish('drop-words', '1.0.0', {});
  await ask('POST', `/${unpublished}/unpublish`, { reason: 'A key was left in <b>.' });
  await linkNow(world.database);
  await saveItems(db, [exampleItem(953, { name: 'late-thing', external_id: 'eve/late-thing' })]);
  const merged = await idOf(stand, 'tides');
  const taken_down = await idOf(stand, 'bad-thing');
  const decision = { kind: 'malware', reason: 'It sends <i>keys</i> away.', revision: '' };
  await ask('POST', `/${taken_down}/decisions`, { decision: 'takedown', ...decision });
  await ask('POST', `/${skill}/decisions`, { decision: 'flag', ...decision });
  const { body } = await ask('GET', `/${skill}`);
  const publisher: string = body.publisher.id;
  const at = `/marketplace/${skill}`;
  const paths = [
    `/marketplace/${merged}`,
    at,
    `${at}/diff`,
    `${at}/versions/1.0.0`,
    `${at}/versions/1.0.0/files/assets/a.txt`,
    `${at}/standing`,
    `/publishers/${publisher}`,
  ];
  const own_paths = ['/dashboard/publishing', `/dashboard/publishing/${skill}`, `/publish?from=${skill}`];
  return { ...stand, merged, skill, publisher, unpublished, taken_down, paths, own_paths, ask };
}

/** Once the index, which is updated in a separate thread, has it. */
async function idOf({ world }: PagesStand, search: string): Promise<string> {
  return until(`${search} in the marketplace's index`, async () => {
    const { items } = await world.get<Answer>(`/api/marketplace/listings?search=${search}`);
    return items[0]?.id as string | undefined;
  });
}
