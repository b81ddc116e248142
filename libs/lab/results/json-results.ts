import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { streamTextFile } from '@maw/text/text-file.ts';
import { z } from 'zod';
import { parseJson } from '../parse-json.ts';
import { type Kept, RANKED } from '../ratings/result.ts';
import { type AcceptGame, createInterner, RANKED_SEAT } from './game-sink.ts';

const name = z.string().min(1);

const seatShape = z.object({
  agent: name,
  seat: z.int().nonnegative().optional(),
  role: name,
  side: name,
  won: z.boolean(),
  points: z.number().optional(),
  rank: z.int().min(1).optional(),
});
const gameShape = z.object({ id: name, rules: name, deal: name.optional(), winner: name, seats: z.array(seatShape).min(1) });

/** A game that says ranks in place of a winner, with what it leaves out; others as they are. */
function filled(json: unknown): unknown {
  const { seats } = (json ?? {}) as { readonly seats?: readonly ({ readonly rank?: unknown } | null)[] };
  if (!Array.isArray(seats) || !seats.some((seat) => seat?.rank !== undefined)) return json;
  const places = seats.map((seat) => ({ ...RANKED_SEAT, ...seat, rank: seat?.rank ?? null, won: seat?.rank === 1 }));
  return { rules: 'all', ...(json as object), winner: RANKED, seats: places };
}

/** Reads a game per line. @throws Error naming file, line, what is wrong and what to do */
export async function readJsonLines(file: string, accept: AcceptGame, signal: AbortSignal): Promise<Kept> {
  const intern = createInterner();
  const kept = { hasSeats: true, hasPoints: true };
  let line = 0;
  const input = Readable.from(streamTextFile(file), { signal });
  try {
    for await (const text of createInterface({ input, crlfDelay: Infinity })) {
      line++;
      if (!text.trim()) continue;
      const json = parseJson(text);
      if (json === undefined) throw new Error(`${file}:${line} is no JSON: write each game as one line`);
      const { success, data, error } = gameShape.safeParse(filled(json));
      if (!success) throw new Error(`${file}:${line} is no game as docs/ratings.md shows them: ${mistakeOf(error)}`);
      const { id, rules, deal = id, winner, seats } = data;
      kept.hasSeats &&= seats.every(({ seat }) => seat !== undefined);
      kept.hasPoints &&= seats.every(({ points }) => points !== undefined);
      accept(
        {
          id,
          rules: intern(rules),
          deal,
          winner: intern(winner),
          seats: seats.map(({ agent, seat, role, side, won, points, ...more }, i) => ({
            agent: intern(agent),
            seat: seat ?? i,
            role: intern(role),
            side: intern(side),
            won,
            points: points ?? Number(won),
            ...more,
          })),
        },
        line,
      );
    }
  } finally {
    input.destroy();
  }
  if (!line) throw new Error(`${file} is empty: it needs a game per line; see docs/ratings.md`);
  return kept;
}

/** The first mistake, with the field it is in. */
function mistakeOf({ issues: [first] }: z.ZodError): string {
  const field = (first?.path ?? []).map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return `${field.replace(/^\./, '') || 'the line'}: ${first?.message.replace('Invalid input: ', '')}`;
}
