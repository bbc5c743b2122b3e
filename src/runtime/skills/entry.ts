import { EXECUTION_CLASSES, type ExecutionClass } from '#catalog/items/kinds.ts';
import { languageOf, type Skill } from './skill.ts';

/** The entry script: the one that the author names, otherwise the only one, otherwise one with a conventional name. */
export function findEntry(name: string, written: string, paths: readonly string[]): Skill['entry'] {
  const scripts = paths.filter((path) => /^scripts\/[^/]+$/.test(path) && languageOf(path) !== undefined);
  const starts = scripts.filter((path) => ['run', 'main', 'index', name].includes(stemOf(path)));
  const path =
    written !== '' ? written : scripts.length === 1 ? scripts[0] : starts.length === 1 ? starts[0] : undefined;
  const language = path === undefined ? undefined : languageOf(path);
  return path === undefined || language === undefined || !paths.includes(path) ? null : { path, language };
}

/** The execution class of a skill from its frontmatter and files. */
export function classOfSkill(written: string, entry: Skill['entry']): ExecutionClass {
  if (entry === null) return 'prompt';
  return EXECUTION_CLASSES.find((known) => known === written && known !== 'mcp') ?? 'scripted';
}

/** The scripts that can run: also those that only a language model starts. */
export const scriptsOf = (contents: Skill['contents']): NonNullable<Skill['entry']>[] =>
  [...contents.keys()].flatMap((path) => {
    const language = path.startsWith('scripts/') ? languageOf(path) : undefined;
    return language === undefined ? [] : [{ path, language }];
  });

const stemOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1, path.lastIndexOf('.'));
