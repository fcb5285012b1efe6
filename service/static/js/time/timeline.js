// The sentences of a game in order: by turn, and within a turn by the command that led to them.

/** The lines by turn, and within a turn by the command that led to them. */
export function groups(lines) {
  const found = [];
  for (const line of lines) {
    if (!found.length || line.begins === "turn") found.push({ seq: line.seq, last: line.seq, head: line, commands: [] });
    const group = found.at(-1);
    group.last = line.seq;
    const block = group.commands.at(-1);
    if (block && block.command !== undefined && block.command === line.command) block.lines.push(line);
    // A turn begins by itself, no matter whose command ended the one before.
    else group.commands.push({ seq: line.seq, command: line.command, by: line.begins === "turn" ? "sys" : line.by, lines: [line] });
  }
  return found;
}

/** The first line of the newest command. */
export function newest(lines) {
  const { command } = lines.at(-1) ?? {};
  const other = command === undefined ? lines.length - 2 : lines.findLastIndex((line) => line.command !== command);
  return lines[other + 1];
}

/** Where the latest command of *seats* stands, or 0. */
export function myLast(lines, seats) {
  const mine = new Set(seats.map((seat) => `p${seat}`));
  return lines.findLast((line) => mine.has(line.by))?.seq ?? 0;
}

/** Where one stops on the way: the last event of each command and of each turn. */
export function stations(lines) {
  const turns = groups(lines);
  return {
    commands: turns.flatMap((turn) => turn.commands.map((block) => block.lines.at(-1).seq)),
    turns: turns.map((turn) => turn.seq),
  };
}
