import { describe, expect, it } from '@jest/globals';
import { tableEvents } from './table-events.ts';

const listener = () => {
  const heard: string[] = [];
  return {
    heard,
    questionsClosed: (questions: readonly string[]) => void heard.push(`closed ${questions.join(' ')}`),
    paused: () => void heard.push('paused'),
    phaseChanged: () => void heard.push('new phase'),
    roomChanged: (room: string) => void heard.push(`line in ${room}`),
  };
};
const moved = (phase: string, ...closed: string[]) => ({ stage: 'round' as const, phase, closed });

describe('tableEvents', () => {
  it('reports closed questions, new phases, new lines and pauses', () => {
    const events = tableEvents();
    const own = listener();
    events.tableMoved('t1', moved('day-1'));
    events.listen('t1', own);
    events.tableMoved('t1', moved('day-1'));
    events.tableMoved('t1', moved('day-1', 'q'));
    events.tableMoved('t1', moved('', 'r'));
    events.roomChanged('t1', { room: 'Village', line: 1 });
    events.tableMoved('t1', { ...moved(''), isPaused: true });
    expect(own.heard).toEqual(['closed q', 'closed r', 'new phase', 'line in Village', 'paused']);
  });

  it('reports the first phase it hears of as new, since it does not know the one before', () => {
    const events = tableEvents();
    const own = listener();
    events.listen('t1', own);
    events.tableMoved('t1', moved('day-1'));
    expect(own.heard).toEqual(['new phase']);
  });

  it('reports to listeners of that table until they unsubscribe', () => {
    const events = tableEvents();
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
