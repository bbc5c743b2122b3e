/** Finds the page at a path. */

interface Place<T> {
  page: T;
  /** Decoded exactly once. */
  params: Record<string, string>;
}

export function pageFinder<T>(pages: readonly (readonly [path: string, page: T])[]) {
  const patterns = pages.map(([path, page]) => ({ page, pattern: patternOf(path) }));
  return (path: string): Place<T> | null => {
    for (const { page, pattern } of patterns) {
      const found = pattern.exec(path);
      const params = found === null ? null : decoded(found.groups ?? {});
      if (params !== null) return { page, params };
    }
    return null;
  };
}

const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path.replace(/[.]/g, '\\.').replace(/\{(\w+)(\*?)\}/g, (_all, name, rest) => `(?<${name}>${rest === '*' ? '.+' : '[^/]+'})`)}$`,
  );

/** Null if a part is not valid percent-encoding: then no page matches. */
function decoded(groups: Record<string, string>): Record<string, string> | null {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text)]));
  } catch {
    return null;
  }
}
