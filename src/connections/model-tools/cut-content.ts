import { plain } from '#core/tools/words.ts';

/** Content of a server within the limits of a model's context. */

/** Limit of the blocks, or of one text, as JSON; the rest is omitted with a note. */
export const MOST_CHARACTERS = 24_000;
const MOST_BLOCKS = 200;

export type Block = Record<string, unknown>;

/** Keeps blocks that fit. A longer text is truncated; other blocks are named instead of included. */
export function cutContent(blocks: readonly Block[]): { content: Block[]; is_cut: boolean } {
  let left = MOST_CHARACTERS;
  let isCut = false;
  const content: Block[] = [];
  for (const block of blocks) {
    const length = JSON.stringify(block).length;
    if (length <= left) content.push(block);
    else {
      isCut = true;
      if (block.type === 'text' && left > 0)
        content.push({ type: 'text', text: `${String(block.text).slice(0, left).toWellFormed()}…` });
      else content.push({ type: 'text', text: `(${plain(String(block.type), 40)} of ${length} characters, omitted)` });
    }
    left -= Math.min(left, length);
  }
  return { content: content.slice(0, MOST_BLOCKS), is_cut: isCut || content.length > MOST_BLOCKS };
}

/** Text blocks as they are, others by their type. */
export const textOfBlocks = (content: readonly Block[]): string =>
  content
    .map((block) => (block.type === 'text' ? String(block.text) : `(${plain(String(block.type), 40)})`))
    .join('\n');
