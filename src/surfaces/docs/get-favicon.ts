import { readFileSync } from 'node:fs';
import type { Handler } from '#core/http/operation.ts';
import type { docsContract } from './contract.ts';

/** GET /favicon.ico: `icon.svg` in 16, 32 and 48 pixels. */
export function getFavicon(): Handler<typeof docsContract.getFavicon> {
  const body = readFileSync(new URL('../../../web/style/favicon.ico', import.meta.url));
  return () => ({ media_type: 'image/x-icon', body, cache_control: 'public, max-age=86400' });
}
