import { EXECUTION_CLASSES, type ExecutionClass } from '#catalog/items/kinds.ts';
import { languageOf, type Skill } from './skill.ts';

/** What runs: the script that its author names, else the only one, else the one that is named as a start. */
export function findEntry(name: string, written: string, paths: readonly string[]): Skill['entry'] {
  const scripts = paths.filter((path) => /^scripts\/[^/]+$/.test(path) && languageOf(path) !== undefined);
  const starts = scripts.filter((path) => ['run', 'main', 'index', name].includes(stemOf(path)));
  const path =
    written !== '' ? written : scripts.length === 1 ? scripts[0] : starts.length === 1 ? starts[0] : undefined;
  const language = path === undefined ? undefined : languageOf(path);
  return path === undefined || language === undefined || !paths.includes(path) ? null : { path, language };
}

/** The class of a skill by what its frontmatter says and what it has. */
export function classOfSkill(written: string, entry: Skill['entry']): ExecutionClass {
  if (entry === null) return 'prompt';
  return EXECUTION_CLASSES.find((known) => known === written && known !== 'mcp') ?? 'scripted';
}

const stemOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1, path.lastIndexOf('.'));
