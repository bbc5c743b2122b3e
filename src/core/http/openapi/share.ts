import type { Node } from './shape.ts';

/** Moves parameters and examples that several operations share to `components` and replaces them by references. */

interface Place {
  /** The preferred name, and an alternative if it is taken. */
  names: readonly string[];
  value: Node;
  refer(name: string): void;
}

/** Changes `paths` in place. Returns the members for `components`. */
export function shareRepeated(paths: Node): Node {
  const operations = Object.values(paths as Record<string, Record<string, Node>>).flatMap((path) =>
    Object.values(path),
  );
  return {
    ...section('parameters', moveRepeated(operations.flatMap(parameterPlaces))),
    ...section('examples', moveRepeated(operations.flatMap(examplePlaces))),
  };
}

const section = (name: string, members: Node): Node => (Object.keys(members).length === 0 ? {} : { [name]: members });

function moveRepeated(places: Place[]): Node {
  const groups = [...Map.groupBy(places, ({ value }) => JSON.stringify(value)).values()].filter(
    (places) => places.length > 1,
  );
  const moved: Node = {};
  for (const group of groups) {
    const [{ names, value }] = group as [Place];
    const wanted = (name: string) => groups.filter((group) => group[0]?.names.includes(name)).length;
    const name = names.find((name) => wanted(name) === 1);
    if (name === undefined) continue;
    moved[name] = value;
    for (const place of group) place.refer(name);
  }
  return moved;
}

function parameterPlaces(operation: Node): Place[] {
  const parameters = (operation.parameters ?? []) as Node[];
  const [feature = ''] = operation.tags as string[];
  return parameters.map((value, at) => {
    const name = pascal(value.name as string);
    return {
      names: [name, pascal(feature) + name, ownName(operation) + name],
      value,
      refer: (text) => {
        parameters[at] = { $ref: `#/components/parameters/${text}` };
      },
    };
  });
}

/** Named after the first operation that has it: no other group starts there. */
const ownName = ({ operationId }: Node): string => pascal((operationId as string).replace(/^.*\./, ''));

function examplePlaces(operation: Node): Place[] {
  const { responses } = operation;
  const media = Object.values(responses as Record<string, Node>).flatMap((response) =>
    Object.values((response.content ?? {}) as Record<string, Node>),
  );
  return media.flatMap((node) => {
    const name = nameOf(node.schema as Node);
    if (name === undefined || node.example === undefined) return [];
    const refer = (to: string) => {
      delete node.example;
      node.examples = { [to]: { $ref: `#/components/examples/${to}` } };
    };
    return [{ names: [name, ownName(operation)], value: { value: node.example }, refer }];
  });
}

const nameOf = ({ $ref }: Node): string | undefined =>
  typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : undefined;

/** Converts `listing_type` to `ListingType`. */
const pascal = (name: string): string =>
  name.replace(/(?:^|(?<![^a-zA-Z0-9])[^a-zA-Z0-9]+)([a-zA-Z0-9])/g, (_, group) => group.toUpperCase());
