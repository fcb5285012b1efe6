// Rows of things whose order counts, where there are too many of them for a list: what is not listed is put together
// from what is, so that any row can be laid by pointing. Whether it is legal is said by the service.

const FAR = 2; // so many places before its end a row is shown in every way in which it can go on

/**
 * The *items*, each row with a ref for every place: the service names a thing once that stands in it twice. What a
 * value is called is told by the rows without such things.
 */
export function spelled(items) {
  const refs = new Map();
  for (const item of items) {
    const row = item.ordered && listIn(item);
    if (row?.length === item.refs.length) row.forEach((value, at) => refs.set(value, item.refs[at]));
  }
  return items.map((item) => {
    const row = item.ordered && listIn(item);
    const whole = row && row.length > item.refs.length && row.every((value) => refs.has(value));
    return whole ? { ...item, refs: row.map((value) => refs.get(value)) } : item;
  });
}

const listIn = ({ command }) => Object.values(command).find((value) => Array.isArray(value));

/** How the rows among *items* are made up; null where they are not all alike. */
function patternOf(items) {
  const [first] = items;
  const size = first.refs.length;
  const field = Object.keys(first.command).find((key) => first.command[key]?.length === size);
  const bare = (item) => JSON.stringify({ ...item.command, [field]: null });
  const alike = (item) =>
    item.command[field]?.length === size && item.refs.length === size && item.refs.every((each) => each.length === 1) && bare(item) === bare(first);
  if (!field || !items.every(alike)) return null;
  const things = new Map(); // by ref: its value in the command, its word, how often a row has it at the most
  for (const item of items) {
    const parts = item.label.split(", ");
    const row = item.refs.flat();
    row.forEach((ref, at) => {
      const often = row.filter((each) => each === ref).length;
      const word = parts.length === size ? parts[at] : item.command[field][at];
      things.set(ref, { value: item.command[field][at], word, most: Math.max(often, things.get(ref)?.most ?? 0) });
    });
  }
  return { first, field, size, things };
}

/** The things that may come after those of *row*. */
function next({ things }, row) {
  return [...things].filter(([ref, { most }]) => row.filter((each) => each === ref).length < most).map(([ref]) => ref);
}

/** The rows that begin with *row*: all of them near the end, before it one for each thing that may come next. */
function goingOn(pattern, row, all) {
  if (row.length === pattern.size) return [row];
  const ways = next(pattern, row);
  return (all ? ways : ways.slice(0, 1)).flatMap((ref) => goingOn(pattern, [...row, ref], all));
}

/** Beside the *items* of a list that is cut: rows that begin with the refs *chosen*, as items. */
export function unlisted(items, chosen) {
  const rows = items.filter((item) => item.ordered);
  const pattern = chosen.length && rows.length ? patternOf(rows) : null;
  if (!pattern || chosen.length > pattern.size || chosen.some((ref) => !pattern.things.has(ref))) return [];
  const { first, field, size, things } = pattern;
  const far = size - chosen.length > FAR;
  const found = far ? next(pattern, chosen).flatMap((ref) => goingOn(pattern, [...chosen, ref], false)) : goingOn(pattern, chosen, true);
  const listed = new Set(rows.map((item) => JSON.stringify(item.refs.flat())));
  return found
    .filter((row) => !listed.has(JSON.stringify(row)))
    .map((row) => ({
      ...first,
      refs: row.map((ref) => [ref]),
      command: { ...first.command, [field]: row.map((ref) => things.get(ref).value) },
      label: row.map((ref) => things.get(ref).word).join(", "),
    }));
}
