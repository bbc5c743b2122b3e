import { quoted } from '#catalog/checks/violation.ts';
import { PROVIDERS } from '#catalog/items/kinds.ts';
import { isNear, skeletonOf } from '#catalog/search/text/confusable.ts';
import { coreProblem } from '#core/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import { isSkillName } from '#runtime/skills/skill.ts';

/** `publisher/name`: syntax and reserved names. Pure. */

export interface FullName {
  publisher: string;
  name: string;
}

const MOST_PUBLISHER_CHARS = 39;

/** Splits the name. Syntax is checked afterwards, so that confusable names get a specific error. */
export function splitName(text: string): FullName {
  const [publisher = '', name = '', ...more] = text.split('/');
  if (publisher === '' || name === '' || more.length > 0)
    throw malformed(`${quoted(text)} must have the form publisher/name.`);
  return { publisher, name };
}

/** Throws 400 `http.invalid` (`input`). */
export function checkForm({ publisher, name }: FullName): void {
  const form = 'lower-case letters a to z and digits, with single hyphens between words';
  if (!isSkillName(publisher) || publisher.length < 2 || publisher.length > MOST_PUBLISHER_CHARS)
    throw malformed(`The publisher ${quoted(publisher)} must be 2 to ${MOST_PUBLISHER_CHARS} ${form}.`);
  if (!isSkillName(name)) throw malformed(`The name ${quoted(name)} must be 1 to 64 ${form}.`);
}

const malformed = (detail: string): Problem =>
  coreProblem('http.invalid', detail, { reason: 'input', errors: [{ pointer: '/name', detail }] });

const RESERVED = [
  'capstan',
  'capstand',
  'official',
  'verified',
  'admin',
  'administrator',
  'root',
  'system',
  'operator',
  'support',
  'security',
  'staff',
  'moderator',
  'registry',
  'marketplace',
  'discovery',
  'builtin',
  'first-party',
  'core-agent',
  'skill',
  'skills',
  'server',
  'servers',
  'harness',
  'harnesses',
  'rig',
  'rigs',
  'listing',
  'listings',
  'capability',
  'publisher',
  'publishers',
  'user',
  'users',
  'api',
  'mcp',
  'modelcontextprotocol',
  'docs',
  'well-known',
  'null',
  'undefined',
  'anonymous',
  'unknown',
  'deleted',
  'everyone',
  'test',
  'example',
  ...PROVIDERS,
].map((name) => ({ name, look: skeletonOf(name) }));

/** The reserved name that a publisher's name equals or is confusable with. */
export function reservedLike(publisher: string): string | null {
  const look = skeletonOf(publisher);
  return (
    (RESERVED.find((entry) => isNear(look, entry.look)) ?? (look.startsWith('deleted') ? { name: 'deleted' } : null))
      ?.name ?? null
  );
}
