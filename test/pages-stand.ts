import type { Item } from '#catalog/items/item.ts';
import { systemClock } from '#core/clock/clock.ts';
import { type Account, accountsOf } from './accounts.ts';
import { exampleItem, saveItems } from './example-items.ts';
import { linked, linkNow } from './linking.ts';
import { until } from './until.ts';
import { openWorld, type World } from './world.ts';

/** A service with some listings, hostile ones too, asked as a browser asks. */

export const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** Each page once, with something to show. */
export const PATHS: readonly string[] = [
  '/',
  '/marketplace?search=tool&sort=name',
  '/registry/smithery/forecasts',
  '/providers',
  '/marketplace',
  '/marketplace?search=forcasts',
  '/marketplace?listing_type=skill&sort=name',
  '/publish',
  '/find',
  '/find?search=forcasts',
  '/docs',
  '/docs/first-rig',
  '/docs/errors',
  '/docs/errors/http.invalid',
  '/reference',
  '/reference/items',
  '/reference/tasks',
  '/marketplace?provider=capstan&listing_type=skill',
  '/skills/json-diff',
  '/runs/new?ref=skill/csv-profile',
  '/-/style',
];

/** Hostile text in a listing. */
export const HOSTILE: Item = exampleItem(900, {
  name: '<script>alert(1)</script>"\'',
  description: '<img src=x onerror=alert(1)> \u{202E}txt',
  author: '"><b>',
  homepage: 'javascript:alert(1)',
  external_id: '"><script>/x?y#z',
  provider_id: 'docker',
});

const ITEMS: readonly Item[] = [
  HOSTILE,
  exampleItem(901, {
    name: 'Forecasts',
    external_id: 'forecasts',
    description: 'Weather of any place.',
    tags: ['sky'],
  }),
  exampleItem(902, { provider_id: 'clawhub', listing_type: 'skill', execution_class: 'prompt' }),
  ...Array.from({ length: 60 }, (_, number) => exampleItem(number)),
];

export interface PagesStand extends AsyncDisposable {
  world: World;
  account: Account;
  /** As a browser opens it: signed in with a token. */
  open(path: string, token?: string): Promise<{ status: number; headers: Headers; html: string }>;
}

export async function openPagesStand(
  env: Record<string, string> = {},
  role: 'quiet' | 'serve' = 'quiet',
  items: readonly Item[] = ITEMS,
): Promise<PagesStand> {
  const world = await openWorld(env, role);
  await saveItems(world.database.db, [...items]);
  await world.catalog.refresh();
  await (role === 'serve' ? linked(world.database) : linkNow(world.database));
  await indexed(world, items.find(({ name }) => /^\w+$/.test(name))?.name ?? '');
  const account = await (await accountsOf(world, systemClock, env.PUBLIC_URL)).signUp();
  return {
    world,
    account,
    open: async (path, token) => {
      const cookie = token === undefined ? {} : { cookie: `capstan-token=${token}` };
      const answer = await world.fetch(path, { headers: { accept: BROWSER, host: 'localhost:8080', ...cookie } });
      return { status: answer.status, headers: answer.headers, html: await answer.text() };
    },
    [Symbol.asyncDispose]: world.close,
  };
}

/** Until the marketplace's index, which is updated in a separate thread, has it. */
async function indexed(world: World, search: string): Promise<void> {
  await until(`${search} in the marketplace's index`, async () => {
    const answer = await world.fetch(`/api/marketplace/listings?search=${search}`);
    return answer.ok && ((await answer.json()) as { total_count: number }).total_count > 0;
  });
}
