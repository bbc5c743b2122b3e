import { quoted } from '#catalog/checks/violation.ts';
import { PROVIDERS } from '#catalog/items/kinds.ts';
import { Problem } from '#core/problem/problem.ts';
import { isNear, lookOf } from '#marketplace/listings/look.ts';
import { isSkillName } from '#runtime/skills/skill.ts';

/** `publisher/name`: its form, and the names that nobody gets. Pure. */

export interface FullName {
  publisher: string;
  name: string;
}

const MOST_PUBLISHER_CHARS = 39;

/** Where the two are. Whether they have the form of names is asked afterwards, so that a look-alike is told as one. */
export function splitName(text: string): FullName {
  const [publisher = '', name = '', ...more] = text.split('/');
  if (publisher === '' || name === '' || more.length > 0)
    throw malformed(`${quoted(text)} must have the form publisher/name.`);
  return { publisher, name };
}

/** 400 `marketplace.name_malformed`. */
export function checkForm({ publisher, name }: FullName): void {
  const form = 'lower-case letters a to z and digits, with single hyphens between words';
  if (!isSkillName(publisher) || publisher.length < 2 || publisher.length > MOST_PUBLISHER_CHARS)
    throw malformed(`The publisher ${quoted(publisher)} must be 2 to ${MOST_PUBLISHER_CHARS} ${form}.`);
  if (!isSkillName(name)) throw malformed(`The name ${quoted(name)} must be 1 to 64 ${form}.`);
}

const malformed = (detail: string): Problem =>
  new Problem('invalid_request', 'marketplace.name_malformed', detail, { errors: [{ pointer: '/name', detail }] });

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
].map((name) => ({ name, look: lookOf(name) }));

/** The reserved name that a publisher's name is, or looks like. */
export function reservedLike(publisher: string): string | null {
  const look = lookOf(publisher);
  return (
    (RESERVED.find((entry) => isNear(look, entry.look)) ?? (look.startsWith('deleted') ? { name: 'deleted' } : null))
      ?.name ?? null
  );
}
