/** The same numbers for the same seed, everywhere: a xorshift generator. Answers a whole number below `below`. */
export type Random = (below: number) => number;

export function seeded(seed: number): Random {
  let state = seed | 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

export const oneOf = <T>(random: Random, list: readonly T[]): T => list[random(list.length)] as T;
