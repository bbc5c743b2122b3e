import { type Document, isAlias, isMap, isNode, isScalar, isSeq, type ParsedNode, parseDocument, visit } from 'yaml';

/**
 * Parses untrusted plain YAML (1.2 core: no tags, no anchors, text keys, one document) to a map with the position of
 * each part.
 */

export type Path = readonly (string | number)[];

type YamlMap =
  | { ok: true; value: Record<string, unknown>; offsetOf(path: Path): number }
  | { ok: false; offset: number; detail: string };

/**
 * Limits open brackets, and list marks per line, to what the allowed depth can need, because more would only keep the
 * parser busy.
 */
const MOST_BRACKETS = 64;

/** Never throws. `detail` completes a sentence about the file. Time grows only with the length. */
export function readYamlMap(source: string, limits: { bytes: number; depth: number }, what: string): YamlMap {
  const refused = (detail: string, offset = 0): YamlMap => ({ ok: false, offset, detail: `has ${what} ${detail}` });
  if (Buffer.byteLength(source) > limits.bytes) return refused(`over ${limits.bytes} bytes`);
  const deep = tooDeepAt(source);
  if (deep !== null) return refused('nested too deeply', deep);
  try {
    const document = parseDocument(source, OPTIONS);
    const wrong = document.errors[0] ?? document.warnings[0];
    if (wrong) return refused(`that is not plain YAML: ${oneLine(wrong.message)}`, wrong.pos[0]);
    const fault = faultOf(document, limits.depth);
    if (fault !== null) return refused(fault.detail, fault.offset);
    if (!isMap(document.contents)) return refused('that is not a mapping', startOf(document.contents));
    const value = document.toJS({ maxAliasCount: 0 }) as Record<string, unknown>;
    return { ok: true, value, offsetOf: (path) => offsetOf(document, path) };
  } catch (cause) {
    // Nesting beyond the stack ends here.
    return refused(`that is not plain YAML: ${oneLine(String((cause as Error)?.message ?? cause))}`);
  }
}

const OPTIONS = {
  version: '1.2',
  schema: 'core',
  merge: false,
  resolveKnownTags: false,
  stringKeys: true,
  // The parser compares each key with all others; `faultOf` uses a set.
  uniqueKeys: false,
  logLevel: 'error',
  prettyErrors: false,
} as const;

function faultOf(document: Document.Parsed, most: number): { detail: string; offset: number } | null {
  let fault: { detail: string; offset: number } | null = null;
  const stop = (detail: string, node: unknown) => {
    fault = { detail, offset: startOf(node) };
    return visit.BREAK;
  };
  visit(document, {
    Node: (_key, node, path) => {
      if (path.filter((entry) => isMap(entry) || isSeq(entry)).length > most) return stop('nested too deeply', node);
      if (isAlias(node) || node.anchor !== undefined)
        return stop('that is not plain YAML: anchors and aliases are not supported', node);
      if (!isMap(node)) return undefined;
      const keys = new Set<string>();
      for (const { key } of node.items) {
        const name = String(isScalar(key) ? key.value : key);
        if (keys.has(name)) return stop('that is not plain YAML: duplicate key', key);
        keys.add(name);
      }
      return undefined;
    },
  });
  return fault;
}

function tooDeepAt(source: string): number | null {
  const { index } = /^[ \t]*(?:[-?:][ \t]+){33}/m.exec(source) ?? {};
  if (index !== undefined) return index;
  let open = 0;
  for (let at = 0; at < source.length; at++) {
    const char = source[at];
    if (char === '[' || char === '{') open += 1;
    else if ((char === ']' || char === '}') && open > 0) open -= 1;
    if (open > MOST_BRACKETS) return at;
  }
  return null;
}

/** The position of the key or list element; if it does not exist, of its container. */
function offsetOf(document: Document.Parsed, path: Path): number {
  let node: unknown = document.contents;
  let offset = startOf(node);
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && key.value === step);
      if (pair === undefined) return offset;
      offset = startOf(pair.key);
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      if (node === undefined) return offset;
      offset = startOf(node);
    } else return offset;
  }
  return offset;
}

const startOf = (node: unknown): number => (isNode(node) ? ((node as ParsedNode).range?.[0] ?? 0) : 0);

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 200);
