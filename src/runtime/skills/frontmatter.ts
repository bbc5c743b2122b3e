import { type Place, placesIn, START } from '#core/text/lines.ts';
import { type Path, readYamlMap } from '#core/yaml/read-yaml-map.ts';

/** The frontmatter of an untrusted Markdown file, with the place of each part. SKILL.md and HARNESS.md have one. */

export const FRONTMATTER_LIMITS = { file_bytes: 512 * 1024, frontmatter_bytes: 16 * 1024, depth: 8 } as const;

export interface Frontmatter {
  map: Record<string, unknown>;
  /** The Markdown after it, as written. */
  body: string;
  /** Number of the body's first line. */
  body_line: number;
  placeOf(path: Path): Place;
}

type FrontmatterRead =
  | { ok: true; value: Frontmatter }
  /** `fault` is the error in one word; `detail` ends a sentence that starts with the file. */
  | { ok: false; fault: 'file' | 'unopened' | 'unclosed' | 'yaml'; place: Place; detail: string };

/** Never throws. */
export function readFrontmatter(bytes: Uint8Array): FrontmatterRead {
  const refused = (fault: 'file' | 'unopened' | 'unclosed' | 'yaml', detail: string, place = START) =>
    ({ ok: false, fault, place, detail }) as const;
  if (bytes.length > FRONTMATTER_LIMITS.file_bytes)
    return refused('file', `is over ${FRONTMATTER_LIMITS.file_bytes} bytes`);
  const text = textOf(bytes);
  if (text === null) return refused('file', 'is not UTF-8');
  const placeAt = placesIn(text);
  if (text.includes('\0')) return refused('file', 'contains a NUL character', placeAt(text.indexOf('\0')));
  const open = /^---[ \t]*\r?\n/.exec(text);
  if (!open) return refused('unopened', 'does not begin with a line of three hyphens, which opens the frontmatter');
  const start = open[0].length;
  const rest = text.slice(start);
  const close = /^---[ \t]*(?:\r?\n|$)/m.exec(rest);
  if (!close) return refused('unclosed', 'has no second line of three hyphens, which closes the frontmatter');
  const { frontmatter_bytes, depth } = FRONTMATTER_LIMITS;
  const yaml = readYamlMap(rest.slice(0, close.index), { bytes: frontmatter_bytes, depth }, 'a frontmatter');
  if (!yaml.ok) return refused('yaml', yaml.detail, placeAt(start + yaml.offset));
  const bodyAt = close.index + close[0].length;
  return {
    ok: true,
    value: {
      map: yaml.value,
      body: rest.slice(bodyAt),
      body_line: placeAt(start + bodyAt).line,
      placeOf: (path) => placeAt(start + yaml.offsetOf(path)),
    },
  };
}

/** Null if the bytes are not UTF-8. A byte order mark is removed. */
export function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
