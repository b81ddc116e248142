import { expect, it } from '@jest/globals';
import { invitationText, readInvitation } from './invitations.ts';

it.each([
  { at: 'http://192.168.1.5:8080', table: 'a-b', token: 'ey.x_y' },
  { at: 'http://192.168.1.5:8080', table: 'a-b', token: 'ey.x_y', seat: 2 },
])('an invitation is read as it was written: %j', (invitation) => {
  expect(readInvitation(invitationText(invitation))).toEqual(invitation);
});

it.each(['', 'ey.x_y', 'http://192.168.1.5:8080', 'http://192.168.1.5:8080/tables/a', 'http://192.168.1.5:8080/#ey'])(
  'the text %j is no invitation',
  (text) => expect(() => readInvitation(text)).toThrow('--join wants the whole invitation'),
);
