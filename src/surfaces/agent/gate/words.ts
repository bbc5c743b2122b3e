import { fold } from '#catalog/changes/fold.ts';
import type { ChatMessage } from '../turn.ts';

/** The user's own words: what they request and provide. Deterministic, whatever a model makes of them. */

export interface Words {
  /** Sentences since the last call with effects, without pasted data, case-folded, newest last. */
  open: string[];
  /** All sentences likewise, as words separated by spaces; keys of values are separate. */
  spaced: string[];
  /** Every run of letters and digits that the user wrote, including in data. */
  tokens: ReadonlySet<string>;
  /** Everything the user wrote, case-folded, for ids and references. */
  raw: string;
}

const MOST_PROSE = 4_000;

export function readWords(turns: readonly { seq: number; input: readonly ChatMessage[] }[], acted_seq: number): Words {
  const said = turns.flatMap(({ seq, input }) =>
    input.filter((entry) => entry.role === 'user').map(({ content }) => ({ seq, content })),
  );
  const raw = said.map(({ content }) => fold(content)).join('\n');
  return {
    open: said.filter(({ seq }) => seq > acted_seq).map(({ content }) => proseOf(content)),
    spaced: said.map(({ content }) => spacedKeys(proseOf(content))),
    tokens: new Set(tokensOf(raw)),
    raw,
  };
}

export const tokensOf = (folded: string): string[] => folded.match(/[\p{L}\p{N}]+/gu) ?? [];

/**
 * `run json-diff with a=1` becomes `run json diff with with 1`. Each key is searched once, at the beginning of a word.
 */
const spacedKeys = (sentence: string): string =>
  tokensOf(
    sentence.replace(/(?<![\p{L}\p{N}_.-])[\p{L}_][\p{L}\p{N}_.-]*\s?=/gu, ' with ').replace(/[:;,]/g, ' with '),
  ).join(' ');

/** A message without pasted content: fences, JSON, quoted lines. */
function proseOf(content: string): string {
  const lines = content
    .replace(/```[\s\S]*?(?:```|$)/g, ' ')
    .split('\n')
    .filter((line) => !/^\s*>/.test(line))
    .join('\n');
  return fold(withoutJson(lines).slice(0, MOST_PROSE)).replace(/[’‘]/g, "'");
}

function withoutJson(text: string): string {
  let depth = 0;
  let kept = '';
  for (const char of text) {
    if (char === '{' || char === '[') depth++;
    if (depth === 0) kept += char;
    if ((char === '}' || char === ']') && depth > 0) depth--;
  }
  return kept;
}

const DO =
  /\b(?:run|rerun|execute|start|launch|invoke|use|try|apply|perform|call|test|send|post|convert|compare|diff|check|validate|fuhre?|ausfuhr\w*|starte\w*|benutz\w*|verwend\w*|nutz\w*|ruf\w*|execut\w*|lance\w*|utilis\w*|appell\w*|ejecut\w*|usa\w*|llama\w*|esegu\w*|avvia\w*|rod[ae]\w*|voer|gebruik\w*|uruchom\w*|uzyj)\b|запусти|выполни|используй|実行|使って|运行|運行|执行|執行|실행/u;
const WRITE =
  /\b(?:write|save|remember|store|note|keep|record|update|append|merk\w*|speicher\w*|schreib\w*|enregistr\w*|ecri\w*|guarda\w*|escrib\w*|salva\w*|ricorda\w*|scriv\w*)\b|запомни|сохрани|запиши|保存|記憶|记住/u;
const MAKE = /\b(?:create|make|build|new|set up|write|erstell\w*|cree\w*|crea\w*|maak)\b|создай|作成|创建/u;
const PUBLISH =
  /\b(?:publish|unpublish|release|withdraw|take down|yank|deprecate|veroffentlich\w*|publi\w*|pubblic\w*)\b|опубликуй|公開|发布/u;
const CANCEL =
  /\b(?:cancel|stop|abort|end|kill|abbrech\w*|brich|stopp\w*|annul\w*|arrete\w*|cancel\w*|deten\w*)\b|отмени|останови|取消|停止/u;

const DELETE =
  /\b(?:delete|remove|erase|drop|discard|losch\w*|entfern\w*|supprim\w*|efface\w*|elimin\w*|borra\w*|cancella\w*|apag\w*|verwijder\w*|usun)\b|удали|削除|删除/u;
const CHANGE =
  /\b(?:update|change|correct|fix|edit|amend|replace|revise|aktualis\w*|ander\w*|korrig\w*|modifi\w*|corrig\w*|actualiz\w*|cambi\w*|corregg\w*|wijzig\w*)\b|измени|исправь|更新|修正|修改/u;

/** Words that request a tool, by its name. */
const BY_TOOL: readonly [RegExp, RegExp][] = [
  [/cancel/, CANCEL],
  [/publish|yank|deprecate/, PUBLISH],
  [/delete/, DELETE],
  [/update/, CHANGE],
  [/memory|context/, WRITE],
  [/^(?:rig|harness)_create$/, MAKE],
];

const verbOf = (tool: string): RegExp => BY_TOOL.find(([pattern]) => pattern.test(tool))?.[1] ?? DO;

const NEGATED =
  /\b(?:do not|don't|dont|never|without|not to|no need to|rather not|nicht|kein\w*|ne)\s+(?:\p{L}+\s+){0,2}$/u;

/** Returns whether the open sentences request what this tool does. A later "no" withdraws an earlier request. */
export function asksFor(tool: string, { open }: Pick<Words, 'open'>): boolean {
  const verb = new RegExp(verbOf(tool).source, 'gu');
  let asked = false;
  for (const sentence of open) {
    const found = [...sentence.matchAll(verb)];
    const wanted = found.filter(({ index }) => !NEGATED.test(sentence.slice(Math.max(0, index - 60), index)));
    if (found.length > 0) asked = wanted.length > 0;
    if (/^\s*(?:no|nope|nein|non|stop|never mind|forget it)\b/.test(sentence)) asked = false;
  }
  return asked;
}

const YES =
  /^\s*(?:yes|y|yep|yeah|sure|ok|okay|go ahead|do it|confirm(?:ed)?|proceed|please do|run it|ja|jawohl|oui|si|sim|tak|да|はい|是|好)(?:,? please|,? bitte)?[\s!.,]*$/u;

export const saysYes = ({ open }: Pick<Words, 'open'>): boolean => YES.test(open.at(-1) ?? '');
