import type { ServiceReport } from '@maw/aiwolf/server/report.ts';
import { writeAgent } from '@maw/games/aiwolf/language/content-writer.ts';
import { seatOf } from '@maw/games/kernel/question.ts';
import { ROLES } from '@maw/games/aiwolf/state.ts';
import { numberColumns, say } from '../../output.ts';
import { createProgress } from '../../progress.ts';
import { sanitizeText } from '@maw/text/sanitize-text.ts';
import { type Paint } from '../../transcript.ts';
import { type AgentScore, createScore, type EndedGame, type Wins } from '@maw/aiwolf/server/scores.ts';

/** A game of a set that has ended. */
export interface ScoredGame extends EndedGame {
  readonly set: string;
  readonly round: number;
  readonly winner: string;
}

/** What is hosted, and how it is told. */
interface Told {
  readonly isJson: boolean;
  readonly paint: Paint;
  readonly games: number;
  /** How many of them were played before this start. */
  readonly before: number;
  /** How many begin a set. */
  readonly agents: number;
  /** Whether tables begin without people. */
  readonly isFull: boolean;
  readonly standIn: string;
}

export type HostReport = ReturnType<typeof createHostReport>;

/** Tells what happens: lines and a table for people, or JSON lines for programs. */
export function createHostReport(told: Told) {
  const { isJson, paint, games, before } = told;
  const score = createScore();
  const bar = createProgress(process.stderr, games);
  const known = new Set<string>();
  let played = before;
  function note(text: string): void {
    bar.end();
    (isJson ? process.stderr : process.stdout).write(`${sanitizeText(text)}\n`);
  }
  /** Whether people are told: an agent that comes for the first time, its first fault of a kind. */
  function isNews(event: Event): boolean {
    if (event.type === 'fault') return score.failed(event.agent, event.fault) === 1;
    return event.type !== 'connected' || known.size < known.add(event.agent).size;
  }
  return {
    note,

    take(report: ServiceReport): void {
      if (report.type === 'packet') {
        if (report.answer && 'text' in report.answer) score.answered(report.agent, report.answeredAt - report.sentAt);
        return;
      }
      if (isJson) say(JSON.stringify(report));
      const line = isNews(report) ? lineOf(report, known.size, told) : undefined;
      if (line !== undefined) note(line);
    },

    ended(game: ScoredGame): void {
      score.ended(game);
      played++;
      if (isJson) say(JSON.stringify({ type: 'game', ...game }));
      else note(`Game ${played} of ${games}: ${game.winner} won: ${game.winners.map((seat) => game.agents[seat]).join(', ') || 'nobody'}.`);
      bar.at(played);
    },

    /** Whether some games are played, and others are not. */
    isMidway: (): boolean => played > 0 && played < games,

    /** The result. */
    print(): void {
      bar.end();
      const scores = score.scores();
      if (isJson) return say(JSON.stringify({ type: 'result', games: played, wanted: games, before, agents: scores }));
      say(paint('bold', `\n${played === games ? '' : 'the first '}${played} of ${games} games`));
      if (before) say(`${before} of them before this start, which are not counted here`);
      if (scores.length) say(`\n${sanitizeLines(tableOfScores(scores))}`);
    },
  };
}

type Event = Exclude<ServiceReport, { type: 'packet' }>;

/** What people are told of it. @param connected how many agents have connected */
function lineOf(event: Event, connected: number, { agents, isFull, standIn }: Told): string | undefined {
  switch (event.type) {
    case 'connected':
      return `${event.agent} has connected${connected > agents ? '' : ` (${connected} of ${agents})`}`;
    case 'began':
      return `Table ${event.set} ${isFull ? 'begins' : 'is open'} with ${event.agents.map(({ seat, name }) => `${writeAgent(seat + 1)} = ${name}`).join(', ')}.`;
    case 'fault': {
      const instead = event.instead === undefined ? 'nothing counts instead' : `${wordsOf(event.instead)} counts instead`;
      return `${event.agent}, game ${event.round}: ${event.fault}, asked for ${event.request}: ${event.detail}; ${instead}. More of this kind is only counted.`;
    }
    case 'replaced':
      return `${event.agent} fails too often: ${standIn} plays its seat for the rest of game ${event.round}`;
    case 'returned':
      return `${event.agent} plays its seat again`;
    case 'refused': // the command fails of it
    case 'disconnected':
    case 'ended':
      return undefined;
  }
}

/** Seats count from 0, agents from 1. */
const wordsOf = (says: string): string => (/^seat:\d+$/.test(says) ? `agent ${seatOf(says) + 1}` : says);

const sanitizeLines = (text: string): string => text.split('\n').map(sanitizeText).join('\n');

/** The scores as people read them: how each agent did, and with which roles. */
export function tableOfScores(scores: readonly AgentScore[]): string {
  const share = (wins: Wins | undefined): string => (wins?.games ? `${wins.won}/${wins.games}` : '-');
  const roles = ROLES.filter((role) => scores.some((score) => score.roles[role]));
  const results = numberColumns([
    ['agent', 'won', 'as village', 'as werewolves', 'median ms', '99 % ms', 'faults'],
    ...scores.map((score) => [
      score.agent,
      share(score),
      share(score.sides.village),
      share(score.sides.werewolves),
      ...(score.answers ? [score.medianMs, score.p99Ms].map((ms) => ms.toFixed(0)) : ['-', '-']),
      Object.entries(score.faults)
        .map(([fault, count]) => `${fault} ${count}`)
        .join(', ') || '-',
    ]),
  ]);
  if (!roles.length) return results;
  const byRole = scores.map((score) => [score.agent, ...roles.map((role) => share(score.roles[role]))]);
  return `${results}\n\n${numberColumns([['won as', ...roles], ...byRole])}`;
}
