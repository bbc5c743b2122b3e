import type { Output } from '#core/command-io.ts';

interface Progress {
  /** Passes the bytes through and counts them. */
  watch(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  show(listings: number): void;
  /** Clears the bar, so that the next output starts on an empty line. */
  end(): void;
}

const WIDTH = 24;
const EVERY_MS = 100;

/** Shows a progress bar on a terminal and nothing elsewhere. Without a known size, it shows only a count. */
export function createProgress(out: Output, size: number | null): Progress {
  let read = 0;
  let shownAt = 0;
  const draw = (listings: number): void => {
    const done = size === null || size === 0 ? null : Math.min(1, read / size);
    const bar = done === null ? '' : `[${'#'.repeat(done * WIDTH).padEnd(WIDTH, '.')}] ${Math.floor(done * 100)} % `;
    out.write(`\r\x1b[K${bar}${listings.toLocaleString('en')} listings`);
  };
  return {
    watch: async function* (bytes) {
      for await (const chunk of bytes) {
        read += chunk.byteLength;
        yield chunk;
      }
    },
    show: (listings) => {
      if (!out.isTTY || performance.now() - shownAt < EVERY_MS) return;
      shownAt = performance.now();
      draw(listings);
    },
    end: () => {
      if (out.isTTY && shownAt > 0) out.write('\r\x1b[K');
    },
  };
}
