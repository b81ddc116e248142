import { say, sayColumns } from '../output.ts';
import type { AgentReport } from '@maw/aiwolf/client/agent.ts';

const aside = (text: string): void => void process.stderr.write(`${text}\n`);

/** How many answers a mind with a model has given. */
interface Credit {
  model: number;
  standIn: number;
}

/** Prints what happens to the seats, and at the end how often each has won. */
export function createScore(isJson: boolean) {
  const wins = new Map<string, { readonly name: string; readonly role: string; games: number; won: number }>();
  const credits = new Map<string, Credit>();
  const line = (name: string, report: Exclude<AgentReport, { readonly type: 'answered' }>): string => {
    switch (report.type) {
      case 'began':
        return `${name}: a game of ${report.players} begins; ${report.as} is ${report.role}, with ${report.limitMs} ms for an answer`;
      case 'ended': {
        const winner = report.winner === 'draw' ? 'nobody wins' : `the ${report.winner === 'village' ? 'village wins' : 'werewolves win'}`;
        return `${name}: ${winner}; ${report.hasWon ? 'won' : 'lost'} as ${report.role}, ${report.isAlive ? 'alive' : 'dead'} on day ${report.day}`;
      }
      case 'late':
        return `${name}: ${report.isSent ? 'late' : 'no'} answer to ${report.request}: it took ${report.ms} ms`;
      case 'failed':
        return `${name}: ${report.error}; a legal answer is given instead`;
    }
  };
  return {
    take(name: string, report: AgentReport): void {
      if (isJson) say(JSON.stringify({ name, ...report }));
      if (report.type === 'answered') {
        const credit = credits.get(name) ?? { model: 0, standIn: 0 };
        credits.set(name, credit);
        credit[report.by === 'model' ? 'model' : 'standIn']++;
        return;
      }
      (isJson || report.type !== 'ended' ? aside : say)(line(name, report));
      if (report.type !== 'ended') return;
      const key = `${name} ${report.role}`;
      const row = wins.get(key) ?? { name, role: report.role, games: 0, won: 0 };
      wins.set(key, row);
      row.games++;
      if (report.hasWon) row.won++;
    },
    print(): void {
      if (isJson || !wins.size) return;
      say('');
      const rows = [...wins.values()].toSorted((a, b) => (a.name + a.role < b.name + b.role ? -1 : 1));
      sayColumns([['seat', 'role', 'games', 'won'], ...rows.map(({ name, role, games, won }) => [name, role, String(games), String(won)])]);
      if (!credits.size) return;
      say('');
      const counts = [...credits].toSorted(([a], [b]) => (a < b ? -1 : 1));
      sayColumns([
        ['seat', 'answers by the model', 'in its stead'],
        ...counts.map(([name, { model, standIn }]) => [name, String(model), String(standIn)]),
      ]);
    },
  };
}
