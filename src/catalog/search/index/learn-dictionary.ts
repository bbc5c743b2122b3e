/** What occurs often is counted by grams of this many bytes. */
const GRAM = 8;
const GRAM_BITS = 19;
/** A dictionary is made of pieces, each from another stretch of the sample. */
const PIECE = 1_024;
/** Fewer occurrences in the sample are not worth a place. */
const OFTEN = 4;

/**
 * At most so many bytes of text that occur often in the sample, in linear time: of each stretch the piece whose grams occur most, without
 * what an earlier piece has. The method is that of Zstandard's COVER (Liao et al., "Effective construction of relative Lempel-Ziv
 * dictionaries", 2016).
 */
export function learnDictionary(sample: Buffer, most_bytes: number): Buffer {
  const grams = gramsOf(sample);
  const counts = new Uint32Array(1 << GRAM_BITS);
  for (const gram of grams) counts[gram] = (counts[gram] as number) + 1;
  const inWindow = new Uint16Array(counts.length);
  const stretch = Math.max(PIECE, Math.ceil(sample.length / Math.floor(most_bytes / PIECE)));
  const pieces: Buffer[] = [];
  for (let from = 0; from < grams.length; from += stretch) {
    let { at, end } = bestWindow(grams.subarray(from, from + stretch), counts, inWindow);
    const countAt = (gram: number): number => counts[grams[from + gram] as number] as number;
    while (at < end && countAt(at) < OFTEN) at++;
    while (at < end && countAt(end - 1) < OFTEN) end--;
    if (at === end) continue;
    pieces.push(sample.subarray(from + at, from + end + GRAM - 1));
    for (const gram of grams.subarray(from + at, from + end)) counts[gram] = 0;
  }
  return Buffer.concat(pieces);
}

/** A hash of the gram that starts at each byte. */
function gramsOf(sample: Buffer): Int32Array {
  const grams = new Int32Array(Math.max(0, sample.length - GRAM + 1));
  for (let at = 0; at < grams.length; at++)
    grams[at] =
      (Math.imul(sample.readInt32LE(at), 0x9e3779b1) ^ Math.imul(sample.readInt32LE(at + 4), 0x85ebca6b)) >>>
      (32 - GRAM_BITS);
  return grams;
}

/** The grams of the piece with the highest sum of counts, where each gram counts once. `inWindow` is zeros before and after. */
function bestWindow(grams: Int32Array, counts: Uint32Array, inWindow: Uint16Array): { at: number; end: number } {
  const length = PIECE - GRAM + 1;
  let [best, end, sum] = [0, 0, 0];
  for (let i = 0; i < grams.length; i++) {
    const gram = grams[i] as number;
    const times = inWindow[gram] as number;
    inWindow[gram] = times + 1;
    if (times === 0) sum += counts[gram] as number;
    if (i >= length) sum -= leave(grams[i - length] as number, counts, inWindow);
    if (sum > best) [best, end] = [sum, i + 1];
  }
  for (const gram of grams.subarray(-length)) inWindow[gram] = 0;
  return { at: Math.max(0, end - length), end };
}

/** What the sum of a window loses with one of its grams. */
function leave(gram: number, counts: Uint32Array, inWindow: Uint16Array): number {
  const times = (inWindow[gram] as number) - 1;
  inWindow[gram] = times;
  return times === 0 ? (counts[gram] as number) : 0;
}
