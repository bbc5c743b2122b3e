import canonicalize from 'canonicalize';
import { sha256 } from '#core/crypto/sha256.ts';

import type { Rig } from './rig.ts';
import type { Gathered, RigParts } from './rig-parts.ts';

/** rig.lock: the exact parts of a rig, and how the current parts differ. Pure. */

interface RigLock extends RigParts {
  lock_version: 1;
  rig: { name: string; version: string; digest: string };
}

/** The same parts make the same bytes: members sorted, two spaces, one line feed at the end. */
export function lockText(rig: Rig, digest: string, parts: RigParts): string {
  const { name, version } = rig.metadata;
  const lock: RigLock = { lock_version: 1, rig: { name, version, digest }, ...parts };
  return `${JSON.stringify(JSON.parse(canonicalize(lock) as string), null, 2)}\n`;
}

export const readLock = (text: string): RigLock => JSON.parse(text) as RigLock;

export const lockDigest = (text: string): string => `sha256:${sha256(Buffer.from(text))}`;

/** One difference between the current parts and the lock. */
export interface Finding {
  /** Such as `skill skill/json-diff`, or `tool forecast of weather`. */
  part: string;
  /** `changed`, `tool_changed`, or the reason why it is unavailable. */
  code: string;
  expected: string | null;
  /** Null if the part does not exist. */
  found: string | null;
  detail: string;
}

/** Empty if everything matches the lock. */
export function differencesOf(lock: RigLock, { parts, faults }: Gathered): Finding[] {
  const pairs = [
    ...(lock.harness === null
      ? []
      : [[`harness ${lock.harness.ref}`, lock.harness.digest, parts.harness?.digest] as const]),
    ...lock.skills.map(
      (skill) =>
        [`skill ${skill.ref}`, skill.digest, parts.skills.find(({ ref }) => ref === skill.ref)?.digest] as const,
    ),
    ['model', lock.model?.id ?? '', parts.model?.id] as const,
  ];
  const changed = pairs
    .filter(([, expected, found]) => expected !== found)
    .map(([part, expected, found]) => finding(part, 'changed', expected, found));
  const tools = lock.servers.flatMap((server) => {
    const now = parts.servers.find(({ name }) => name === server.name);
    return server.tools.flatMap(({ name, schema_hash }) => {
      const found = now?.tools.find((tool) => tool.name === name)?.schema_hash;
      return found === schema_hash
        ? []
        : [finding(`tool ${name} of ${server.name}`, 'tool_changed', schema_hash, found)];
    });
  });
  return [...changed, ...tools].map((tool) => explained(tool, faults)).concat(others(faults, [...changed, ...tools]));
}

function finding(part: string, code: string, expected: string, found: string | undefined): Finding {
  const detail = found === undefined ? `The ${part} is not available.` : `The ${part} differs from the lock.`;
  return { part, code, expected, found: found ?? null, detail };
}

/** Missing parts have a reason. */
function explained(finding: Finding, faults: Gathered['faults']): Finding {
  if (finding.found !== null) return finding;
  const why =
    faults.find(({ part }) => part === finding.part) ??
    faults.find(({ part }) => finding.part.endsWith(` of ${part.slice('server '.length)}`));
  return why === undefined ? finding : { ...finding, code: why.code, detail: why.detail };
}

/** Faults that no locked part shows: the lock fails for them too. */
const others = (faults: Gathered['faults'], known: readonly Finding[]): Finding[] =>
  faults
    .filter(
      ({ part }) =>
        !known.some((finding) => finding.part === part || finding.part.endsWith(` of ${part.slice('server '.length)}`)),
    )
    .map(({ part, code, detail }) => ({ part, code, expected: null, found: null, detail }));
