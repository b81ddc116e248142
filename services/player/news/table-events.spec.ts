import { describe, expect, it } from '@jest/globals';
import { contracts } from '@maw/contracts/contracts.ts';
import { tableEvents } from './table-events.ts';

const listener = () => {
  const heard: string[] = [];
  return {
    heard,
    questionsClosed: (questions: readonly string[]) => void heard.push(`closed ${questions.join(' ')}`),
    paused: (sequence: number) => void heard.push(`paused at ${sequence}`),
    phaseChanged: () => void heard.push('new phase'),
    roundEnded: (sequence: number) => void heard.push(`round ended at ${sequence}`),
    roomChanged: (room: string) => void heard.push(`line in ${room}`),
  };
};
const moved = (phase: string, closed: string[] = [], pausedAt?: number) =>
  contracts.write(
    'table.moved',
    { stage: 'round', phase, closed, ...(pausedAt === undefined ? {} : { isPaused: true }) },
    { id: 'm', source: 'gamemaster', subject: 't1', at: 0, sequence: pausedAt },
  );

describe('tableEvents', () => {
  it('reports closed questions, new phases, new lines and pauses', () => {
    const events = tableEvents(() => 0);
    const own = listener();
    events.tableMoved(moved('day-1'));
    events.listen('t1', own);
    events.tableMoved(moved('day-1'));
    events.tableMoved(moved('day-1', ['q']));
    events.tableMoved(moved('', ['r']));
    events.roomChanged('t1', { room: 'Village', line: 1 });
    events.tableMoved(moved('', [], 7));
    expect(own.heard).toEqual(['closed q', 'closed r', 'new phase', 'line in Village', 'paused at 7']);
  });

  it('takes the lines that a move of the table carries', () => {
    const events = tableEvents(() => 0);
    const own = listener();
    events.listen('t1', own);
    const said = { line: 1, text: 'Nobody died.', at: 0 };
    const data = { stage: 'round', phase: 'day-1', closed: ['q'], lines: [{ room: 'Village', ...said }] } as const;
    events.tableMoved(contracts.write('table.moved', { ...data, closed: [...data.closed], lines: [...data.lines] }, { id: 'm', source: 'gamemaster', subject: 't1', at: 0 })); // prettier-ignore
    expect(own.heard).toEqual(['line in Village', 'closed q', 'new phase']);
    expect(events.linesAfter('t1', 'Village', 0, 0)).toEqual([said]);
  });

  it('reports the end of a round, at which no phase begins', () => {
    const events = tableEvents(() => 0);
    const own = listener();
    events.listen('t1', own);
    events.tableMoved(contracts.write('table.moved', { stage: 'over', phase: '', closed: [] }, { id: 'm', source: 'gamemaster', subject: 't1', at: 0, sequence: 9 })); // prettier-ignore
    expect(own.heard).toEqual(['round ended at 9']);
  });

  it('reports the first phase it hears of as new, since it does not know the one before', () => {
    const events = tableEvents(() => 0);
    const own = listener();
    events.listen('t1', own);
    events.tableMoved(moved('day-1'));
    expect(own.heard).toEqual(['new phase']);
  });

  it('reports to listeners of that table until they unsubscribe', () => {
    const events = tableEvents(() => 0);
    const [own, other] = [listener(), listener()];
    const unsubscribe = events.listen('t1', own);
    events.listen('t2', other);
    events.roomChanged('t1', { room: 'a', line: 1 });
    unsubscribe();
    unsubscribe();
    events.roomChanged('t1', { room: 'b', line: 1 });
    expect([own.heard, other.heard]).toEqual([['line in a'], []]);
  });
});
