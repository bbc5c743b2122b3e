import { hostFault } from '#runtime/packaged/host-grants.ts';
import { metadataMap } from '#runtime/skills/metadata-map.ts';
import type { Skill } from '#runtime/skills/skill.ts';

/**
 * Hosts that a skill declares in its frontmatter. No format is common: authors write lists of names or addresses, maps with such a list,
 * or objects with a `url`, below keys such as `network`, `outbound` or `allowed-hosts`. They are proposed to users, never granted.
 */

const KEYS =
  /^(?:network|network[-_]?access|network[-_]?endpoints|outbound|outbound[-_]?hosts|(?:allowed[-_]?)?(?:hosts|domains)|endpoints?|external[-_]?services|egress)$/i;
const MOST_HOSTS = 50;
const MOST_VISITED = 1_000;
const DEEPEST = 8;
const MOST_TEXT = 500;

export function declaredHosts({ frontmatter }: Pick<Skill, 'frontmatter'>): string[] {
  const hosts = new Set<string>();
  const pending: Visit[] = [{ value: frontmatter, depth: 0, isNetwork: false }];
  let visited = 0;
  for (; visited < Math.min(pending.length, MOST_VISITED); visited += 1) {
    const visit = pending[visited] as Visit;
    const host = visit.isNetwork && typeof visit.value === 'string' ? hostIn(visit.value) : null;
    if (host !== null && hosts.size < MOST_HOSTS) hosts.add(host);
    if (visit.depth < DEEPEST && pending.length < MOST_VISITED) pending.push(...below(visit));
  }
  return [...hosts];
}

interface Visit {
  value: unknown;
  depth: number;
  /** Whether it is below a key of these. */
  isNetwork: boolean;
}

function below({ value, depth, isNetwork }: Visit): Visit[] {
  if (Array.isArray(value))
    return value.slice(0, MOST_VISITED).map((entry) => ({ value: entry, depth: depth + 1, isNetwork }));
  // Some write a map as JSON in a text.
  return Object.entries(metadataMap(value))
    .slice(0, MOST_VISITED)
    .map(([key, entry]) => ({ value: entry, depth: depth + 1, isNetwork: isNetwork || KEYS.test(key) }));
}

/** `https://api.example.com/v1/*`, `api.example.com:8443`, `*.example.com`, or one of these and a remark. */
function hostIn(text: string): string | null {
  const [first = ''] = text
    .trim()
    .slice(0, MOST_TEXT)
    .split(/[\s,;]/, 1);
  const [, name = '', port] =
    /^(?:https:\/\/|wss:\/\/)?((?:\*\.)?[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,8}\.[a-z][a-z0-9-]{1,62})(?::(\d{1,5}))?(?:[/?#]|$)/i.exec(
      first,
    ) ?? [];
  if (name === '') return null;
  const host = `${name.toLowerCase()}${port === undefined || port === '443' ? '' : `:${port}`}`;
  return hostFault(host) === null ? host : null;
}
