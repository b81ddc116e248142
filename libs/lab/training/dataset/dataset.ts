import { writeFileSync } from 'node:fs';
import { readTextFile } from '@maw/text/text-file.ts';
import { z } from 'zod';
import { Observation } from '@maw/learning/observation/observation.ts';
import { sha256 } from '@maw/learning/policy/policy.ts';

/** The first line of a dataset file. */
const Header = z.strictObject({
  format: z.literal('maw-tactics-1'),
  /** All tactics there are, in the order of a policy's outputs. */
  tactics: z.array(z.string().min(1)).min(2),
  /** Where the games are from, in words. */
  source: z.string(),
});

/** Every further line: one choice of a tactic. The lines of a seat in a game follow each other in the order of its speeches. */
const Choice = Observation.extend({
  /** What was dealt: games of one deal are never divided between training and evaluation. */
  deal: z.string().min(1),
  game: z.string().min(1),
  seat: z.int().min(0),
  tactic: z.string(),
  /** The points between this choice and the next. */
  reward: z.number(),
  /** Whether it is the seat's last choice in the game. */
  isLast: z.boolean(),
});

export type DatasetHeader = z.infer<typeof Header>;
export type Choice = z.infer<typeof Choice>;

export interface Dataset extends DatasetHeader {
  readonly choices: readonly Choice[];
}

/** A dataset as text: a JSON value per line. */
export const formatDataset = ({ choices, ...header }: Dataset): string =>
  [header, ...choices].map((line) => `${JSON.stringify(line)}\n`).join('');

/** Writes a dataset that can be read again. @throws Error that says what is wrong with it; nothing is written then */
export function writeDataset(file: string, dataset: Dataset): void {
  const text = formatDataset(dataset);
  parseDataset(text, file);
  writeFileSync(file, text);
}

/**
 * Reads the file of a dataset.
 * @param begun what was begun with it, in words, and its SHA-256 then
 * @throws Error that says why it cannot be read, where it is wrong, or that it has changed
 */
export function readDataset(
  file: string,
  begun?: { readonly what: string; readonly sha256: string },
): Dataset & { readonly sha256: string } {
  const text = readTextFile(file);
  const hash = sha256(text);
  if (begun && hash !== begun.sha256) throw new Error(`${file} has changed since the ${begun.what} began`);
  return { ...parseDataset(text, file), sha256: hash };
}

/**
 * Reads a dataset. Nothing is repaired or left out.
 * @param name of the file, for messages
 * @throws Error that says what is wrong, in which line
 */
export function parseDataset(text: string, name: string): Dataset {
  const lines = text.split('\n');
  if (lines.pop() !== '' || !lines.length)
    throw new Error(text ? `${name}: the last line is incomplete; the file was cut off` : `${name} is empty`);
  const header = parseLine(Header, lines[0]!, `${name}, line 1`);
  const known = new Set(header.tactics);
  const choices = lines.slice(1).map((line, i) => {
    const where = `${name}, line ${i + 2}`;
    const choice = parseLine(Choice, line, where);
    if (!known.has(choice.tactic)) throw new Error(`${where}: ${JSON.stringify(choice.tactic)} is not among the tactics of line 1`);
    return choice;
  });
  checkOrder(choices, name);
  const used = new Set(choices.map(({ tactic }) => tactic));
  if (used.size < 2)
    throw new Error(
      used.size ? `${name}: every choice is ${[...used][0]}: nothing can be learnt from one tactic` : `${name} has no choices`,
    );
  return { ...header, choices };
}

function parseLine<T>(schema: z.ZodType<T>, line: string, where: string): T {
  const read = schema.safeParse(jsonValue(line, where));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new Error(`${where}${issue!.path.length ? `, ${issue!.path.join('.')}` : ''}: ${issue!.message}`);
}

/** @throws Error that says where there is no JSON value */
export function jsonValue(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${where}: no JSON value (${(error as Error).message})`, { cause: error });
  }
}

/** @throws Error unless the choices of each seat in each game follow each other and only the last is marked as last */
function checkOrder(choices: readonly Choice[], name: string): void {
  const ended = new Set<string>();
  for (const [i, choice] of choices.entries()) {
    const where = `${name}, line ${i + 2}`;
    const trajectory = trajectoryOf(choice);
    if (ended.has(trajectory)) throw new Error(`${where}: seat ${choice.seat} of game ${choice.game} has had its last choice before`);
    const next = choices[i + 1];
    if (choice.isLast) ended.add(trajectory);
    else if (!next || trajectoryOf(next) !== trajectory)
      throw new Error(`${where}: seat ${choice.seat} of game ${choice.game} has no further choice, and this one is not its last`);
    else if (next.deal !== choice.deal) throw new Error(`${name}, line ${i + 3}: game ${choice.game} has two deals`);
  }
}

const trajectoryOf = ({ game, seat }: Choice): string => JSON.stringify([game, seat]);
