import type { ListedNeeds } from '#catalog/items/listing-details.ts';
import { readFrontmatter } from '#runtime/skills/frontmatter.ts';
import { metadataMap } from '#runtime/skills/metadata-map.ts';
import { declaredHosts } from './declared-hosts.ts';
import { readDeclaredNeeds } from './declared-needs.ts';

/** The requirements that the frontmatter of a provider's SKILL.md declares, by the same rules as for a run. Pure. */

const MOST = 50;
/** Of a frontmatter. A longer one could keep the parser busy for more than 50 ms. */
const MOST_CHARACTERS = 6_000;
const SYSTEM = /^[a-z0-9-]{1,20}$/i;

/** Null if the text has no frontmatter that can be read, or if that declares nothing or is long. */
export function listedNeeds(skillMd: string): ListedNeeds | null {
  if (!(skillMd.indexOf('\n---', 3) < MOST_CHARACTERS)) return null;
  const read = readFrontmatter(Buffer.from(skillMd));
  if (!read.ok) return null;
  const frontmatter = read.value.map;
  const metadata = metadataMap(frontmatter.metadata);
  const { programs, environment, packages } = readDeclaredNeeds(metadata);
  const needs: ListedNeeds = {
    programs: programs.slice(0, MOST).map(({ any_of }) => [...any_of]),
    environment: [...new Set(environment)].slice(0, MOST),
    hosts: declaredHosts({ frontmatter }),
    packages: packages.slice(0, MOST).map(({ ecosystem, name, wanted }) => ({ ecosystem, name, wanted })),
    systems: systemsOf(metadata),
  };
  return Object.values(needs).every((list: readonly unknown[]) => list.length === 0) ? null : needs;
}

/** `darwin`, `linux` and `win32`, as the skills of ClawHub write them. */
function systemsOf(metadata: Record<string, unknown>): string[] {
  const written = ['openclaw', 'clawdbot', 'moltbot'].flatMap((program) => {
    const { os } = metadataMap(metadata[program]);
    return Array.isArray(os) ? os.slice(0, MOST) : [];
  });
  const names = written.filter((name): name is string => typeof name === 'string' && SYSTEM.test(name));
  return [...new Set(names)];
}
