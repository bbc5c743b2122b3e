import type { Input } from '../../../platform/http/operation.ts';
import { FLOW_LIFE_MS } from './flows.ts';

/** Ties a flow to the browser that began it: who only knows the state cannot complete it elsewhere. */

const NAME = '__Host-capstan-google';

/** Null where the request has none that we could have set. */
export function readBrowser({ cookie }: Input['headers']): string | null {
  const pairs = `${cookie ?? ''}`.split(';').map((pair) => pair.trim());
  const value = pairs.find((pair) => pair.startsWith(`${NAME}=`))?.slice(NAME.length + 1) ?? '';
  return /^[\w-]{43}$/.test(value) ? value : null;
}

/** Lax, because the callback is reached by a link from another site. */
export const browserCookie = (browser: string): string =>
  `${NAME}=${browser}; Path=/; Max-Age=${FLOW_LIFE_MS / 1_000}; Secure; HttpOnly; SameSite=Lax`;
