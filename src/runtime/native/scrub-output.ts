import { isUtf8 } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';
import { LEAST_CHARS, secretValues } from '#core/text/secret-values.ts';

/** Removes the secrets of a script from its output and files. */
export interface OutputScrubber {
  text(text: string): string;
  file(bytes: Buffer): Buffer;
  /** Passes on whole lines, so that no secret is split between chunks. `end` passes on the rest. */
  stream(pass: (bytes: Uint8Array) => void): { write(chunk: Buffer): void; end(): void };
}

/** A longer line is passed on in pieces. */
const MOST_LINE_CHARS = 65_536;
const MASK = Buffer.from('[redacted]');

export function outputScrubber(secrets: readonly string[]): OutputScrubber {
  // Each line of a secret counts too: a private key is printed line by line.
  const lines = secrets
    .flatMap((secret) => [secret, ...secret.split('\n')])
    .filter((each) => each.length >= LEAST_CHARS);
  const { scrub } = secretValues(lines);
  if (lines.length === 0)
    return { text: (text) => text, file: (bytes) => bytes, stream: (pass) => ({ write: pass, end: () => {} }) };
  return {
    text: scrub,
    file: (bytes) => {
      if (!isUtf8(bytes)) return lines.reduce((clean, line) => replaceBytes(clean, Buffer.from(line)), bytes);
      const text = bytes.toString('utf8');
      const clean = scrub(text);
      return clean === text ? bytes : Buffer.from(clean);
    },
    stream: (pass) => {
      const decoder = new StringDecoder('utf8');
      let held = '';
      const flush = (until: number) => {
        if (until > 0) pass(Buffer.from(scrub(held.slice(0, until))));
        held = held.slice(until);
      };
      return {
        write: (chunk) => {
          held += decoder.write(chunk);
          flush(held.lastIndexOf('\n') + 1);
          if (held.length > MOST_LINE_CHARS) flush(held.length);
        },
        end: () => {
          held += decoder.end();
          flush(held.length);
        },
      };
    },
  };
}

function replaceBytes(bytes: Buffer, secret: Buffer): Buffer {
  const pieces: Buffer[] = [];
  let from = 0;
  for (let at = bytes.indexOf(secret); at !== -1; at = bytes.indexOf(secret, from)) {
    pieces.push(bytes.subarray(from, at), MASK);
    from = at + secret.length;
  }
  return from === 0 ? bytes : Buffer.concat([...pieces, bytes.subarray(from)]);
}
