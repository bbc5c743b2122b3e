import { registerHooks } from 'node:module';

/**
 * Resolves imports by directory. For each import, Node looks at the file, its real path and every `package.json` above it,
 * which took about a third of the loading. Files of one directory with one extension resolve alike: the first is left to Node, and
 * the others follow it. A file that is missing therefore fails when it is read. `require`, names of packages and entry
 * points are always left to Node.
 */

const ROOT = new URL('../../', import.meta.url).href;

/** Directory and format, by what the specifier names without the file's name. */
const resolved = new Map();

registerHooks({
  resolve(specifier, context, next) {
    const wanted = wantedBy(specifier, context);
    const slash = wanted.lastIndexOf('/') + 1;
    const dot = wanted.lastIndexOf('.');
    if (dot <= slash) return next(specifier, context);
    const key = wanted.slice(0, slash) + wanted.slice(dot);
    const file = wanted.slice(slash);
    const known = resolved.get(key);
    if (known !== undefined) return { url: known.directory + file, format: known.format, shortCircuit: true };
    const found = next(specifier, context);
    if (found.format && found.url.endsWith(`/${file}`))
      resolved.set(key, { directory: found.url.slice(0, -file.length), format: found.format });
    return found;
  },
});

/** A URL, a `#wing/path` of this program, or nothing. */
function wantedBy(specifier, { parentURL, conditions }) {
  if (parentURL === undefined || !conditions.includes('import')) return '';
  if (specifier.startsWith('.')) return new URL(specifier, parentURL).href;
  const is_own = parentURL.startsWith(ROOT) && !parentURL.includes('/node_modules/', ROOT.length - 1);
  return is_own && specifier.startsWith('#') ? specifier : '';
}
