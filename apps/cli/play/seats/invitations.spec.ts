import { expect, it } from '@jest/globals';
import type { WebClient } from '../../clients/web-client.ts';
import { linkAddress } from '@maw/contracts/http/link-code.ts';
import { printInvitations, qrCode, readInvitation } from './invitations.ts';

it.each([
  ['http://192.168.1.5:8080/tables/a-b#ey.x_y', {}],
  ['http://192.168.1.5:8080/tables/a-b?seat=2#ey.x_y', { seat: 2 }],
])('an invitation of an earlier version is read: %s', async (text, seat) => {
  expect(await readInvitation(text)).toEqual({ at: 'http://192.168.1.5:8080', table: 'a-b', token: 'ey.x_y', ...seat });
});

it.each([false, true])(
  'an invitation for a seat is for that seat, and one that was taken gives it back (in a browser: %s)',
  async (isForPage) => {
    const made: object[] = [];
    const notes: string[] = [];
    const seats = [{ kind: 'person' }, { kind: 'mind' }, { kind: 'person' }, { kind: 'person' }];
    const web = {
      at: 'http://127.0.0.1:8080',
      table: async () => ({ players: [{ name: 'Ann' }, { name: 'Mind' }, {}, { name: 'Bo' }] }),
      tape: async function* () {
        yield { event: { type: 'opened', opening: { seats } } };
      },
      makeToken: async (...wanted: object[]) => ({ code: `CODE${made.push(wanted)}` }),
    } as unknown as WebClient;
    await printInvitations({ web, note: (text) => notes.push(text), isOnNetwork: false, isForPage, host: 'Ann' }, 't');
    expect(made).toEqual([
      [{ role: 'join', table: 't', seat: 2, isLink: true }, 'invitation-join-t-2'],
      [{ role: 'seat', table: 't', seat: 3, isLink: true }, 'invitation-seat-t-3'],
    ]);
    expect(notes).toEqual([
      expect.stringMatching(/^Invitation for seat 3[^]*http:\/\/127.0.0.1:8080\/j#CODE1/),
      expect.stringMatching(/^Invitation for Bo[^]*\/j#CODE2/),
    ]);
  },
);

it.each(['', 'ey.x_y', 'http://192.168.1.5:8080', 'http://192.168.1.5:8080/tables/a', 'http://192.168.1.5:8080/#ey'])(
  'the text %j is no invitation',
  (text) => expect(readInvitation(text)).rejects.toThrow('--join wants the whole invitation'),
);

it('the QR code of an invitation takes 17 rows of a terminal', () => {
  const lines = qrCode(linkAddress('http://192.168.100.100:39069', 'K7Q2M9XTRB')).split('\n');
  expect(lines.length).toBeLessThanOrEqual(17);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(33);
});
