/** `registry.listItems` lives in src/catalog/items/list.ts; the platform's own in src/core/<name>/. */
export function fileOf(operation_id: string): string[] {
  const [feature, name] = operation_id.split('.') as [string, string];
  const file = `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`;
  return [`src/${feature}/${file}`, `src/core/${feature}/${file}`];
}
