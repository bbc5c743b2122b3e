import { openMarketplacePages } from './marketplace-pages.ts';
import { GATE_PATHS, OWN_PATHS, openOwnPagesStand } from './own-pages-stand.ts';
import { PATHS } from './pages-stand.ts';
import { openRunsStand } from './runs-stand.ts';

/** Every page of the service with something on it, from services that stay open while one looks at them. */

export const NOT_THERE = '/nothing/here';

/** Of an operator. */
const DESK_PATHS = ['/desk', '/desk/reports/acted', '/desk/providers', '/desk/users', '/desk/audit'];

export interface PlacedPage {
  origin: string;
  path: string;
  /** The path with the ids of this run taken out, so that it is the same in each. */
  name: string;
  /** Of a reader who sees it. */
  token: string;
  /** Who it is for: pages for readers are shown signed out. */
  is_own: boolean;
}

export async function* everyPage(): AsyncGenerator<PlacedPage> {
  const names = new Set<string>();
  const placed = (origin: string, token: string, path: string, is_own: boolean): PlacedPage => {
    const name = stableName(path);
    const others = [...names].filter((other) => other === name || other.startsWith(`${name} `)).length;
    const own = others === 0 ? name : `${name} ${others + 1}`;
    names.add(own);
    return { origin, token, path, name: own, is_own };
  };
  {
    await using stand = await openRunsStand();
    const { url } = await stand.world.listen();
    const { token } = stand.account;
    for (const path of [...PATHS, NOT_THERE]) yield placed(url, token, path, false);
    for (const path of await stand.paths()) yield placed(url, token, path, !path.startsWith('/receipts/'));
  }
  {
    await using own = await openOwnPagesStand();
    await own.oauth.signIn(own.owner);
    const { token } = own.account;
    const connection = `/dashboard/connections/${own.owner.connection.id}`;
    for (const path of GATE_PATHS) yield placed(own.url, token, path, false);
    for (const path of [...OWN_PATHS, own.connection, connection, `${connection}/tools/hello`])
      yield placed(own.url, token, path, true);
  }
  {
    await using market = await openMarketplacePages();
    const { url } = await market.world.listen();
    const { merged } = market;
    const { token } = market.account;
    for (const path of market.paths) yield placed(url, token, path, false);
    for (const path of [`/marketplace/${merged}/report`, `/marketplace/${merged}/claim`, ...DESK_PATHS])
      yield placed(url, token, path, true);
    for (const path of market.own_paths) yield placed(url, market.account.token, path, true);
  }
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

const stableName = (path: string): string => path.replace(ID, 'id');
