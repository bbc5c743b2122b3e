import { quoted } from '#catalog/checks/violation.ts';
import { readName } from '#catalog/identity/read-name.ts';
import { PROVIDERS } from '#catalog/items/kinds.ts';
import type { Path } from '#core/yaml/read-yaml-map.ts';
import { isSkillName } from '#runtime/skills/skill.ts';
import {
  harnessRef,
  isDigest,
  isMarketplaceRef,
  OWN_SERVER,
  type PinnedRef,
  RIG_LIMITS,
  type RigServer,
} from './rig.ts';
import type { RigReader } from './rig-reader.ts';

/** The parts of a rig: its harness, skills and servers. Pure. */

type Kind = 'harness' | 'skill' | 'listing' | 'capability';

export function readHarnessRef(reader: RigReader, value: unknown): PinnedRef | null {
  if (value === undefined || value === null) return null;
  const path = ['spec', 'harness'];
  const map = reader.map(path, value);
  reader.onlyKeys(map, path, ['ref', 'digest']);
  return pinnedRef(reader, path, map, ['harness', 'capability']);
}

export function readSkillRefs(reader: RigReader, value: unknown): PinnedRef[] {
  const path = ['spec', 'skills'];
  const found = reader.list(path, value, RIG_LIMITS.skills).map((item, index) => {
    const at = [...path, index];
    const map = reader.map(at, item ?? null);
    reader.onlyKeys(map, at, ['ref', 'digest']);
    return pinnedRef(reader, at, map, ['skill', 'listing', 'capability']);
  });
  refuseTwice(
    reader,
    path,
    'ref',
    found.map(({ ref }) => ref),
  );
  return found;
}

export function readServers(reader: RigReader, value: unknown): RigServer[] {
  const path = ['spec', 'servers'];
  const found = reader.list(path, value, RIG_LIMITS.servers).map((item, index) => {
    const at = [...path, index];
    const map = reader.map(at, item ?? null);
    reader.onlyKeys(map, at, ['name', 'ref', 'digest', 'connection', 'tools']);
    const name = reader.text([...at, 'name'], map.name, 64);
    if (map.name === undefined) reader.fault('rig-missing', at, 'name is missing.');
    else if (typeof map.name === 'string' && !/^[a-z0-9]+(?:[-_][a-z0-9]+)*$/.test(name))
      reader.fault('rig-name', [...at, 'name'], `${quoted(name)} is not a valid server name.`);
    const connection = reader.text([...at, 'connection'], map.connection, 100);
    const withoutRef = map.ref === undefined || map.ref === '';
    if (connection === '' && withoutRef)
      reader.fault('server-place', at, `The server ${quoted(name)} has neither ref nor connection.`);
    const pinned = withoutRef
      ? { ref: '', digest: digestAt(reader, at, map) }
      : pinnedRef(reader, at, map, ['listing', 'capability']);
    return { name, ...pinned, connection, allow: readAllowed(reader, at, map.tools) };
  });
  refuseTwice(
    reader,
    path,
    'name',
    found.map(({ name }) => name),
  );
  return found;
}

function readAllowed(reader: RigReader, at: Path, value: unknown): string[] {
  const path = [...at, 'tools'];
  const map = reader.map(path, value);
  reader.onlyKeys(map, path, ['allow']);
  const allow = reader.texts([...path, 'allow'], map.allow, RIG_LIMITS.tools, 128);
  if (allow.length === 0 && (map.allow === undefined || Array.isArray(map.allow)))
    reader.fault('rig-missing', path, 'tools.allow must list the tools that may be called.');
  refuseTwice(reader, [...path, 'allow'], null, allow);
  return allow;
}

function pinnedRef(reader: RigReader, at: Path, map: Record<string, unknown>, kinds: readonly Kind[]): PinnedRef {
  const ref = prefixed(reader.text([...at, 'ref'], map.ref, 1_000), kinds);
  const place = [...at, 'ref'];
  if (map.ref === undefined) reader.fault('rig-missing', at, 'ref is missing.');
  else if (ref.startsWith('rig/'))
    reader.fault('rig-cycle', place, `${quoted(ref)} is a rig; a rig cannot contain rigs.`);
  else if (
    typeof map.ref === 'string' &&
    !kinds.some((kind) => FITS[kind](ref)) &&
    !(kinds[0] === 'listing' && ref === OWN_SERVER)
  )
    reader.fault('ref-unknown', place, `${quoted(ref)} is not a valid reference here.`);
  return { ref, digest: digestAt(reader, at, map) };
}

const PREFIXED = /^(?:skill|listing|capability|harness|rig)\//;

/** A name as lists, searches and pages print it, with the prefix that says what it is. Anything else is returned as it is. */
function prefixed(text: string, kinds: readonly Kind[]): string {
  const name = PREFIXED.test(text) || text === OWN_SERVER ? null : readName(text.replace(/@[^@/]+$/, ''));
  const [first] = kinds;
  if (name?.form === 'listing') return `listing/${text}`;
  if (name?.form === 'id' || name?.form === 'published') return `capability/${text}`;
  const isOwn = first === 'skill' || first === 'harness';
  return name?.form === 'word' && isOwn ? `${first}/${text}` : text;
}

const FITS: Record<Kind, (ref: string) => boolean> = {
  capability: isMarketplaceRef,
  harness: (ref) => harnessRef(ref).of !== '',
  skill: (ref) => ref.startsWith('skill/') && isSkillName(ref.slice('skill/'.length)),
  listing: (ref) => {
    const [kind, provider = '', ...id] = ref.split('/');
    return kind === 'listing' && (PROVIDERS as readonly string[]).includes(provider) && id.join('/') !== '';
  },
};

function digestAt(reader: RigReader, at: Path, map: Record<string, unknown>): string | null {
  if (map.digest === undefined) reader.fault('digest-missing', at, 'digest is missing.');
  const digest = reader.text([...at, 'digest'], map.digest, 100);
  if (digest !== '' && !isDigest(digest))
    reader.fault('digest-form', [...at, 'digest'], `${quoted(digest)} is not a digest.`);
  return digest === '' ? null : digest;
}

/** `key` is the member of each entry that must be unique; null means the entry itself. */
export function refuseTwice(reader: RigReader, path: Path, key: string | null, values: readonly string[]): void {
  for (const [index, value] of values.entries())
    if (value !== '' && values.indexOf(value) < index)
      reader.fault(
        'entry-twice',
        [...path, index, ...(key === null ? [] : [key])],
        `${quoted(value)} is listed more than once.`,
      );
}
