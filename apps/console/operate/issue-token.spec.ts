import { expect, it } from '@jest/globals';
import { tokenBody, type TokenDraft, tokenLink } from './issue-token.ts';

const draft: TokenDraft = { role: 'join', table: 't1', seat: '', view: 'narrator', name: ' Ann ', days: '' };

it('asks for what the role needs, and for nothing else', () => {
  expect(tokenBody(draft)).toEqual({ role: 'join', table: 't1', name: 'Ann' });
  expect(tokenBody({ ...draft, seat: '0', name: '' })).toEqual({ role: 'join', table: 't1', seat: 0 });
  expect(tokenBody({ ...draft, role: 'spectator', days: '0.5' })).toEqual({
    role: 'spectator',
    table: 't1',
    view: 'narrator',
    name: 'Ann',
    ttlMs: 43_200_000,
  });
  expect(tokenBody({ ...draft, role: 'admin' })).toEqual({ role: 'admin', name: 'Ann' });
});

it('leads to the page where the token is used', () => {
  const links = (['admin', 'join', 'seat'] as const).map((role) => tokenLink('http://x', role, 't1', 'e.y'));
  expect(links).toEqual(['http://x/console/operate#token=e.y', 'http://x/t/t1/join#token=e.y', 'http://x/t/t1#token=e.y']);
});
