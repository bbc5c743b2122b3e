import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { promisify } from 'node:util';
import zlib from 'node:zlib';

/**
 * The files of the pages: one style sheet, the islands, the client that they use, the icon. All stand under one digest of all
 * of them, `/-/<digest>/<name>`, so that modules find each other by relative paths and everything may be kept for ever.
 */

export type Encoding = 'br' | 'zstd' | 'gzip';

interface Asset {
  media_type: string;
  readonly body: Uint8Array;
  /** Made with the first who asks for that encoding, and kept. */
  pack(encoding: Encoding): Promise<Uint8Array>;
}

export interface Assets {
  url(name: string): string;
  /** `is_current`: its address changes whenever it does. Null where there is no such file. */
  find(path: string): { asset: Asset; is_current: boolean } | null;
}

/** In the order of the cascade. */
const STYLES = [
  'tokens',
  'base',
  'frame',
  'parts',
  'copy',
  'text',
  'home',
  'registry',
  'listing',
  'marketplace',
  'capability',
  'providers',
  'docs',
  'reference',
  'sign-in',
  'dashboard',
  'run',
  'trace',
  'receipt',
  'fields',
  'chat',
];

const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  ts: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

let opened: Assets | undefined;

/** The same for all of a process: files of the program do not change while it runs. */
export function openAssets(): Assets {
  opened ??= readAssets();
  return opened;
}

function readAssets(): Assets {
  const files = readAll();
  const digest = digestOf(files);
  const assets = new Map([...files].map(([name, body]) => [name, assetOf(name, body)]));
  return {
    url: (name) => {
      if (!assets.has(name)) throw new Error(`There is no asset ${name}`);
      return `/-/${digest}/${name}`;
    },
    find: (path) => {
      const [, given, name] = /^\/-\/([\w-]{12})\/([a-z0-9./-]+)$/.exec(path) ?? [];
      const asset = assets.get(name ?? '');
      return asset === undefined ? null : { asset, is_current: given === digest };
    },
  };
}

function readAll(): Map<string, Uint8Array> {
  const read = (path: string): Buffer => readFileSync(new URL(`../${path}`, import.meta.url));
  const islands = readdirSync(new URL('../islands/', import.meta.url)).filter((name) => name.endsWith('.js'));
  return new Map<string, Uint8Array>([
    ['site.css', Buffer.concat(STYLES.map((name) => read(`style/${name}.css`)))],
    ['icon.svg', read('style/icon.svg')],
    ...islands.toSorted().map((name): [string, Uint8Array] => [name, read(`islands/${name}`)]),
    ...clientFiles().map((name): [string, Uint8Array] => [`${CLIENT}${name}`, read(`../sdk/src/${name}`)]),
  ]);
}

const CLIENT = 'sdk/src/';

/** All but the contract's types, of which nothing is left in a browser. */
const clientFiles = (): string[] =>
  (readdirSync(new URL('../../sdk/src/', import.meta.url), { recursive: true }) as string[])
    .filter((name) => name.endsWith('.ts') && !name.endsWith('contract.ts'))
    .map((name) => name.replaceAll('\\', '/'))
    .toSorted();

function digestOf(files: Map<string, Uint8Array>): string {
  const hash = createHash('sha256');
  for (const [name, body] of files) hash.update(`${name}\n${body.byteLength}\n`).update(body);
  return hash.digest('base64url').slice(0, 12);
}

function assetOf(name: string, body: Uint8Array): Asset {
  const forms = new Map<Encoding, Promise<Uint8Array>>();
  let made: Uint8Array | undefined;
  const asset: Asset = {
    media_type: TYPES[name.slice(name.lastIndexOf('.') + 1)] as string,
    get body() {
      made ??= name.endsWith('.ts') ? withoutTypes(body) : body;
      return made;
    },
    pack: (encoding) => {
      const form = forms.get(encoding) ?? packed[encoding](asset.body);
      forms.set(encoding, form);
      return form;
    },
  };
  return asset;
}

/** The client as browsers run it; made with the first who asks, as Node itself does with ours. */
function withoutTypes(source: Uint8Array): Uint8Array {
  const { emitWarning } = process;
  // Node calls it experimental whenever it is used by hand: that is nothing for the log of a service.
  process.emitWarning = () => {};
  try {
    return Buffer.from(stripTypeScriptTypes(Buffer.from(source).toString('utf8')));
  } finally {
    process.emitWarning = emitWarning;
  }
}

const { BROTLI_PARAM_QUALITY, ZSTD_c_compressionLevel } = zlib.constants;

/** The first who asks waits for the style sheet with nothing to see: the best level takes 74 ms, and saves 0.9 KB on this one. */
const packed: Record<Encoding, (body: Uint8Array) => Promise<Uint8Array>> = {
  br: (body) => promisify(zlib.brotliCompress)(body, { params: { [BROTLI_PARAM_QUALITY]: 5 } }),
  zstd: (body) => promisify(zlib.zstdCompress)(body, { params: { [ZSTD_c_compressionLevel]: 12 } }),
  gzip: (body) => promisify(zlib.gzip)(body, { level: 9 }),
};
