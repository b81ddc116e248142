import { expect, it } from '@jest/globals';
import { contracts } from '@maw/contracts/contracts.ts';
import { refuse } from '@maw/tests/equipment/fakes/player-fixture.ts';
import { takeSeat } from './take-seat.ts';

it('logs why a mind cannot join without its seat, and nothing when it is invited again', async () => {
  const data = { seat: 2, rules: 'maw', taken: [], until: Date.now() + 60_000, name: 'Fox' };
  const invited = contracts.write('seat.invited', data, { id: 't1/abc', source: 'gamemaster', subject: 't1', at: Date.now() });
  const loggedAfter = async (reason: string) => {
    const logged: object[] = [];
    const log = { warn: (about: object) => void logged.push(about) };
    const bus = { request: async () => refuse(reason) };
    await takeSeat({ bus, log, now: Date.now, options: {}, signal: new AbortController().signal } as never, {} as never, invited);
    return logged;
  };
  expect(await loggedAfter('paused')).toEqual([]);
  expect(await loggedAfter('forbidden')).toEqual([{ table: 't1', invitation: 't1/abc', reason: 'forbidden' }]);
});
