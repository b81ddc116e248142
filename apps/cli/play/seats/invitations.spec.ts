import { expect, it } from '@jest/globals';
import type { WebClient } from '../../clients/web-client.ts';
import { invitationText, printInvitations, qrCode, readInvitation } from './invitations.ts';

it.each([
  { at: 'http://192.168.1.5:8080', table: 'a-b', token: 'ey.x_y' },
  { at: 'http://192.168.1.5:8080', table: 'a-b', token: 'ey.x_y', seat: 2 },
])('an invitation is read as it was written: %j', (invitation) => {
  expect(readInvitation(invitationText(invitation))).toEqual(invitation);
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
      makeToken: async (wanted: object) => ({ token: `token${made.push(wanted)}` }),
    } as unknown as WebClient;
    await printInvitations({ web, note: (text) => notes.push(text), isOnNetwork: false, isForPage, host: 'Ann' }, 't');
    expect(made).toEqual([
      { role: 'join', table: 't', seat: 2 },
      { role: 'seat', table: 't', seat: 3 },
    ]);
    expect(notes).toEqual([
      expect.stringMatching(/^Invitation for seat 3[^]*token1/),
      expect.stringMatching(/^Invitation for Bo[^]*token2/),
    ]);
  },
);

it.each(['', 'ey.x_y', 'http://192.168.1.5:8080', 'http://192.168.1.5:8080/tables/a', 'http://192.168.1.5:8080/#ey'])(
  'the text %j is no invitation',
  (text) => expect(() => readInvitation(text)).toThrow('--join wants the whole invitation'),
);

it('the QR code of an invitation fits into a terminal of 80 columns', () => {
  const text = invitationText({
    at: 'http://192.168.100.100:39069',
    table: 'd50926bb-90da-4cd0-8afe-99e142733fb4',
    token: 'x'.repeat(330),
    seat: 11,
  });
  const lines = qrCode(text).split('\n');
  expect(lines.length).toBeGreaterThan(20);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
});
