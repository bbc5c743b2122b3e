import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { promisify } from 'node:util';
import zlib from 'node:zlib';

/**
 * The files of the pages: one style sheet, the fonts, the islands, the client that they use, the icon. All share one digest in their
 * path, `/-/<digest>/<name>`, so that modules find each other by relative paths and responses can be cached forever.
 */

export type Encoding = 'br' | 'zstd' | 'gzip';

interface Asset {
  media_type: string;
  readonly body: Uint8Array;
  /** Compressed at the first request for that encoding, then cached. */
  pack(encoding: Encoding): Promise<Uint8Array>;
}

export interface Assets {
  url(name: string): string;
  /** `is_current` means that the address has the current digest. Null if the file does not exist. */
  find(path: string): { asset: Asset; is_current: boolean } | null;
}

/** Style sheets in the order of the cascade. */
const STYLES = [
  'fonts',
  'tokens',
  'base',
  'frame',
  'parts',
  'cards',
  'copy',
  'text',
  'home',
  'registry',
  'listing',
  'marketplace',
  'find',
  'capability',
  'listing-page',
  'providers',
  'docs',
  'reference',
  'sign-in',
  'dashboard',
  'desk',
  'run',
  'result',
  'trace',
  'receipt',
  'fields',
  'chat',
  'publish',
  'print',
];

const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  ts: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
  png: 'image/png',
  webmanifest: 'application/manifest+json',
};

/** For home screens, with their list. */
const PICTURES = ['icon-180.png', 'icon-192.png', 'icon-512.png', 'manifest.webmanifest'];

/** The text font, which every page preloads. */
export const TEXT_FONT = 'hanken-grotesk-latin.woff2';

/** The packages of the fonts and the alphabets that we serve; other scripts use the fonts of the system. */
const FONTS = {
  'hanken-grotesk': import.meta.resolve('@fontsource-variable/hanken-grotesk/package.json'),
  'geist-mono': import.meta.resolve('@fontsource-variable/geist-mono/package.json'),
};
const ALPHABETS = ['latin', 'latin-ext'];

let opened: Assets | undefined;

/** Cached for the process, because program files do not change while it runs. */
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
      if (!assets.has(name)) throw new Error(`Unknown asset: ${name}`);
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
    ['site.css', Buffer.from(tight(STYLES.map((name) => read(`style/${name}.css`).toString('utf8')).join('')))],
    ['icon.svg', read('style/icon.svg')],
    ['icons.svg', read('style/icons.svg')],
    ...PICTURES.map((name): [string, Uint8Array] => [name, read(`style/${name}`)]),
    ...Object.entries(FONTS).flatMap(([font, place]) => ALPHABETS.map((alphabet) => readFont(font, alphabet, place))),
    ...islands.toSorted().map((name): [string, Uint8Array] => [name, read(`islands/${name}`)]),
    ...clientFiles().map((name): [string, Uint8Array] => [`${CLIENT}${name}`, read(`../sdk/src/${name}`)]),
  ]);
}

/** Without comments and space that means nothing, which are a sixth of the compressed sheet. */
const tight = (css: string): string =>
  withoutComments(css)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => (/[{};,]$/.test(line) ? line : `${line} `))
    .join('')
    .replace(/ \{/g, '{')
    .replace(/;\}/g, '}')
    .replace(/([{;][a-z0-9-]+): /g, '$1:');

const withoutComments = (css: string): string =>
  css
    .split('/*')
    .map((piece, at) => (at === 0 ? piece : piece.slice(piece.indexOf('*/') + 2)))
    .join('');

const readFont = (font: string, alphabet: string, place: string): [name: string, body: Uint8Array] => [
  `${font}-${alphabet}.woff2`,
  readFileSync(new URL(`files/${font}-${alphabet}-wght-normal.woff2`, place)),
];

const CLIENT = 'sdk/src/';

/** All modules except the contract's types, which do not exist in a browser. */
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

/** The client with its types stripped, at the first request. */
function withoutTypes(source: Uint8Array): Uint8Array {
  const { emitWarning } = process;
  // Node warns that this function is experimental, which does not belong in the log of a service.
  process.emitWarning = () => {};
  try {
    return Buffer.from(stripTypeScriptTypes(Buffer.from(source).toString('utf8')));
  } finally {
    process.emitWarning = emitWarning;
  }
}

const { BROTLI_PARAM_QUALITY, ZSTD_c_compressionLevel } = zlib.constants;

/** The style sheet blocks rendering of the first request: the best level would take 74 ms and save only 1 KB. */
const packed: Record<Encoding, (body: Uint8Array) => Promise<Uint8Array>> = {
  br: (body) => promisify(zlib.brotliCompress)(body, { params: { [BROTLI_PARAM_QUALITY]: 7 } }),
  zstd: (body) => promisify(zlib.zstdCompress)(body, { params: { [ZSTD_c_compressionLevel]: 12 } }),
  gzip: (body) => promisify(zlib.gzip)(body, { level: 9 }),
};
