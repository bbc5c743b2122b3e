import { slugOf } from '#catalog/install/client-installs.ts';
import { sha256 } from '#core/crypto/sha256.ts';

/**
 * Names of tools of several connections in one list: `<prefix>__<tool>`, valid for every MCP client. A name depends on the prefix
 * and the tool alone, so it stays the same whatever else is listed. A prefix has no underscore, which keeps the names of two
 * connections apart. Pure.
 */

/** Clients put up to 14 characters before a name and accept 64. */
const MOST_CHARS = 50;
const MOST_PREFIX_CHARS = 16;
const BETWEEN = '__';

const VALID = /^[a-zA-Z0-9_-]+$/;
/** Of a name that could not be kept: a mark and a digest. A tool with such a name gets one, too, so none can pass for another. */
const MARKED = /_x[0-9a-f]{12}$/;
const MARK_CHARS = 14;

/** The prefix for a connection of this name, different from those that are taken. */
export function prefixFor(name: string, taken: ReadonlySet<string>): string {
  const base = cut(slugOf(name), MOST_PREFIX_CHARS) || 'server';
  if (!taken.has(base)) return base;
  for (let n = 2; ; n++) {
    const numbered = `${cut(base, MOST_PREFIX_CHARS - `-${n}`.length)}-${n}`;
    if (!taken.has(numbered)) return numbered;
  }
}

const cut = (slug: string, most: number): string => slug.slice(0, most).replace(/(?<!-)-+$/, '');

export function listedName(prefix: string, tool: string): string {
  const room = MOST_CHARS - prefix.length - BETWEEN.length;
  if (tool.length <= room && VALID.test(tool) && !MARKED.test(tool)) return `${prefix}${BETWEEN}${tool}`;
  const digest = sha256(tool).slice(0, MARK_CHARS - 2);
  const kept = tool.slice(0, room - MARK_CHARS).replace(/[^a-zA-Z0-9_-]/g, '_');
  return `${prefix}${BETWEEN}${kept}_x${digest}`;
}

/** The prefix of a listed name; null if it has none. */
export function prefixOf(name: string): string | null {
  const end = name.indexOf(BETWEEN);
  return end <= 0 ? null : name.slice(0, end);
}
