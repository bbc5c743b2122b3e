import { fold } from '#catalog/changes/fold.ts';

/** Names in a form in which those of one thing meet. Pure. */

/** What every server is called. */
const EMPTY = new Set(
  (
    'mcp server servers model context protocol the a an for of with by and to from in on using via your my official ' +
    'remote local modelcontextprotocol claude ai io js py ts node python typescript'
  ).split(' '),
);
/** What says little in a description. */
const COMMON = new Set(
  (
    'that this which it its is are be as or at can you use used uses user users tool tools api apis allow allows ' +
    'enable enables enabling provide provides providing access interact interacts interacting interaction integrate ' +
    'integrates integration integrating implementation based through into data manage managing management seamless ' +
    'seamlessly assistant assistants llm llms agent agents language large models natural service services platform ' +
    'system support supports supporting effortlessly easily simple powerful including application applications app ' +
    'client clients desktop interface real time query queries querying information operations operation create get ' +
    'will when their them they other such directly connect connects connecting enhance across various run all more ' +
    'any not if has have how need needs make build built want about like etc standardized workflow workflows task ' +
    'tasks feature features functionality capability capabilities perform access offers offer designed'
  ).split(' '),
);

export const wordsOf = (text: string): string[] =>
  fold(text.slice(0, 2_000).replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')).match(/[\p{L}\p{N}]+/gu) ?? [];

/** `mcp-server-sumologic`, `Sumo Logic MCP Server` and `sumologic` are one; '' where nothing is left. */
export const nameKey = (name: string): string =>
  wordsOf(name)
    .filter((it) => !EMPTY.has(it))
    .join('')
    .replace(/^mcp|mcp$/g, '')
    .slice(0, 80);

/** What the names say, word by word. */
export const nameWords = (names: readonly string[]): string[] =>
  [...new Set(names.flatMap(wordsOf))].filter((it) => it.length > 2 && !EMPTY.has(it) && !COMMON.has(it)).sort();

/** Of skills and plugins, where each word counts. */
export const slugKey = (name: string): string => wordsOf(name).join('').slice(0, 80);

/** Each once, in the order of the alphabet. */
export const contentWords = (text: string): string[] =>
  [...new Set(wordsOf(text).map(stem))].filter((it) => it.length > 1 && !EMPTY.has(it) && !COMMON.has(it)).sort();

const stem = (word: string): string =>
  word.length > 3 ? word.replace(/(?:ies|y)$/, 'i').replace(/(?<!s)s$/, '') : word;
