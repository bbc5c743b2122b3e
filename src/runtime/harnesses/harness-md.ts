import { quoted } from '#catalog/checks/violation.ts';
import { type Place, START } from '#core/text/lines.ts';
import { type Frontmatter, readFrontmatter } from '#runtime/skills/frontmatter.ts';
import { frontmatterViolations } from '#runtime/skills/parse-skill-md.ts';
import type { HarnessFrontmatter } from './harness.ts';

/** Reads an untrusted HARNESS.md: its frontmatter and body, or the errors with their places. Never throws. */

const HARNESS_MD_KEYS = ['name', 'description', 'license', 'compatibility', 'metadata'] as const;

interface MdFault {
  rule: 'harness-md-unreadable' | 'frontmatter-missing' | 'frontmatter-yaml' | 'frontmatter-key' | 'frontmatter-form';
  detail: string;
  place: Place;
}

interface HarnessMd {
  /** Null if it is missing or unreadable. */
  read: Frontmatter | null;
  /** Null if there is any error. */
  frontmatter: HarnessFrontmatter | null;
  faults: MdFault[];
}

const UNREADABLE = {
  file: 'harness-md-unreadable',
  yaml: 'frontmatter-yaml',
  unopened: 'frontmatter-missing',
  unclosed: 'frontmatter-missing',
} as const;

/** `directory` is the name of the harness's directory, where known. */
export function readHarnessMd(bytes: Uint8Array, directory?: string): HarnessMd {
  const read = readFrontmatter(bytes);
  if (!read.ok) {
    const detail = `HARNESS.md ${read.detail}.`;
    return {
      read: null,
      frontmatter: null,
      faults: [{ rule: UNREADABLE[read.fault], detail, place: read.place ?? START }],
    };
  }
  const { map, placeOf } = read.value;
  const faults = frontmatterViolations(map, directory, HARNESS_MD_KEYS).map(({ pointer, detail }): MdFault => {
    const path = pointer
      .split('/')
      .slice(1)
      .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
    const known = (HARNESS_MD_KEYS as readonly string[]).includes(path[0] ?? '');
    const said = `${quoted(path.join('.'))} ${Object.hasOwn(map, path[0] ?? '') ? '' : 'is missing; it '}${detail}.`;
    return { rule: known ? 'frontmatter-form' : 'frontmatter-key', detail: said, place: placeOf(path) };
  });
  const frontmatter = faults.length === 0 ? (map as unknown as HarnessFrontmatter) : null;
  return { read: read.value, frontmatter, faults };
}
