import { LRUCache } from 'lru-cache';

/**
 * A cache keyed by texts from requests, evicting the least recently used. With a Map, V8 would add each text to its
 * process-wide string table: for texts that never repeat, that takes longer than the search and leaves garbage. So the
 * key is our own hash. Of two texts with the same hash, the later one stays.
 */
export interface TextCache<V> {
  get(text: string, hash?: number): V | undefined;
  set(text: string, value: V, hash?: number): void;
  delete(text: string): void;
  clear(): void;
  readonly count: number;
  readonly bytes: number;
}

interface TextCacheOptions<V> {
  most_bytes: number;
  /** Size of a value without its text. */
  bytesOf(value: V): number;
}

interface Kept<V> {
  text: string;
  value: V;
}

export function textCache<V>({ most_bytes, bytesOf }: TextCacheOptions<V>): TextCache<V> {
  const byHash = new LRUCache<number, Kept<V>>({
    maxSize: most_bytes,
    sizeCalculation: ({ text, value }) => bytesOf(value) + text.length * 2,
  });
  return {
    get(text, hash = hashOf(text)) {
      const kept = byHash.get(hash);
      return kept !== undefined && kept.text === text ? kept.value : undefined;
    },
    set: (text, value, hash = hashOf(text)) => void byHash.set(hash, { text, value }),
    delete(text) {
      const hash = hashOf(text);
      if (byHash.peek(hash)?.text === text) byHash.delete(hash);
    },
    clear: () => byHash.clear(),
    get count() {
      return byHash.size;
    },
    get bytes() {
      return byHash.calculatedSize;
    },
  };
}

/** Returns the cached value, or finds it and caches it. */
export function remembered<V>(cache: TextCache<V>, text: string, find: () => V): V {
  const hash = hashOf(text);
  let value = cache.get(text, hash);
  if (value === undefined) {
    value = find();
    cache.set(text, value, hash);
  }
  return value;
}

/** Hash of the text before `end`. */
export function hashOf(text: string, end = text.length): number {
  let hash = 0;
  for (let i = 0; i < end; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash ^ (hash >>> 15);
}
