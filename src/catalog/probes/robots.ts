/** Parser and matcher for robots.txt (RFC 9309). Pure. */

export interface RobotsRule {
  allow: boolean;
  /** In the form of `normalPath`; may contain `*` and end in `$`. */
  path: string;
}

/** Our name in robots.txt files, in any case. */
const ROBOTS_NAME = 'capstan';
/** Maximum size that is read; RFC 9309 requires at least 500 KiB. */
export const ROBOTS_BYTES = 512 * 1024;

const MOST_RULES = 1_000;
const MOST_PATH = 2_000;
const NO_RULES: readonly RobotsRule[] = [];

/** The rules for our name, or else those for `*`. Groups with the same name are combined. */
export function parseRobots(text: string): readonly RobotsRule[] {
  const groups = new Map<string, RobotsRule[]>();
  /** The groups being read. A set, because a hostile file repeats one name as often as it likes. */
  let current = new Set<RobotsRule[]>();
  let begun = true;
  for (const [key, value] of linesOf(text)) {
    if (key === 'user-agent') {
      if (begun) current = new Set();
      begun = false;
      const name = nameOf(value);
      if (name !== ROBOTS_NAME && name !== '*') continue;
      const rules = groups.get(name) ?? [];
      groups.set(name, rules);
      current.add(rules);
    } else if (key === 'allow' || key === 'disallow') {
      begun = true;
      for (const rules of current) addRule(rules, key === 'allow', value);
    }
  }
  return groups.get(ROBOTS_NAME) ?? groups.get('*') ?? NO_RULES;
}

function addRule(rules: RobotsRule[], allow: boolean, path: string): void {
  if (path === '' || path.length > MOST_PATH || rules.length === MOST_RULES) return;
  rules.push({ allow, path: normalPath(path) });
}

function* linesOf(text: string): Generator<[key: string, value: string]> {
  for (const line of text.replace(/^\u{FEFF}/u, '').split(/\r\n|\r|\n/)) {
    const written = line.split('#', 1)[0] as string;
    const colon = written.indexOf(':');
    if (colon > 0) yield [written.slice(0, colon).trim().toLowerCase(), written.slice(colon + 1).trim()];
  }
}

/** `Capstan/1.0` also names us. */
const nameOf = (value: string): string => (value === '*' ? '*' : (/^[a-z_-]*/i.exec(value)?.[0] ?? '').toLowerCase());

/** The longest matching rule decides; of two equally long ones, the allowing one. robots.txt itself is always allowed. */
export function mayAsk(rules: readonly RobotsRule[], url: URL): boolean {
  const path = normalPath(url.pathname + url.search);
  if (path === '/robots.txt') return true;
  let best: RobotsRule | null = null;
  for (const rule of rules) {
    if (best !== null && rule.path.length < best.path.length) continue;
    if (!matches(rule.path, path)) continue;
    if (best === null || rule.path.length > best.path.length || rule.allow) best = rule;
  }
  return best?.allow ?? true;
}

/** Matches each piece between stars at its first occurrence, which leaves the most text for the rest. */
function matches(rule: string, path: string): boolean {
  const ends = rule.endsWith('$');
  const pieces = (ends ? rule.slice(0, -1) : rule).split('*');
  const first = pieces[0] as string;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const piece of pieces.slice(1)) {
    const found = path.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  const last = pieces.at(-1) as string;
  if (!ends || at === path.length) return true;
  // With `$`, the last piece must match at the end; the star before it covers what is between.
  return pieces.length > 1 && path.endsWith(last);
}

const UNRESERVED = /^[A-Za-z0-9._~-]$/;

/** A form for comparison: decodes unreserved characters and encodes everything beyond ASCII. */
const normalPath = (path: string): string =>
  path
    .toWellFormed()
    .replace(/[^\x21-\x7e]/gu, (one) => encodeURIComponent(one))
    .replace(/%[0-9a-f]{2}/gi, (octet) => {
      const one = String.fromCharCode(Number.parseInt(octet.slice(1), 16));
      return UNRESERVED.test(one) ? one : octet.toUpperCase();
    });
