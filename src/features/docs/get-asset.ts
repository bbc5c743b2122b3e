import { readFileSync } from 'node:fs';
import type { Handler } from '../../platform/http/operation.ts';
import { Problem } from '../../platform/problem.ts';
import type { docsContract } from './contract.ts';

const AUTHORIZATION = '../auth/authorization/page/';

/** Files that stand elsewhere, or are made of several: the look of all pages is one. */
const ELSEWHERE: Record<string, readonly string[]> = {
  'authorize.css': [`${AUTHORIZATION}authorize.css`],
  'authorize.js': [`${AUTHORIZATION}authorize.js`],
  'page.css': ['tokens', 'base', 'frame', 'parts', 'text'].map((name) => `../../../web/style/${name}.css`),
  'icon.svg': ['../../../web/style/icon.svg'],
};

/** The files of the pages, read once. */
const FILES: Record<string, string> = {
  'page.css': 'text/css; charset=utf-8',
  'mailed-link.js': 'text/javascript; charset=utf-8',
  'authorize.css': 'text/css; charset=utf-8',
  'authorize.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

export const getAsset = (): Handler<typeof docsContract.getAsset> => {
  const bodies = Object.keys(FILES).map(
    (name) => [name, Buffer.concat((ELSEWHERE[name] ?? [`./page/${name}`]).map(read))] as const,
  );
  const files = new Map(bodies);
  return ({ params }) => {
    const body = files.get(params.name);
    if (body === undefined) throw new Problem('not_found', 'docs.not_found', 'The pages have no file of this name.');
    return {
      media_type: FILES[params.name] as string,
      body,
      cache_control: 'public, max-age=300',
      // An icon opened by itself is a document, and may do nothing.
      headers: { 'content-security-policy': "default-src 'none'" },
    };
  };
};

const read = (path: string): Buffer => readFileSync(new URL(path, import.meta.url));
