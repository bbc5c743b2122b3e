import { StringDecoder } from 'node:string_decoder';

/**
 * For a terminal: what would move its cursor, colour, rename or answer for it, or turn the order of the text around, is
 * written out (`\u001b`) instead of sent. Line ends and tabs stay. Chunks may cut a character in two.
 */
interface VisibleText {
  take(chunk: Uint8Array): string;
  /** The rest of an incomplete character. */
  rest(): string;
}

export function visibleText(): VisibleText {
  const decoder = new StringDecoder('utf8');
  let carriage = '';
  return {
    take: (chunk) => {
      const text = carriage + decoder.write(Buffer.from(chunk));
      // Half of a line end of Windows, perhaps.
      carriage = text.endsWith('\r') ? '\r' : '';
      return visible(carriage === '' ? text : text.slice(0, -1));
    },
    rest: () => visible(carriage + decoder.end()),
  };
}

/** The same for a text that is whole. */
export const visible = (text: string): string =>
  text.replace(/\r(?!\n)|[^\P{Cc}\n\t\r]|\p{Bidi_Control}|[\u2028\u2029]/gu, (one) => {
    const code = one.codePointAt(0) as number;
    return `\\u${code.toString(16).padStart(4, '0')}`;
  });
