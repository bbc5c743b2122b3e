import { hashOf } from '#core/text/text-cache.ts';
import { byteList, pushText, shareBytes, sharedBytes, sharedUints, shareInts } from './arrays.ts';
import { firstFailing } from './sorted-rows.ts';
import { termText } from './term-dictionary.ts';
import { type TextIndex, textBuilder } from './text-index.ts';
import { toolNameLength, weighTool } from './tool-terms.ts';
import type { DocumentTool, ToolText } from './tool-text.ts';

/** An immutable index over tools. */
export interface ToolSegment {
  count: number;
  text: TextIndex;
  /** The number of distinctive words in each name. */
  nameLengths: Uint8Array;
}

interface SegmentBuilder {
  add(tool: ToolText): void;
  /** Rows are in the order of the `add` calls. */
  finish(): ToolSegment;
}

/** Adding is most of the work, so that a caller can spread it over several turns of the event loop. */
export function toolSegmentBuilder(): SegmentBuilder {
  const text = textBuilder();
  const added: Pick<ToolText, 'name'>[] = [];
  return {
    add(tool) {
      text.add(weighTool(tool));
      added.push({ name: tool.name });
    },
    finish() {
      const order = Int32Array.from(added, (_, row) => row);
      return { count: added.length, text: text.finish(order), nameLengths: nameLengthsOf(added) };
    },
  };
}

/** Rows are in the order of the tools. */
export function buildTools(tools: readonly ToolText[]): ToolSegment {
  const builder = toolSegmentBuilder();
  for (const tool of tools) builder.add(tool);
  return builder.finish();
}

function nameLengthsOf(tools: readonly Pick<ToolText, 'name'>[]): Uint8Array {
  const lengths = sharedBytes(tools.length);
  lengths.set(tools.map(({ name }) => toolNameLength(name)));
  return lengths;
}

/** The tools of all capabilities of a segment, in the order of their rows. */
export interface CapabilityTools extends ToolSegment {
  /** The row of each tool's capability, ascending. */
  owners: Int32Array;
  /** Of server and name; 0 for a tool of no probed server. The same tool may belong to several capabilities. */
  keys: Int32Array;
  nameBytes: Uint8Array;
  nameAt: Uint32Array;
  /** The place of each tool's server among all servers. */
  targets: Int32Array;
  targetBytes: Uint8Array;
  targetAt: Uint32Array;
}

interface ToolBuilder {
  /** The tools of the next document. */
  add(tools: readonly DocumentTool[]): void;
  /** `rowOrder[row]` is the document's number, in the order of the `add` calls. */
  finish(rowOrder: Int32Array): CapabilityTools;
}

export function toolBuilder(): ToolBuilder {
  const text = textBuilder();
  const added: Pick<DocumentTool, 'name' | 'target'>[] = [];
  const starts = [0];
  return {
    add(tools) {
      for (const tool of tools) {
        text.add(weighTool(tool));
        added.push({ name: tool.name, target: tool.target });
      }
      starts.push(added.length);
    },
    finish(rowOrder) {
      const order: number[] = [];
      const owners: number[] = [];
      rowOrder.forEach((document, row) => {
        for (let tool = starts[document] as number; tool < (starts[document + 1] as number); tool++) {
          order.push(tool);
          owners.push(row);
        }
      });
      const tools = order.map((tool) => added[tool] as (typeof added)[number]);
      return {
        count: tools.length,
        text: text.finish(Int32Array.from(order)),
        nameLengths: nameLengthsOf(tools),
        owners: shareInts(owners),
        keys: shareInts(tools.map(({ name, target }) => (target === '' ? 0 : toolKey(target, name)))),
        ...layOutNames(tools),
        ...layOutTargets(tools),
      };
    },
  };
}

/** Never 0. */
const toolKey = (target: string, name: string): number => hashOf(`${target} ${name}`) || 1;

function layOutNames(tools: readonly { name: string }[]) {
  const { bytes, at } = textsOf(tools.map(({ name }) => name));
  return { nameBytes: bytes, nameAt: at };
}

function layOutTargets(tools: readonly { target: string }[]) {
  const numbers = new Map<string, number>();
  const targets = tools.map(({ target }) => {
    const number = numbers.get(target) ?? numbers.size;
    numbers.set(target, number);
    return number;
  });
  const { bytes, at } = textsOf([...numbers.keys()]);
  return { targets: shareInts(targets), targetBytes: bytes, targetAt: at };
}

function textsOf(texts: readonly string[]): { bytes: Uint8Array; at: Uint32Array } {
  const list = byteList(1024);
  const at = sharedUints(texts.length + 1);
  texts.forEach((text, i) => {
    pushText(list, text);
    at[i + 1] = list.length;
  });
  return { bytes: shareBytes(list), at };
}

export const toolName = ({ nameBytes, nameAt }: CapabilityTools, row: number): string =>
  termText(nameBytes, nameAt, row);

/** The probed server of a tool. */
export const toolTarget = ({ targets, targetBytes, targetAt }: CapabilityTools, row: number): string =>
  termText(targetBytes, targetAt, targets[row] as number);

/** The tools of a capability: the rows from the first to before the second. */
export function toolsOfRow({ owners }: CapabilityTools, row: number): [from: number, to: number] {
  const startOf = (owner: number): number => firstFailing(owners.length, (tool) => (owners[tool] as number) < owner);
  return [startOf(row), startOf(row + 1)];
}
