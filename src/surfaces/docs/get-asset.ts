import { readFileSync } from 'node:fs';
import { coreProblem } from '#core/errors.ts';
import type { Handler } from '#core/http/operation.ts';
import type { docsContract } from './contract.ts';

const AUTHORIZATION = '../../accounts/consent/page/';

const STYLE = '../../../web/style/';

const FONTS = ['hanken-grotesk-latin', 'hanken-grotesk-latin-ext', 'geist-mono-latin', 'geist-mono-latin-ext'];

/** The parts of each file: all pages share one style. Read once. */
const FILES: Record<string, { media_type: string; parts: readonly string[] }> = {
  'page.css': {
    media_type: 'text/css; charset=utf-8',
    parts: ['fonts', 'tokens', 'base', 'frame', 'parts', 'text'].map((name) => `${STYLE}${name}.css`),
  },
  'authorize.css': { media_type: 'text/css; charset=utf-8', parts: [`${AUTHORIZATION}authorize.css`] },
  'authorize.js': { media_type: 'text/javascript; charset=utf-8', parts: [`${AUTHORIZATION}authorize.js`] },
  'icon.svg': { media_type: 'image/svg+xml', parts: [`${STYLE}icon.svg`] },
  ...Object.fromEntries(FONTS.map((font) => [`${font}.woff2`, { media_type: 'font/woff2', parts: [fontFile(font)] }])),
};

export function getAsset(): Handler<typeof docsContract.getAsset> {
  const files = new Map(
    Object.entries(FILES).map(([name, { media_type, parts }]) => [
      name,
      { media_type, body: Buffer.concat(parts.map(read)) },
    ]),
  );
  return ({ params }) => {
    const file = files.get(params.name);
    if (file === undefined) throw coreProblem('http.not_found', 'Asset not found.');
    return {
      ...file,
      cache_control: 'public, max-age=300',
      // An icon opened directly is a document, which may load nothing.
      headers: { 'content-security-policy': "default-src 'none'" },
    };
  };
}

function fontFile(font: string): string {
  const [family] = font.split('-latin', 1);
  return import.meta.resolve(`@fontsource-variable/${family}/files/${font}-wght-normal.woff2`);
}

const read = (path: string): Buffer => readFileSync(new URL(path, import.meta.url));
