import { readFrontmatter } from '#runtime/skills/frontmatter.ts';
import { CONTEXT_LIMITS, type ContextBlock, type ContextWrite, LABEL } from './context.ts';

/** A block of context as a file of an exported harness: `context/<label>.md`, its settings above its content. Pure. */

export const contextFile = ({ description, max_characters, read_only, content }: ContextBlock): string =>
  [
    '---',
    `description: ${JSON.stringify(description)}`,
    `max_characters: ${max_characters}`,
    `read_only: ${read_only}`,
    '---',
    content,
  ].join('\n');

/** `path` is below context/. Returns an error as the end of a sentence. */
export function readContextFile(path: string, bytes: Uint8Array): ContextWrite | string {
  const label = /^([^/]+)\.md$/.exec(path)?.[1];
  if (label === undefined || !new RegExp(LABEL).test(label))
    return 'must be label.md, with a label of lower-case letters, digits, hyphens and underscores';
  const read = readFrontmatter(bytes);
  if (!read.ok) return read.detail;
  const { description = '', max_characters, read_only = false, ...rest } = read.value.map;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) return 'has a key other than description, max_characters and read_only';
  if (typeof description !== 'string' || description.length > 500) return 'has a description of over 500 characters';
  if (typeof read_only !== 'boolean') return 'has a read_only that is neither true nor false';
  if (max_characters !== undefined && !isLimit(max_characters))
    return `has a max_characters that is not a number from 1 to ${CONTEXT_LIMITS.max_characters}`;
  return { label, content: read.value.body, description, read_only, max_characters };
}

const isLimit = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= CONTEXT_LIMITS.max_characters;
