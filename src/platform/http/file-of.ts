/** `registry.listItems` lives in src/features/registry/list-items.ts; the platform's own in src/platform/<name>/. */
export function fileOf(operation_id: string): string[] {
  const [feature, name] = operation_id.split('.') as [string, string];
  const file = `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`;
  return [`src/features/${feature}/${file}`, `src/platform/${feature}/${file}`];
}
