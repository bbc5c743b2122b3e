/** A package in one form: ecosystem and id, without version. Null where it names none. Pure. */
export function packageKey({ registry_type, identifier }: Record<string, unknown>): string | null {
  if (typeof registry_type !== 'string' || typeof identifier !== 'string' || identifier.trim() === '') return null;
  const type = registry_type.toLowerCase();
  const id = identifier.trim();
  if (id.length > 300) return null;
  const form = Object.hasOwn(FORMS, type) ? FORMS[type] : undefined;
  // Of a kind that is not known: what is downloaded changes its address with each version.
  return form === undefined ? null : `${type}:${form(id)}`;
}

const FORMS: Record<string, (id: string) => string> = {
  npm: (id) => withoutVersion(id).toLowerCase(),
  pypi: (id) =>
    id
      .replace(/[[=<>~!].*/s, '')
      .replace(/@.*/s, '')
      .toLowerCase()
      .replace(/[-_.]+/g, '-'),
  nuget: (id) => withoutVersion(id).toLowerCase(),
  cargo: (id) => withoutVersion(id).toLowerCase().replaceAll('_', '-'),
  oci: imageName,
};

/** `name@1.2`, but not the sign of a scope. */
const withoutVersion = (id: string): string => id.replace(/(?<=.)@[^@/]*$/, '');

/** Without tag and digest; Docker's own host may be left out. */
function imageName(id: string): string {
  const name = id
    .toLowerCase()
    .replace(/^docker:\/\/|^https?:\/\//, '')
    .replace(/@sha256:.*/s, '')
    .replace(/:[^:/]*$/, '');
  return name.replace(/^(?:index\.|registry-1\.)?docker\.io\//, '').replace(/^library\//, '');
}
