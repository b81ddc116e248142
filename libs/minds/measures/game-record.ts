import { stepOf } from '@maw/games/kernel/question.ts';

/** An event of a tape as the narrator sees it. */
export interface NarratedEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** What the measures need of one finished game. */
export interface GameRecord {
  readonly table: string;
  readonly round: number;
  readonly rules: string;
  /** By seat, as dealt. */
  readonly roles: readonly string[];
  readonly winner: string;
  /** Seats. */
  readonly winners: readonly number[];
  /** The day or quest in which it ended, from 1. */
  readonly days: number;
  /** By quest: the last team that was proposed. */
  readonly lastTeams: readonly (readonly number[])[];
  readonly cards: readonly { readonly by: number; readonly card: string }[];
  readonly proposals: readonly { readonly leader: number; readonly approvals: number; readonly votes: number }[];
  /** By seat: the votes it got in ballots and votes, each voter's last one of each. */
  readonly votes: readonly number[];
}

interface Outcome {
  readonly winner: string;
  readonly winners: readonly number[];
  readonly roles: readonly string[];
}

/** The finished games of a tape, one per round. */
export function gamesOf(table: string, tape: readonly NarratedEvent[]): readonly GameRecord[] {
  const rules = (tape.find(({ type }) => type === 'opened')?.['opening'] as { readonly rules: string } | undefined)?.rules ?? '';
  let from = 0;
  return tape.flatMap((event, i) => {
    if (event.type === 'began') from = i;
    if (event.type !== 'scored') return [];
    const outcome = event['outcome'] as Outcome;
    return [{ table, round: Number(event['round']), rules, ...outcome, ...countsOf(tape.slice(from, i), outcome.roles.length) }];
  });
}

type Counts = Pick<GameRecord, 'days' | 'lastTeams' | 'cards' | 'proposals' | 'votes'>;

function countsOf(events: readonly NarratedEvent[], players: number): Counts {
  const lastTeams = new Map<number, readonly number[]>();
  const cards: { by: number; card: string }[] = [];
  const proposals: { leader: number; approvals: number; votes: number }[] = [];
  const ballots = new Map<string, string>();
  let days = 1;
  for (const event of events) {
    days = Math.max(days, dayOf(event));
    if (event.type === 'proposed') lastTeams.set(Number(event['quest']), event['team'] as readonly number[]);
    if (event.type === 'voted') {
      const [approve, reject] = [event['approve'] as readonly number[], event['reject'] as readonly number[]];
      proposals.push({ leader: Number(event['leader']), approvals: approve.length, votes: approve.length + reject.length });
    }
    if (event.type !== 'answered') continue;
    const { by, says } = event['answer'] as { readonly by: number; readonly says: readonly string[] };
    const question = String(event['question']);
    if (stepOf(question) === 'quest') cards.push({ by, card: says[0] ?? '' });
    if (stepOf(question) === 'vote') ballots.set(`${question} ${by}`, says[0] ?? '');
  }
  const votes = Array.from({ length: players }, (_, seat) => [...ballots.values()].filter((option) => option === `seat:${seat}`).length);
  return { days, lastTeams: [...lastTeams.values()], cards, proposals, votes };
}

/** The number of the day or quest of a question; 0 for other events. */
function dayOf({ type, ...event }: NarratedEvent): number {
  const id = type === 'asked' ? (event['question'] as { readonly id: string }).id : '';
  return Number(/\/(?:day|quest)-(\d+)\//.exec(id)?.[1] ?? 0);
}
