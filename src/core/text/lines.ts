/** Position of an offset as in editors: line and column from 1, columns in UTF-16 units. */

export interface Place {
  line: number;
  column: number;
}

export const START: Place = { line: 1, column: 1 };

/** Scans the text once; each lookup is a binary search. `first_line` is the number of the text's first line. */
export function placesIn(text: string, first_line = 1): (offset: number) => Place {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + first_line, column: offset - (starts[low] as number) + 1 };
  };
}
