import type { PassThrough, Readable } from 'node:stream';

const COMPLAINT_CHARS = 2_048;

interface Parts {
  before(text: string): void;
  ready(): void;
  after: PassThrough;
}

/** What comes before the ready line is the engine's, what comes after it is the program's. */
export function untilReady(source: Readable, ready: string, { before, ready: tell, after }: Parts): void {
  let head: Buffer | null = Buffer.alloc(0);
  source.on('data', (chunk: Buffer) => {
    if (head === null) return void after.write(chunk);
    head = Buffer.concat([head, chunk]);
    const at = head.indexOf(`${ready}\n`);
    if (at === -1) {
      if (head.length < COMPLAINT_CHARS * 4) return;
      before(head.toString('utf8'));
      head = head.subarray(-ready.length - 1);
      return;
    }
    const rest = head.subarray(at + ready.length + 1);
    head = null;
    tell();
    if (rest.length > 0) after.write(rest);
  });
  source.once('close', () => {
    if (head !== null) before(head.toString('utf8'));
    after.end();
  });
}
