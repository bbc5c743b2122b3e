import { dirname, join, normalize } from 'node:path';
import { FILES, isGenerated, read } from './tree.ts';

/** Which exports, files and packages nothing uses, read from the text as Biome formats it. */

// The stand-in for a package is imported by that package's name.
const isCode = (path: string): boolean =>
  /\.(?:ts|js|mjs)$/.test(path) && !path.startsWith('skills/') && !path.includes('/no-octokit/');

/** TypeScript, and the JavaScript of browsers, packages and child processes. */
const CODE = FILES.filter(isCode);
const TEXTS = new Map(CODE.map((path) => [path, read(path)]));

const textOf = (path: string): string => TEXTS.get(path) as string;

/** Where a specifier or a path in quotes leads. Browsers get the SDK's files below the islands'. */
function fileOf(from: string, specifier: string): string {
  if (specifier.startsWith('#test/')) return specifier.slice(1);
  if (specifier.startsWith('#')) return `src/${specifier.slice(1)}`;
  const near = normalize(join(dirname(from), specifier)).replace(/^web\/islands\/sdk\/src\//, 'sdk/src/');
  return specifier.startsWith('.') || TEXTS.has(near) ? near : specifier;
}

const DECLARED =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;
/** `export const { a, b: c } = …` and `export const [a, b] = …`. */
const TAKEN_APART = /^export const [[{]([^=]*?)[\]}] =/gm;
const LISTED = /^export (?:type )?\{([^}]*)\}(?: from '([^']+)')?/gm;
const NAMED = /\bimport (?:type )?\{([^}]*)\} from '([^']+)'/g;
const WHOLE = /\bimport (?:type )?\* as \w+ from '([^']+)'|^export \* from '([^']+)'/gm;
/** `import('./a.ts')`, `new URL('./a.ts', …)`, or a path that another process gets. */
const QUOTED = /['"`/]([\w#@./-]+\.(?:ts|js|mjs))\b/g;

/** What stands in braces: the name in the other file, and the name here. */
const namesIn = (braces: string): [string, string][] =>
  braces
    .split(',')
    .map((part) => part.trim().replace(/^type /, ''))
    .filter((part) => part !== '')
    .map((part) => part.split(/ as |: /))
    .map(([name = '', as = name]) => [name, as]);

const exportsOf = (path: string): string[] => [
  ...[...textOf(path).matchAll(DECLARED)].map((match) => match[1] as string),
  ...[...textOf(path).matchAll(TAKEN_APART)].flatMap((match) => namesIn(match[1] as string).map(([, as]) => as)),
  ...[...textOf(path).matchAll(LISTED)].flatMap((match) => namesIn(match[1] as string).map(([, as]) => as)),
];

interface Uses {
  names: Set<string>;
  /** Files that name this one by more than a static import: they may use whatever they hold as a word. */
  mentions: Set<string>;
  is_whole: boolean;
}

function findUses(): Map<string, Uses> {
  const uses = new Map(CODE.map((path) => [path, { names: new Set(), mentions: new Set(), is_whole: false } as Uses]));
  for (const path of CODE) {
    const text = textOf(path);
    for (const [, names = '', specifier] of [...text.matchAll(NAMED), ...text.matchAll(LISTED)])
      if (specifier !== undefined)
        for (const [name] of namesIn(names)) uses.get(fileOf(path, specifier))?.names.add(name);
    for (const [, imports, exports] of text.matchAll(WHOLE)) {
      const target = uses.get(fileOf(path, imports ?? exports ?? ''));
      if (target !== undefined) target.is_whole = true;
    }
    for (const [, specifier = ''] of text.replace(NAMED, '').replace(LISTED, '').matchAll(QUOTED))
      uses.get(fileOf(path, specifier))?.mentions.add(path);
  }
  return uses;
}

/** Of a module that `workKind` gives to a pool: the pool calls its `run`. */
const isWork = (mentions: ReadonlySet<string>, name: string): boolean =>
  name === 'run' && [...mentions].some((path) => textOf(path).includes('workKind<'));

const isWord = (text: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(text);

/** Users import the SDK's entry, and `start.js` wakes the island that a page names. */
const isForOthers = (path: string, name: string): boolean =>
  path === 'sdk/src/index.ts' || (path.startsWith('web/islands/') && name === 'wake');

/** Exports that only their own file uses, or nothing at all. */
export function unusedExports(): [path: string, names: string[]][] {
  const uses = findUses();
  const modules = CODE.filter((path) => !isGenerated(path) && !path.endsWith('.test.ts'));
  return modules.flatMap((path): [string, string[]][] => {
    const { names, mentions, is_whole } = uses.get(path) as Uses;
    if (is_whole) return [];
    const isUsed = (name: string): boolean =>
      names.has(name) ||
      isForOthers(path, name) ||
      isWork(mentions, name) ||
      [...mentions].some((other) => isWord(textOf(other), name));
    const unused = exportsOf(path).filter((name) => !isUsed(name));
    return unused.length === 0 ? [] : [[path, unused]];
  });
}

/** What a person or a test run starts. Benches start their parts by names relative to another folder. */
const isStarted = (path: string): boolean =>
  path.endsWith('.test.ts') ||
  /^(?:bench|test\/soak)\//.test(path) ||
  // The SDK's package is built from its entry, and a page names the island that it needs.
  path === 'sdk/src/index.ts' ||
  (path.startsWith('web/islands/') && exportsOf(path).includes('wake')) ||
  FILES.filter((file) => /(?:^|\/)package\.json$|^Dockerfile$|^\.github\//.test(file)).some((file) =>
    [...read(file).matchAll(/[\w./-]+\.(?:ts|mjs)\b/g)].some(([named]) => fileOf(file, named) === path),
  );

/** Modules that no import or path in quotes leads to from what is started. Plain `.js` is data here: assets, hostile scripts. */
export function unusedFiles(): string[] {
  const reached = new Set<string>();
  const left = CODE.filter(isStarted);
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    for (const [, specifier = ''] of textOf(path).matchAll(QUOTED)) {
      const target = fileOf(path, specifier);
      if (TEXTS.has(target)) left.push(target);
    }
  }
  return CODE.filter((path) => !reached.has(path) && /\.(?:ts|mjs)$/.test(path) && !path.endsWith('.d.ts'));
}

/** Packages of a manifest that no code below `folders` names in quotes. */
export function unusedPackages(names: readonly string[], folders: RegExp): string[] {
  const texts = CODE.filter((path) => folders.test(path)).map(textOf);
  return names.filter((name) => !texts.some((text) => text.includes(`'${name}'`) || text.includes(`'${name}/`)));
}
