/** Which page stands at a path. */

interface Place<T> {
  page: T;
  /** Decoded once. */
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

/** Null where a part is no encoded text: no page stands there. */
function decoded(groups: Record<string, string>): Record<string, string> | null {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text)]));
  } catch {
    return null;
  }
}
