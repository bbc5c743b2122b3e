/** Iterates over all pages of a list. */

interface Page<T> {
  items: T[];
  total_count: number;
}

/**
 * Every item of a list from `offset` on: `for await (const item of every(capstan.items.list, { search: 'pdf' }))`.
 * A page is requested when its first item is read. Concurrent changes may move an item to the next page.
 */
export async function* every<I extends { limit?: number | undefined; offset?: number | undefined }, T, O>(
  list: (input: I, options?: O) => Promise<Page<T>>,
  input: I = {} as I,
  options?: O,
): AsyncGenerator<T, void, void> {
  for (let offset = input.offset ?? 0; ; ) {
    const { items, total_count } = await list({ ...input, offset }, options);
    yield* items;
    offset += items.length;
    if (items.length === 0 || offset >= total_count) return;
  }
}
