import { quoted } from '#catalog/checks/violation.ts';
import { isRecord } from '#core/record.ts';
import type { EnvEntry, Instruction, Permissions, SkillEntry } from './harness.ts';
import type { Reader } from './manifest-reader.ts';

/** The lists of harness.yaml, each of which may be written in more than one way. Pure. */

const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** `skills/name`, `./skills/name`, a reference such as `clawhub/owner/name`, or a map with `path` or `ref`. */
export function readSkills(reader: Reader): SkillEntry[] {
  return reader.list(['skills'], reader.root.skills).flatMap((map, index) => {
    const path = ['skills', index];
    if (typeof map === 'string' && map.trim() !== '') return { ...placeOf(map), digest: null };
    if (!isRecord(map)) {
      reader.fault('skill-entry', path, `Skill ${index + 1} is neither a string nor a map.`);
      return [];
    }
    reader.onlyKeys(map, path, ['name', 'path', 'ref', 'digest']);
    const [at, ref, digest] = [
      reader.text([...path, 'path'], map.path, 200),
      reader.text([...path, 'ref'], map.ref, 500),
      reader.text([...path, 'digest'], map.digest, 100),
    ];
    if ((at === null) === (ref === null))
      reader.fault('skill-entry', path, `Skill ${index + 1} must have either path or ref.`);
    if (digest !== null && !DIGEST.test(digest))
      reader.fault('skill-entry', [...path, 'digest'], 'A digest is sha256: and 64 digits of lower-case hex.');
    return { path: at === null ? null : trimmed(at), ref, digest };
  });
}

const placeOf = (text: string): Pick<SkillEntry, 'path' | 'ref'> =>
  /^(?:\.\/)?skills\/|^\.{1,2}(?:\/|$)|^\//.test(text) || !/[/:@]/.test(text)
    ? { path: trimmed(/[/]|^\./.test(text) ? text : `skills/${text}`), ref: null }
    : { path: null, ref: text };

/** Without `./` and without a slash at the end. */
const trimmed = (path: string): string => path.replace(/^(?:\.\/){1,20}/, '').replace(/\/{1,20}$/, '');

/** A map of names, with a default, a description or nothing each; or a list of names or maps. */
export function readEnv(reader: Reader): EnvEntry[] {
  const { env } = reader.root;
  const entries: [path: (string | number)[], name: unknown, about: unknown][] = isRecord(env)
    ? Object.entries(env).map(([name, about]) => [['env', name], name, about])
    : reader
        .list(['env'], env)
        .map((value, index) => [['env', index], isRecord(value) ? value.name : value, isRecord(value) ? value : null]);
  return entries.flatMap(([path, name, about]) => {
    if (typeof name !== 'string' || !/^[A-Za-z_]\w{0,99}$/.test(name)) {
      reader.fault('env-name', path, `${quoted(String(name))} is not a valid name of an environment variable.`);
      return [];
    }
    return envEntry(reader, path, name, about);
  });
}

function envEntry(reader: Reader, path: (string | number)[], name: string, about: unknown): EnvEntry {
  const entry = { name, description: '', required: true, secret: false, default: null };
  if (about === null || about === undefined) return entry;
  if (!isRecord(about)) return { ...entry, required: false, default: reader.text(path, about, 4_096) };
  reader.onlyKeys(about, path, ['name', 'description', 'required', 'secret', 'default']);
  const fallback = reader.text([...path, 'default'], about.default, 4_096);
  return {
    name,
    description: reader.text([...path, 'description'], about.description, 1_024) ?? '',
    required: reader.bool([...path, 'required'], about.required, fallback === null),
    secret: reader.bool([...path, 'secret'], about.secret, false),
    default: fallback,
  };
}

/** One string or a list. Strings that look like a Markdown or text file name a file of the directory. */
export function readInstructions(reader: Reader): Instruction[] {
  const { instructions } = reader.root;
  const texts =
    typeof instructions === 'string' ? [instructions] : reader.texts(['instructions'], instructions, 50_000);
  return texts.map((text) => (/^[\w./-]{1,200}\.(?:md|txt)$/.test(text) ? { path: trimmed(text) } : { text }));
}

const LISTS = ['allow', 'ask', 'deny'] as const;

export function readPermissions(reader: Reader): Permissions {
  const map = reader.map(['permissions'], reader.root.permissions) ?? {};
  reader.onlyKeys(map, ['permissions'], LISTS);
  const [allow = [], ask = [], deny = []] = LISTS.map((key) => reader.texts(['permissions', key], map[key], 500));
  const seen = new Set<string>();
  for (const [key, list] of Object.entries({ deny, ask, allow }))
    for (const [index, rule] of list.entries()) {
      if (seen.has(rule))
        reader.fault(
          'permission-twice',
          ['permissions', key, index],
          `${quoted(rule)} appears in the permissions more than once.`,
        );
      seen.add(rule);
    }
  return { allow, ask, deny };
}
